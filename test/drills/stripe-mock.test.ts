import assert from 'node:assert/strict';
import { ProviderError, type PaymentProvider } from '../../src/collection/provider.ts';
import { stripeProvider } from '../../src/collection/stripe/stripe.ts';
import { messageOf } from '../../src/process/message-of.ts';
import { aStripeMock } from '../support/servers/stripe-mock.ts';

const CHARGE = { amount: '12.00', currency: 'EUR' };
const PLACE = { since: '2026-12-01T02:00:00.000Z', after: 'pi_0' };

/** Every request that we make of Stripe. */
const REQUESTS: readonly [name: string, ask: (provider: PaymentProvider) => Promise<unknown>][] = [
  ['the account', (provider) => provider.readAccount()],
  ['an endpoint that ends', (provider) => provider.deleteWebhook('we_1')],
  [
    'a customer',
    (provider) => provider.createCustomer({ customer_id: 'cus_1', name: 'Acme', email: 'ada@acme.com' }),
  ],
  ['a customer that is blanked', (provider) => provider.eraseCustomer('cus_1')],
  [
    'a page',
    (provider) =>
      provider.createMethodPage({
        key: 'pms_1',
        customer_reference: 'cus_1',
        currency: 'EUR',
        return_url: 'https://shop.example.com/',
      }),
  ],
  ['the state of a page', (provider) => provider.readMethodPage('cs_1')],
  [
    'a page on which an invoice is paid',
    (provider) =>
      provider.createPaymentPage({
        ...CHARGE,
        key: 'pys_1',
        invoice_id: 'inv_1',
        invoice_number: 'INV-000001',
        customer_reference: 'cus_1',
        saves_method: true,
        return_url: 'https://shop.example.com/',
        expires_at: '2026-12-01T12:31:00.000Z',
      }),
  ],
  ['the state of a page on which an invoice is paid', (provider) => provider.readPaymentPage('cs_1')],
  ['a page that is closed', (provider) => provider.expirePaymentPage('cs_1')],
  ['a method', (provider) => provider.readMethod('pm_1')],
  ['a method that ends', (provider) => provider.detachMethod('pm_1')],
  [
    'a charge that is prepared',
    (provider) =>
      provider.prepareIntent({
        ...CHARGE,
        attempt_id: 'pat_1',
        invoice_id: 'inv_1',
        invoice_number: 'INV-000001',
        customer_reference: 'cus_1',
        method_reference: 'pm_1',
      }),
  ],
  [
    'the charges of an invoice',
    (provider) => provider.intentsOf({ invoice_id: 'inv_1', customer_reference: 'cus_1' }),
  ],
  ['a charge', (provider) => provider.readIntent('pi_1')],
  ['another amount', (provider) => provider.setIntentAmount('pi_1', CHARGE)],
  ['a charge that is confirmed', (provider) => provider.confirmIntent('pi_1')],
  ['a charge that is canceled', (provider) => provider.cancelIntent('pi_1')],
  ['charges of three days', (provider) => provider.intentsSince(PLACE)],
  [
    'a refund',
    (provider) => provider.createRefund({ ...CHARGE, refund_id: 'prf_1', charge_reference: 'pi_1' }),
  ],
  ['how a refund stands', (provider) => provider.readRefund('re_1')],
  ['the refunds of a charge', (provider) => provider.refundsOf('pi_1')],
  ['refunds of three days', (provider) => provider.refundsSince(PLACE)],
  ['how a dispute stands', (provider) => provider.readDispute('dp_1')],
  ['disputes of three days', (provider) => provider.disputesSince(PLACE)],
];

describe('the description of the API of Stripe', function () {
  this.timeout(600_000);
  let provider: PaymentProvider;

  before(async function () {
    try {
      provider = stripeProvider({ secret_key: 'sk_test_123', api_url: await aStripeMock() });
    } catch (error) {
      console.log(`      stripe-mock cannot be built by Go: ${messageOf(error)}`);
      this.skip();
    }
  });

  for (const [name, ask] of REQUESTS)
    it(`has our request of ${name}`, async () => void (await ask(provider)));

  it('has our request of an endpoint, but for the version of the API, which is newer', async () => {
    const made = provider.createWebhook('https://billing.example.com/provider-webhooks/pp_1');
    await assert.rejects(made, (error: unknown) => {
      assert.ok(error instanceof ProviderError);
      assert.match(error.message, /^[^']*'api_version' validation failed: value is not in enumeration$/);
      return true;
    });
  });
});
