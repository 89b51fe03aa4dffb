import type { TitledCharge } from '../lines/charge-title.ts';
import { type GrantBalance, type Return, withReturns } from '../credit/credit.ts';
import { ZERO, decimal } from '../money/decimal.ts';
import { isInAdvance } from './fee.ts';
import {
  type ComposedWithCredit,
  type InvoicedPeriod,
  type PeriodUsage,
  composeLate,
  composeOwn,
  returnsOfLine,
} from '../lines/line-item.ts';
import { usageKey } from '../pricing/series.ts';

/** The charges of each plan, by its id, with the titles that their lines have. */
export type TitledPlans = ReadonlyMap<string, readonly TitledCharge[]>;

/** A charge that may have a late line of a full period, and the credit that this line returns. */
export type LateCharge = { charge: TitledCharge; period: PeriodUsage; returns: Return[] };

/** Late lines that return their credit after the invoice's own lines, those that do not fit, and those that wait. */
export type Apart = { after_own: Set<LateCharge>; credited: Set<LateCharge>; waiting: Set<LateCharge> };

export type LateLine = ComposedWithCredit & { charge: LateCharge };

export type Lines = {
  own: ComposedWithCredit[];
  late: LateLine[];
  /** The first late line that says nothing although its credit was returned before all draws. */
  unmade: LateCharge | null;
};

/**
 * Composes all lines but items, without the late lines that wait. Credit is drawn in the order of the periods that
 * lines bill, so that it does not matter whether usage came late (billing.md 5).
 */
export function composeLines(
  { plans, own, grants }: { plans: TitledPlans; own: InvoicedPeriod | null; grants: readonly GrantBalance[] },
  late: readonly LateCharge[],
  apart: Apart,
): Lines {
  const own_charges = own === null ? [] : chargesOf(plans, own).filter((charge) => hasLine(charge, own));
  const made = late.filter((line) => !apart.waiting.has(line));
  const returns = [
    ...own_charges.flatMap((charge) => returnsOfLine(charge, own!)),
    ...made.filter((line) => !apart.after_own.has(line)).flatMap((line) => line.returns),
  ];
  const isFirst = (line: LateCharge) => !apart.after_own.has(line) && (own === null || isOlder(line, own));
  const first = composeLateLines(made.filter(isFirst), withReturns(grants, returns), apart);
  const of_own = composeOwnLines(own_charges, first.grants, own);
  const then = composeLateLines(
    made.filter((line) => !isFirst(line)),
    of_own.grants,
    apart,
  );
  const lines = new Map([...first.lines, ...then.lines].map((line) => [line.charge, line]));
  return {
    own: of_own.lines,
    late: late.flatMap((charge) => lines.get(charge) ?? []),
    unmade: first.unmade ?? then.unmade,
  };
}

function isOlder({ period: { full_period } }: LateCharge, own_period: InvoicedPeriod): boolean {
  return full_period.period_start < own_period.full_period.period_start;
}

function composeOwnLines(
  charges: readonly TitledCharge[],
  grants_before: readonly GrantBalance[],
  own_period: InvoicedPeriod | null,
): { lines: ComposedWithCredit[]; grants: readonly GrantBalance[] } {
  let grants = grants_before;
  const lines: ComposedWithCredit[] = [];
  for (const charge of charges) {
    const composed = composeOwn(charge, grants, own_period!);
    if (isRepetition(charge, composed, own_period!)) continue;
    lines.push(composed);
    grants = composed.grants;
  }
  return { lines, grants };
}

/**
 * Composes late lines in order, up to the first one that says nothing although its credit was returned before all
 * draws.
 */
function composeLateLines(
  late: readonly LateCharge[],
  grants_before: readonly GrantBalance[],
  { after_own }: Apart,
): Pick<Lines, 'unmade'> & { lines: LateLine[]; grants: readonly GrantBalance[] } {
  let grants = grants_before;
  const lines: LateLine[] = [];
  for (const line of late) {
    const { charge, period, returns } = line;
    const returns_here = after_own.has(line);
    const composed = composeLate(charge, returns_here ? withReturns(grants, returns) : grants, period);
    const is_nothing = composed.line.quantity === '0' && decimal(composed.line.amount).eq(ZERO);
    if (is_nothing && !returns_here && returns.length > 0) return { lines, grants, unmade: line };
    if (is_nothing) continue;
    lines.push({ ...composed, charge: line });
    grants = composed.grants;
  }
  return { lines, grants, unmade: null };
}

/**
 * A charge has a line in every period, but for a fee in advance; its prices and groups only where they have events,
 * skipped ones included.
 */
function hasLine(charge: TitledCharge, { usage }: PeriodUsage): boolean {
  const { id, price, group_by, series } = charge;
  return !isInAdvance(charge) && ((price === null && group_by === null) || usage.has(usageKey(id, series)));
}

/** A line of a price or group that adds nothing to the lines of earlier parts of the period. */
function isRepetition(
  charge: TitledCharge,
  { line, credit }: ComposedWithCredit,
  own_period: PeriodUsage,
): boolean {
  const { id, price, group_by, series } = charge;
  if (price === null && group_by === null) return false;
  const is_first = own_period.usage.get(usageKey(id, series))!.others.length === 0;
  const is_zero = line.quantity === '0' && decimal(line.amount).eq(ZERO) && line.skipped_events === 0;
  return !is_first && is_zero && credit.length === 0;
}

function chargesOf(plans: TitledPlans, { full_period: { plan_id } }: PeriodUsage): readonly TitledCharge[] {
  return plans.get(plan_id) ?? [];
}

/** The charges of full periods that were billed before and whose usage was counted. */
export function lateCharges({
  plans,
  late,
}: {
  plans: TitledPlans;
  late: readonly PeriodUsage[];
}): LateCharge[] {
  return late.flatMap((period) =>
    chargesOf(plans, period)
      .filter(({ id, series }) => period.usage.has(usageKey(id, series)))
      .map((charge) => ({ charge, period, returns: returnsOfLine(charge, period) })),
  );
}
