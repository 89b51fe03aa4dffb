import { type Decimal, ZERO, canonical, decimal, max, min } from './decimal.ts';
import { type Period, type Schedule, addDays, earliest, firstBillingPeriod, periodAt } from './period.ts';

/** A grant with what is left of it, in units; `expires_at` limits the time of the usage that it covers. */
export type Lot = {
  id: string;
  remaining: string;
  expires_at: string | null;
  rollover: boolean;
  created_at: string;
};

export type Draw = { grant_id: string; amount: string };

type Span = Pick<Period, 'period_start' | 'period_end'>;

/**
 * What one charge wants covered in a period: `creditable` units in all, and of them those that the events before each
 * expiry inside the period give (`expiriesWithin` names the expiries).
 */
export type CreditDemand = {
  lots: readonly Lot[];
  period: Span;
  creditable: string;
  creditable_before: ReadonlyMap<string, string>;
};

/** `lots` hold what is left, in the order of drawing: hand them to the next charge. */
export type CreditDrawn = { draws: Draw[]; applied: string; lots: Lot[] };

/**
 * Soonest to expire first, so that credit is lost as rarely as possible; ties by age and id, so that a rerun draws the
 * same grants (billing.md 4).
 */
export function drawOrder(lots: readonly Lot[]): Lot[] {
  return [...lots].sort(
    (a, b) =>
      compare(a.expires_at === null, b.expires_at === null) ||
      compare(a.expires_at ?? '', b.expires_at ?? '') ||
      compare(a.rollover, b.rollover) ||
      compare(a.created_at, b.created_at) ||
      compare(a.id, b.id),
  );
}

/**
 * Grant by grant, each takes what it has left, but no more than the usage before its own expiry, less what the grants
 * before it took (billing.md 4). Never above `creditable`, never below zero.
 */
export function drawCredit(demand: CreditDemand): CreditDrawn {
  const draws: Draw[] = [];
  const lots: Lot[] = [];
  let applied = ZERO;
  for (const lot of drawOrder(demand.lots)) {
    const remaining = decimal(lot.remaining);
    const amount = max(ZERO, min(remaining, coverable(lot, demand).minus(applied)));
    applied = applied.plus(amount);
    lots.push({ ...lot, remaining: canonical(remaining.minus(amount)) });
    if (amount.gt(ZERO)) draws.push({ grant_id: lot.id, amount: canonical(amount) });
  }
  return { draws, applied: canonical(applied), lots };
}

/** The instants strictly inside the period before which its usage must be known, rising, each once. */
export function expiriesWithin(lots: readonly Lot[], period: Span): string[] {
  const expiries = new Set<string>();
  for (const lot of lots) {
    const { expires_at } = lot;
    if (expires_at === null || !isUsable(lot, period)) continue;
    if (period.period_start < expires_at && expires_at < period.period_end) expiries.add(expires_at);
  }
  return [...expiries].sort();
}

/**
 * When a grant expires: after its days, and without rollover also at the end of the billing periods that run when it
 * is made. Null is not known yet (billing.md 4). `schedules` are those of the customer's live subscriptions.
 */
export function expiryOf(
  grant: { created_at: string; expires_in_days: number | null; rollover: boolean },
  schedules: readonly Schedule[],
): { expires_at: string | null; period_bound: string | null } {
  const { created_at, expires_in_days } = grant;
  const days_end = expires_in_days === null ? null : addDays(created_at, expires_in_days);
  const period_bound = grant.rollover ? null : periodBound(created_at, schedules);
  const expires_at = days_end && period_bound ? earliest(days_end, period_bound) : (days_end ?? period_bound);
  return { expires_at, period_bound };
}

/** U of billing.md 4: the creditable units that this grant and those before it may cover. */
function coverable(lot: Lot, { period, creditable, creditable_before }: CreditDemand): Decimal {
  const whole = decimal(creditable);
  const { expires_at } = lot;
  if (whole.lte(ZERO) || !isUsable(lot, period)) return ZERO;
  if (expires_at === null || expires_at >= period.period_end) return whole;
  if (expires_at <= period.period_start) return ZERO;
  const before = creditable_before.get(expires_at);
  if (before === undefined) throw new Error(`the usage before ${expires_at} is missing`);
  return min(decimal(before), whole);
}

/** A grant covers usage of periods that end after it was made, also what happened before it was. */
function isUsable(lot: Lot, period: Span): boolean {
  return lot.created_at < period.period_end && decimal(lot.remaining).gt(ZERO);
}

/** The latest end of the billing periods that run at `created_at`, else the end of the first one to start later. */
function periodBound(created_at: string, schedules: readonly Schedule[]): string | null {
  const running = schedules.map((schedule) => periodAt(schedule, created_at));
  const ends = running.flatMap((period) => (period?.kind === 'billing' ? [period.period_end] : []));
  if (ends.length > 0) return ends.sort().at(-1) ?? null;
  const coming = schedules.map(firstBillingPeriod);
  coming.sort((a, b) => compare(a.period_start, b.period_start) || compare(b.period_end, a.period_end));
  return coming[0]?.period_end ?? null;
}

function compare<T extends string | boolean>(a: T, b: T): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
