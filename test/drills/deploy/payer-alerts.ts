import { UP, type Case } from './alerts.ts';

/** Cases of emails to payers and of charges. */
export const PAYER_CASES: readonly Case[] = [
  {
    what: 'emails are due and not tried, and a live one was refused',
    series: {
      ...UP,
      'tidemark_email_oldest_seconds{job="tidemark-api"}': '601x40',
      'tidemark_emails{job="tidemark-api", environment="live", status="refused"}': '1x40',
    },
    minute: 10,
    fire: ['TidemarkEmailsLate', 'TidemarkEmailsUndelivered'],
  },
  {
    what: 'the live payment provider is failing, and a charge waits',
    series: {
      ...UP,
      'tidemark_payment_provider_failing{job="tidemark-api", environment="live"}': '1x40',
      'tidemark_payment_provider_failing{job="tidemark-api", environment="test"}': '0x40',
      'tidemark_payment_attempt_oldest_seconds{job="tidemark-api"}': '3601+60x40',
    },
    minute: 20,
    fire: ['TidemarkChargesWait', 'TidemarkPaymentProviderFailing'],
  },
  {
    what: 'the payment provider of test data is failing, the live one was for ten minutes, and a charge waits for half an hour',
    series: {
      ...UP,
      'tidemark_payment_provider_failing{job="tidemark-api", environment="live"}': '1x9 0x40',
      'tidemark_payment_provider_failing{job="tidemark-api", environment="test"}': '1x40',
      'tidemark_payment_attempt_oldest_seconds{job="tidemark-api"}': '600+60x40',
    },
    minute: 20,
    fire: [],
  },
  {
    what: 'the night finds a refund at the provider that was not here',
    series: {
      ...UP,
      'tidemark_provider_differences_total{job="tidemark-worker", kind="charge"}': '0x40',
      'tidemark_provider_differences_total{job="tidemark-worker", kind="refund"}': '0x9 1x30',
    },
    minute: 20,
    fire: ['TidemarkProviderDiffers'],
  },
];
