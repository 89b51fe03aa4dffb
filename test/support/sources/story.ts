import {
  CHARGED_INVOICE,
  PAID_INVOICE,
  REGENERATION,
  REST_PAYMENT,
} from '../../../api/reference/examples/ids.ts';
import type { Received } from '../servers/api.ts';
import { eventually } from '../servers/eventually.ts';
import { CHAPTERS } from './chapters.ts';
import { createLikeness } from '../documents/likeness.ts';
import { aReceiver, type Receiver } from '../servers/receiver.ts';
import { tokenOf } from '../servers/signed-in.ts';
import { savedCardsOn } from '../ledger/saved-cards.ts';
import { requestsTo, testCustomersOn } from '../ledger/test-customer.ts';
import type { Stack } from '../servers/stack.ts';
import { shownExamples } from './shown-examples.ts';
import type { StripeStandIn } from '../servers/stripe-stand-in.ts';

/** The address in the examples of webhooks, to which nothing is sent. */
const RECEIVER_URL = 'https://example.com/tidemark';

export const STORY: readonly string[] = CHAPTERS.flatMap(([operation_id, ...names]) =>
  names.map((name) => `${operation_id}: ${name}`),
);

/** Sends examples to a new stack, in the order of STORY; `stripe` is the stand-in that it is led to. */
export function storyOn(stack: () => Stack, stripe: () => StripeStandIn) {
  const request = requestsTo(stack);
  const customers = testCustomersOn(request);
  const cards = savedCardsOn(customers, { stack, stripe });
  const shown = shownExamples();
  const exampleMatcher = createLikeness();
  let receiver: Receiver | null = null;

  const untilFinished = async () =>
    void (await eventually(
      () => stack().pool.query('select from plan_migrations where finished_at is not null'),
      ({ rowCount }) => rowCount === 1,
    ));

  /** Actions that no request can do: set the clock to the start of the story, and look up the id of a finished regeneration. */
  const BESIDE: Readonly<Record<string, () => Promise<void>>> = {
    'createCustomer: A customer': async () =>
      void (await stack().pool.query(`update customers set test_clock = '2026-01-01T00:00:00Z'`)),
    'listChanges: Credit of a customer, as soon as there is some': async () =>
      void (await eventually(
        () => stack().pool.query(`select from webhook_deliveries where status = 'delivered'`),
        ({ rowCount }) => rowCount === 1,
      )),
    'resendWebhookDelivery: A change that the receiver has lost': async () =>
      void (await stack().pool.query(
        `update webhook_deliveries set status = 'failing', next_attempt_at = 'infinity'`,
      )),
    'createPlanMigration: All subscribers, each at the end of its period': untilFinished,
    'takeBackPlanMigration: What is still scheduled': async () => {
      await untilFinished();
      await stack().pool.query(`update plan_migrations set status = 'running', finished_at = null`);
    },
    'sendInvoice: To the address of the customer': async () =>
      void (await stack().pool.query(
        `update emails set status = 'queued', next_attempt_at = '9999-01-01' where created_by is not null`,
      )),
    'createPaymentMethodSession: A page on which a card is saved': async () => {
      stripe().completePage(stripe().state.all('checkout.session')[0]!.id);
      await stack().pool.query('update payment_pages set next_read_at = now()');
      await eventually(
        () => stack().pool.query('select from payment_methods'),
        ({ rowCount }) => rowCount === 1,
      );
    },
    'setDefaultPaymentMethod: A card': async () => {
      // The invoices of the story are below what a card is charged.
      await customers.done('/v1/customers', { external_id: 'globex' });
      exampleMatcher.bind(CHARGED_INVOICE, await cards.anOpenInvoice('globex'));
      await cards.saveCard('globex', '4242', 'succeeds');
    },
    'listPaymentAttempts: Attempts under way': async () => {
      await customers.done('/v1/customers', { external_id: 'initech' });
      exampleMatcher.bind(PAID_INVOICE, await cards.anOpenInvoice('initech'));
    },
    'listPaymentRefunds: Of a payment': async () => {
      const { rows } = await stack().pool.query<{ id: string; reference: string }>(
        `select id, reference from payments where created_by like 'prf%'`,
      );
      const { id, reference } = rows[0]!;
      exampleMatcher.bind(REST_PAYMENT, id);
      stripe().dispute(reference, 'needs_response', '40');
      await stack().pool.query('update provider_comparisons set next_at = now()');
    },
    'getPaymentRefund: One that the provider has given back': async () =>
      void (await eventually(
        () => stack().pool.query(`select from payment_disputes where taken_amount is not null`),
        ({ rowCount }) => rowCount === 1,
      )),
    'regenerateInvoice: With a late event': async () => {
      const { rows } = await stack().pool.query<{ id: string }>('select id from regenerations');
      exampleMatcher.bind(REGENERATION, rows[0]!.id);
    },
  };

  /** The portal link that sends an example, where it is no key of staff. */
  const newLink = async (): Promise<string> => {
    const body = exampleMatcher.toReal({ customer_id: 'acme' });
    return tokenOf((await request('/v1/portal-sessions', { method: 'POST', body })).body.url);
  };
  const SENT_BY_LINKS = [
    'revokePortalSession: A payer who is done, with the link as the key',
    'listPayments: Of an invoice, with a portal link as the key',
  ];

  return {
    shown,
    exampleMatcher,
    tell: async (name: string): Promise<Received> => {
      if (receiver === null) exampleMatcher.bind(RECEIVER_URL, (receiver = await aReceiver()).url);
      const { method, path, body, answer } = shown.get(name)!;
      const sent = body === undefined ? { method } : { method, body: exampleMatcher.toReal(body) };
      const sender = SENT_BY_LINKS.includes(name) ? { key: await newLink() } : {};
      const received = await request(exampleMatcher.toReal(path), { ...sent, ...sender });
      exampleMatcher.learn(answer, received.body);
      await BESIDE[name]?.();
      return received;
    },
  };
}
