import type { Json } from '../servers/api.ts';
import { discountsOf } from './discounts.ts';
import { feeLivesOn } from './fee-lives.ts';
import type { testCustomersOn } from './test-customer.ts';

/** Customers with discounts of an amount and minimums, and what their documents say. */
export function periodLinesOf(customers: ReturnType<typeof testCustomersOn>) {
  const { done } = customers;
  const { invoicesOf, notesOf } = feeLivesOn(customers);
  const { discount } = discountsOf(customers);

  const cut = (subscription_id: string) =>
    done('/v1/invoices/generate', { subscription_id, close_now: true });
  const amount = (id: string, text: string, parts: object = {}) =>
    discount(id, { percent: undefined, amount: text, ...parts });
  /** "usage 7.00, discount -7.00 = 0.00": type and amount of each line, and the subtotal. */
  const linesOf = ({ line_items, subtotal }: Json): string =>
    `${line_items.map((line: Json) => `${line.type} ${line.amount}`).join(', ')} = ${subtotal}`;
  const billsOf = async (id: string): Promise<string[]> =>
    (await invoicesOf(id)).filter(({ status }) => status !== 'void').map(linesOf);
  const creditedOn = async (id: string): Promise<string[]> =>
    (await notesOf(id)).map(
      ({ lines, subtotal }) => `${lines.map((line: Json) => line.amount).join(', ')} = ${subtotal}`,
    );

  return { amount, billsOf, creditedOn, cut, linesOf };
}
