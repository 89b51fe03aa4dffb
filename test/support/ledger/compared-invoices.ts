import type { Json } from '../servers/api.ts';
import { at, type testCustomersOn } from './test-customer.ts';

export type Subscriber = { customer_id: string; id: string };

/** Subscribers whose invoices are compared, beside the actions of test customers. */
export function comparedInvoicesOn({
  advance,
  customer,
  plan,
  read,
  subscribe,
  use,
}: ReturnType<typeof testCustomersOn>) {
  return {
    /** A subscription from the first of January of the test year on, whose customer's time it is. */
    async subscriber(charges: object[], parts: object = {}): Promise<Subscriber> {
      const customer_id = await customer(parts);
      const { id } = await subscribe(customer_id, await plan(charges));
      return { customer_id, id };
    },
    units: ({ customer_id }: Subscriber, day: string, count: number) =>
      use(customer_id, [{ timestamp: at(`${day}T12:00`), properties: { units: count } }]),
    compared: (invoice: Json, query = ''): Promise<Json> =>
      read(`/v1/invoices/${invoice.id}/comparison${query}`),
    /** The causes of each line: "usage usage 15.05, late 10.00". */
    said: ({ lines }: Json): string[] =>
      lines.map(({ kind, causes }: Json) =>
        [kind, causes.map(({ cause, amount }: Json) => `${cause} ${amount}`).join(', ')].join(' ').trim(),
      ),
    /** The last invoice of the advance to a day, which issues one at least. */
    last: async ({ customer_id }: Subscriber, day: string): Promise<Json> =>
      (await advance(customer_id, at(day))).at(-1)!,
  };
}
