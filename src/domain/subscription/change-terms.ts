import { invalid } from '../money/errors.ts';

/**
 * The use of what was paid for unused time: to the balance, paid back outside of this system, or none: the fee is kept
 * (billing.md 10).
 */
export const UNUSED_TIME = ['balance', 'outside', 'none'] as const;
export type UnusedTime = (typeof UNUSED_TIME)[number];

/** The way in which fees in advance pass from one plan to the next inside a period (billing.md 10). */
export const PRORATIONS = ['exact', 'none', 'full'] as const;
export type Proration = (typeof PRORATIONS)[number];

/** Whether a change to a plan of the same interval keeps the boundaries, or is the new anchor (billing.md 1). */
export const CYCLES = ['keep', 'restart'] as const;
export type Cycle = (typeof CYCLES)[number];

/** All that a change of plan says besides the plan and the time. */
export type ChangeTerms = { settle: UnusedTime; proration: Proration; cycle: Cycle };

/** The terms of a change that says nothing more. */
export const USUAL_TERMS: ChangeTerms = { settle: 'balance', proration: 'exact', cycle: 'keep' };

/** The terms of a change as they were sent; `settle` is undefined where it was not. */
export type AskedTerms = Omit<ChangeTerms, 'settle'> & { settle?: UnusedTime | undefined };

/** The terms of a change. Throws invalid_request `not_allowed` for what `none` leaves nothing to say about. */
export function changeTerms({ settle, proration, cycle }: AskedTerms): ChangeTerms {
  if (proration === 'none' && settle !== undefined)
    throw invalid('settle', 'not_allowed', 'settle must be left out: with proration none no fee ends');
  if (proration === 'none' && cycle === 'restart')
    throw invalid('cycle', 'not_allowed', 'cycle must be keep: with proration none fees run to the boundary');
  return { settle: settle ?? 'balance', proration, cycle };
}
