import type { Json } from '../servers/api.ts';
import { isIdle } from '../../../src/db/changes/consumers.ts';
import { eventually } from '../servers/eventually.ts';
import { useStack } from '../servers/stack.ts';
import { TEST_KEY } from '../servers/stripe-stand-in.ts';
import type { Behaviour } from '../servers/stripe-state.ts';
import { useStripe } from '../servers/use-stripe.ts';
import { at, FLAT, requestsTo, testCustomersOn } from './test-customer.ts';

/** A stack that charges at a stand-in of Stripe, whose account charges by itself, for the tests of one file. */
export function usePlannedCharges() {
  const { settings, stripe } = useStripe();
  const stack = useStack(settings);
  const request = requestsTo(stack);
  const customers = testCustomersOn(request);
  const { advance, customer, done, plan, read, subscribe } = customers;
  const patch = (path: string, body: object) => request(path, { method: 'PATCH', body });

  before(async () => {
    await done('/v1/payment-providers', { kind: 'stripe', secret_key: TEST_KEY });
    await patch('/v1/account', { charge_mode: 'automatic', email_kinds: ['payment_failed'] });
  });

  /** Saves a card of a customer that behaves like this, and returns its method. */
  const aMethod = async (customer_id: string, behaviour: Behaviour): Promise<Json> => {
    const path = `/v1/payment-methods?customer_id=${customer_id}`;
    const before_it = (await read(path)).data.length;
    const page = await done(`/v1/customers/${customer_id}/payment-method-sessions`);
    stripe().completePage(page.url, behaviour);
    await stack().pool.query('update payment_pages set next_read_at = now() where next_read_at is not null');
    const { data } = await eventually(
      () => read(path),
      (methods: Json) => methods.data.length > before_it,
    );
    return data[0];
  };

  /** A customer, perhaps with a card, whose invoice of 49.00 is issued on 1 February, and nothing later. */
  const aPayer = async (behaviour: Behaviour | null, parts: object = {}): Promise<string> => {
    const id = await customer({ email: 'ada@acme.com', ...parts });
    if (behaviour !== null) await aMethod(id, behaviour);
    const flat = await plan([FLAT], { interval_count: 1 });
    const { id: subscription } = await subscribe(id, flat);
    await done(`/v1/subscriptions/${subscription}/cancel`, { at: at('02-01') });
    return id;
  };

  const invoiceOf = async (customer_id: string): Promise<Json> =>
    (await read(`/v1/invoices?customer_id=${customer_id}`)).data[0];

  return {
    ...customers,
    /** Waits until billing has read all changes. */
    quiet: () =>
      eventually(
        () => isIdle(stack().pool, 'collections'),
        (is_idle) => is_idle,
      ),
    stack,
    stripe,
    patch,
    aMethod,
    aPayer,
    invoiceOf,
    /** The invoice of a customer once its collection has a status. */
    once: (customer_id: string, status: string): Promise<Json> =>
      eventually(
        () => invoiceOf(customer_id),
        ({ collection }) => collection.status === status,
      ),
    /** Moves the clock of a customer, and waits for a status of its collection. */
    until: async (customer_id: string, to: string, status: string): Promise<Json> => {
      await advance(customer_id, to);
      return eventually(
        () => invoiceOf(customer_id),
        (invoice) => invoice?.collection.status === status,
      );
    },
    /** The instants of the attempts of a customer by its clock, and how each ended. */
    attemptsOf: async (customer_id: string): Promise<[at: string, status: string][]> => {
      const { rows } = await stack().pool.query<{ at: string; status: string }>(
        `select a.at, a.status from payment_attempts a
         join customers c on c.environment_id = a.environment_id and c.id = a.customer_id
         where c.external_id = $1 order by a.number`,
        [customer_id],
      );
      return rows.map((row) => [row.at, row.status]);
    },
    emailsOf: async (customer_id: string): Promise<Json[]> =>
      (await read(`/v1/emails?customer_id=${customer_id}&kind=payment_failed`)).data.reverse(),
  };
}
