import type { Json, Received } from '../servers/api.ts';
import { feeLivesOn } from './fee-lives.ts';
import { at, type testCustomersOn } from './test-customer.ts';

/** A charge of 8.00 for each seat, in arrears. */
export const SEATS = {
  ...{ event_name: 'seat', name: 'Seats', pricing_model: 'flat', flat_amount: '8.00' },
  quantity: 'subscription',
};
export const SEATS_IN_ADVANCE = { ...SEATS, billed: 'in_advance' };

/** Subscriptions with seats, from 1 April on, and their bills. */
export function quantitiesOn(customers: ReturnType<typeof testCustomersOn>) {
  const { advance, customer, done, get, plan, post, read, subscribe } = customers;
  const { invoicesOf, notesOf, untilOpened } = feeLivesOn(customers);

  const go = (id: string, day: string, options: object = {}): Promise<Json[]> =>
    advance(id, at(day), options);

  /** A subscription with 10 seats; with fees in advance its opening invoice is there. */
  async function aLife(charges: readonly object[], parts: object = {}, dates: object = {}) {
    const id = await customer(parts, at('04-01'));
    const subscription = await subscribe(id, await plan(charges), { quantities: { seat: '10' }, ...dates });
    if (charges.some((charge) => Reflect.get(charge, 'billed') === 'in_advance')) await untilOpened(id);
    return { id, subscription_id: subscription.id as string };
  }

  const body = (seat: string, when: string, more: object) => ({
    quantities: { seat },
    at: when.length === 5 ? at(when) : when,
    ...more,
  });
  /** A number of seats from a day of the test year on. */
  const seats = (id: string, seat: string, when: string, more: object = {}): Promise<Json> =>
    done(`/v1/subscriptions/${id}/quantities`, body(seat, when, more));
  const asked = (id: string, seat: string, when: string, more: object = {}): Promise<Received> =>
    post(`/v1/subscriptions/${id}/quantities`, body(seat, when, more));
  const takeBack = (id: string, day: string): Promise<Received> =>
    get(`/v1/subscriptions/${id}/quantities?at=${at(day)}`, { method: 'DELETE' });

  /** "20.00 (40.00, 60.00 less 80.00)": the amount of each line, with its stretches and what was billed before. */
  const linesOf = ({ line_items }: Json): string =>
    line_items
      .map(({ amount, stretches, billed_before }: Json) => {
        if (stretches === null) return amount;
        const amounts = stretches.map((stretch: Json) => stretch.amount).join(', ');
        return billed_before === '0.00'
          ? `${amount} (${amounts})`
          : `${amount} (${amounts} less ${billed_before})`;
      })
      .join(' and ');
  /** The kind of each invoice that is not void, and its lines, oldest first. */
  const billsOf = async (id: string): Promise<string[]> =>
    (await invoicesOf(id))
      .filter(({ status }) => status !== 'void')
      .map((invoice) => `${invoice.kind} ${linesOf(invoice)}`);
  const totalsOf = async (id: string): Promise<string[]> =>
    (await notesOf(id)).filter(({ status }) => status === 'issued').map(({ total }) => total);

  return { aLife, asked, billsOf, go, invoicesOf, linesOf, notesOf, read, seats, takeBack, totalsOf };
}
