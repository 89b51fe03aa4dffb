import type { Json } from '../servers/api.ts';
import { feeLivesOn } from './fee-lives.ts';
import { at, type testCustomersOn } from './test-customer.ts';
import { TIERS } from './tiers.ts';

const SUM = { type: 'sum', property: 'n' };

/** Charges that count what events of the name `call` say in `n`: the tiers T, and units at 1.00. */
export const SUMMED = { event_name: 'call', aggregation: SUM };
export const CALLS_ON_T = { ...SUMMED, pricing_model: 'graduated', tiers: TIERS };
export const UNITS = { ...SUMMED, pricing_model: 'per_unit', unit_amount: '1' };

/** Customers with discounts, and their bills; each begins on 1 April. */
export function discountsOf(customers: ReturnType<typeof testCustomersOn>) {
  const { advance, customer, done, plan, subscribe, use } = customers;
  const { invoicesOf } = feeLivesOn(customers);
  const clocks = new Map<string, string>();

  /** Moves the clock of a customer forward to a day. */
  async function go(id: string, day: string, options: object = {}): Promise<void> {
    clocks.set(id, day);
    await advance(id, at(day), options);
  }

  /** One event of the customer, when its clock stands there at the earliest. */
  async function units(id: string, n: number, day: string, event_name = 'call'): Promise<void> {
    if (day > clocks.get(id)!) await go(id, day);
    await use(id, [{ event_name, timestamp: at(day), properties: { n } }]);
  }

  async function aCustomer(parts: object = {}): Promise<string> {
    const id = await customer(parts, at('04-01'));
    clocks.set(id, '04-01');
    return id;
  }

  async function aLife(charges: object[], parts: object = {}, terms: object = {}) {
    const id = await aCustomer(parts);
    const subscription = await subscribe(id, await plan(charges, terms));
    return { id, subscription_id: subscription.id as string };
  }

  /** 10 percent off, unless `parts` says otherwise. */
  const discount = (customer_id: string, parts: object = {}): Promise<Json> =>
    done('/v1/discounts', { customer_id, name: 'Loyalty', percent: '10', ...parts });

  /** "usage 81.00 of 90.00": type and amount of each line, and its amount before percents. */
  const linesOf = ({ line_items }: Json): string =>
    line_items
      .map(({ type, amount, amount_before }: Json) => `${type} ${amount} of ${amount_before}`)
      .join(', ');

  /** The lines of the invoices of a customer that are not void, oldest first. */
  const billsOf = async (id: string): Promise<string[]> =>
    (await invoicesOf(id)).filter(({ status }) => status !== 'void').map(linesOf);

  return { aCustomer, aLife, billsOf, discount, go, linesOf, units };
}
