import { eventually } from '../servers/eventually.ts';
import { CALLS, fee, feeLivesOn } from './fee-lives.ts';
import type { Json } from '../servers/api.ts';
import { at, times, type testCustomersOn } from './test-customer.ts';

/** Subscriptions that end in a period that is billed (billing.md 1), beside those of feeLivesOn. */
export function billedEndsOn(customers: ReturnType<typeof testCustomersOn>) {
  const { advance, done, use } = customers;
  const lives = feeLivesOn(customers);
  const { aLife, invoicesOf } = lives;
  const path = (id: string) => `/v1/subscriptions/${id}/cancel`;
  const end = (id: string, when: string, more: object = {}): Promise<Json> =>
    done(path(id), { at: when, ...more });
  const generate = (id: string, body: object = {}): Promise<Json> =>
    done('/v1/invoices/generate', { subscription_id: id, ...body });
  const clocks = new Map<string, string>();
  /** Calls on a day, to which the clock is advanced. */
  const calls = async (id: string, day: string, count: number, how: object = {}): Promise<void> => {
    if ((clocks.get(id) ?? '') < at(day)) {
      await advance(id, at(day), how);
      clocks.set(id, at(day));
    }
    await use(id, times(count, { event_name: 'call', timestamp: at(day) }));
  };
  const amounts = (notes: readonly Json[]): string[] => notes.map(({ subtotal }) => subtotal);
  const shown = ({ line_items }: Json): string[] =>
    line_items.map(({ type, quantity, amount }: Json) => `${type} ${quantity} ${amount}`);
  const lastOf = async (id: string): Promise<Json> => (await invoicesOf(id)).at(-1)!;

  /** Waits for the last invoice of an end whose days for late usage are over. */
  const untilLast = async (id: string): Promise<Json> => {
    const found = await eventually(
      () => invoicesOf(id),
      (all) => all.some(({ kind }) => kind === 'late'),
    );
    return found.find(({ kind }) => kind === 'late')!;
  };

  /** 30.00 in advance, units at 1.00: 3 on 10 and 4 on 25 April; it is 5 May. */
  async function figure(parts: object = {}) {
    const life = await aLife([fee('30.00'), CALLS], '04-01', parts);
    await calls(life.id, '04-10', 3);
    await calls(life.id, '04-25', 4);
    await advance(life.id, at('05-05'));
    return life;
  }

  return { ...lives, amounts, calls, end, figure, generate, lastOf, path, shown, untilLast };
}
