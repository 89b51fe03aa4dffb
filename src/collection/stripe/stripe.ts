import Stripe from 'stripe';
import type { PaymentProvider } from '../provider.ts';
import { asked, type Ask } from './asked.ts';
import { eventOf } from './event.ts';
import { intentsOf } from './intents.ts';
import { methodsOf } from './methods.ts';
import { paymentPagesOf } from './payment-pages.ts';
import { refundsOf } from './refunds.ts';

/** Pinned: an answer has this shape, whatever the account's own version is. */
const API_VERSION = '2026-10-28.endive';
const TIME_LIMIT_MS = 10_000;

/** Events that Stripe posts to an endpoint that we make: each names what to read. */
const EVENTS: Stripe.WebhookEndpointCreateParams.EnabledEvent[] = [
  'checkout.session.async_payment_failed',
  'checkout.session.async_payment_succeeded',
  'charge.dispute.closed',
  'charge.dispute.created',
  'charge.dispute.funds_reinstated',
  'charge.dispute.funds_withdrawn',
  'charge.dispute.updated',
  'checkout.session.completed',
  'checkout.session.expired',
  'payment_intent.canceled',
  'payment_intent.payment_failed',
  'payment_intent.processing',
  'payment_intent.requires_action',
  'payment_intent.succeeded',
  'payment_method.automatically_updated',
  'payment_method.detached',
  'payment_method.updated',
  'refund.created',
  'refund.failed',
  'refund.updated',
];

/** A key and where it is used; `api_url` is null for Stripe itself. */
export type StripeAccess = { secret_key: string; api_url: string | null };

/** Stripe behind the interface of a provider. Opens no connection before the first request. */
export function stripeProvider({ secret_key, api_url }: StripeAccess): PaymentProvider {
  const stripe = new Stripe(secret_key, {
    apiVersion: API_VERSION,
    timeout: TIME_LIMIT_MS,
    telemetry: false,
    maxNetworkRetries: 0,
    // With fetch the time limit is of the whole request, and a connection that ends is not tried a second time.
    httpClient: Stripe.createFetchHttpClient(),
    ...(api_url === null ? {} : placeOf(api_url)),
  });
  const ask = <Answer>(request: () => Promise<Answer>) => asked(request, secret_key);
  return {
    ...accountOf(stripe, secret_key, ask),
    ...customersOf(stripe, ask),
    ...methodsOf(stripe, ask),
    ...paymentPagesOf(stripe, ask),
    ...intentsOf(stripe, ask),
    ...refundsOf(stripe, ask),
    readEvent: (body, signature, secrets) => eventOf(stripe, { body, signature, secrets }),
  };
}

function accountOf(stripe: Stripe, secret_key: string, ask: Ask) {
  return {
    readAccount: () =>
      ask(async () => {
        const { id } = await stripe.accounts.retrieveCurrent();
        return { account: id, livemode: /^[a-z]+_live_/.test(secret_key) };
      }),
    createWebhook: (url) =>
      ask(async () => {
        const endpoint = { url, enabled_events: EVENTS, api_version: API_VERSION } as const;
        const { id, secret } = await stripe.webhookEndpoints.create(endpoint);
        return { reference: id, secret: secret! };
      }),
    deleteWebhook: (reference) => ask(async () => void (await stripe.webhookEndpoints.del(reference))),
  } satisfies Partial<PaymentProvider>;
}

function customersOf(stripe: Stripe, ask: Ask) {
  return {
    createCustomer: ({ customer_id, name, email }) =>
      ask(async () => {
        // A restored database does not know it any more; the search finds what is older than a minute.
        const query = `metadata['customer_id']:'${customer_id}'`;
        const found = await stripe.customers.search({ query, limit: 1 });
        if (found.data[0] !== undefined) return found.data[0].id;
        // The same request at each repetition, so that the key holds although a customer is renamed.
        const key = { idempotencyKey: customer_id };
        const { id } = await stripe.customers.create({ metadata: { customer_id } }, key);
        await stripe.customers.update(id, { name: name ?? '', email: email ?? '' });
        return id;
      }),
    eraseCustomer: (reference) =>
      ask(async () => void (await stripe.customers.update(reference, { name: '', email: '' }))),
  } satisfies Partial<PaymentProvider>;
}

function placeOf(api_url: string): { host: string; port: string; protocol: 'http' | 'https' } {
  const { hostname: host, port, protocol } = new URL(api_url);
  return protocol === 'http:'
    ? { host, port: port === '' ? '80' : port, protocol: 'http' }
    : { host, port: port === '' ? '443' : port, protocol: 'https' };
}
