import { at, type testCustomersOn } from './test-customer.ts';
import type { Json } from '../servers/api.ts';
import { eventually } from '../servers/eventually.ts';

/** A charge that is billed in advance. */
export const fee = (flat_amount: string, event_name = 'platform') => ({
  ...{ event_name, pricing_model: 'flat', flat_amount, billed: 'in_advance' },
});
export const CALLS = { event_name: 'call', pricing_model: 'per_unit', unit_amount: '1' };

/** Subscriptions with fees in advance, and their documents, oldest first. */
export function feeLivesOn({ customer, done, plan, read, subscribe }: ReturnType<typeof testCustomersOn>) {
  const linesOf = ({ line_items }: Json): string =>
    line_items
      .map((line: Json) => `${line.type} ${line.amount} ${line.period_start.slice(5, 10)}`)
      .join(', ');
  const invoicesOf = async (id: string): Promise<Json[]> =>
    (await read(`/v1/invoices?customer_id=${id}`)).data.toReversed();
  const notesOf = async (id: string): Promise<Json[]> =>
    (await read(`/v1/credit-notes?customer_id=${id}`)).data.toReversed();
  const balanceOf = async (id: string): Promise<string> => (await read(`/v1/customers/${id}`)).balance;
  const pay = (invoice: Json): Promise<Json> => done(`/v1/invoices/${invoice.id}/pay`);
  const change = (id: string, body: object): Promise<Json> => done(`/v1/subscriptions/${id}/change`, body);

  const untilOpened = (id: string): Promise<Json[]> =>
    eventually(
      () => invoicesOf(id),
      (all) => all.length > 0,
    );

  /** A subscription from the start of a month on, whose opening invoice is there. */
  async function aLife(charges: object[], start = '04-01', parts: object = {}) {
    const id = await customer(parts, at(start));
    const subscription = await subscribe(id, await plan(charges));
    const opening = (await untilOpened(id))[0]!;
    return { id, subscription_id: subscription.id as string, opening };
  }

  /** A subscription without fees, which has no opening invoice. */
  async function anEmptyLife() {
    const id = await customer({}, at('04-01'));
    const subscription = await subscribe(id, await plan([CALLS]));
    return { id, subscription_id: subscription.id as string };
  }

  return { aLife, anEmptyLife, balanceOf, change, invoicesOf, linesOf, notesOf, pay, untilOpened };
}
