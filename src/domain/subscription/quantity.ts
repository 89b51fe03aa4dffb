import { isOfQuantity, type Charge } from '../pricing/charge.ts';
import type { UnusedTime } from './change-terms.ts';

/** The invoice of a higher quantity of a fee in advance: the one that closes the full period, or an opening at once. */
export const QUANTITY_BILLS = ['with_next', 'now'] as const;
export type QuantityBill = (typeof QUANTITY_BILLS)[number];

/** Quantities by the event names of their charges, canonical decimals. */
export type Quantities = Record<string, string>;

/**
 * A quantity of a subscription from an instant on; `at` is null for the one with which it begins. `settle` and `bill`
 * are the use of what was paid for a lower one, and the invoice of a higher one (billing.md 14).
 */
export type QuantityChange = {
  event_name: string;
  at: string | null;
  quantity: string;
  settle: UnusedTime;
  bill: QuantityBill;
  /** Its notes and openings are made. */
  is_settled: boolean;
};

/** The quantity of a name before any request. */
export const ONE = '1';

/** Whether a change of quantity holds at an instant, or has held before. */
export function hasCome({ at }: Pick<QuantityChange, 'at'>, instant: string): boolean {
  return at === null || at <= instant;
}

/** The quantity of a name at an instant; `changes` are in the order of time. */
export function quantityAt(changes: readonly QuantityChange[], event_name: string, instant: string): string {
  const last = changes.findLast((change) => change.event_name === event_name && hasCome(change, instant));
  return last?.quantity ?? ONE;
}

/** The quantity of a name right before an instant. */
export function quantityBefore(
  changes: readonly QuantityChange[],
  event_name: string,
  instant: string,
): string {
  const earlier = changes.filter(({ at }) => at === null || at < instant);
  return quantityAt(earlier, event_name, instant);
}

/** The names of the quantities that the charges of a plan have. */
export function quantityNames(charges: readonly Pick<Charge, 'event_name' | 'pricing'>[]): string[] {
  return charges.filter(isOfQuantity).map(({ event_name }) => event_name);
}
