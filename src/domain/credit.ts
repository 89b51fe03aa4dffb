import { type Decimal, ZERO, canonical, decimal, max, min, sum } from './decimal.ts';
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

/** How grants are told apart in the order of drawing, and what usage each covers. */
export type GrantTerms = Omit<Lot, 'remaining'>;

/** Credit that lines of the same charge and period have drawn already. */
export type PastDraw = { grant: GrantTerms; amount: string };

type Span = Pick<Period, 'period_start' | 'period_end'>;

/**
 * What one line wants covered. `creditable` units are held by all lines of its charge and period together, and of them
 * `creditable_before` those that the events before each expiry inside the period give (`expiriesWithin` names the expiries).
 * `others_creditable` are the units of the other lines, `past` what these drew, in the order of drawing.
 */
export type CreditDemand = {
  lots: readonly Lot[];
  period: Span;
  creditable: string;
  creditable_before: ReadonlyMap<string, string>;
  others_creditable: string;
  past: readonly PastDraw[];
};

/**
 * `returns` is what lines drew earlier and need no more; `applied` is drawn less returned, `covered` what all lines have now.
 * `lots` hold what is left, in the order of drawing: hand them to the next line.
 */
export type CreditDrawn = {
  draws: Draw[];
  returns: Draw[];
  applied: string;
  covered: string;
  lots: Lot[];
};

/**
 * Soonest to expire first, so that credit is lost as rarely as possible; ties by age and id, so that a rerun draws the
 * same grants (billing.md 4).
 */
export function drawOrder(lots: readonly Lot[]): Lot[] {
  return [...lots].sort(compareGrants);
}

/**
 * Grant by grant, each takes what it has left, but no more than the usage before its own expiry, less what the grants before it
 * took, and in all no more than the line's own units (billing.md 4). Where the units shrank, credit drawn beyond what they now
 * need returns first, the last drawn first (billing.md 5).
 */
export function drawCredit(demand: CreditDemand): CreditDrawn {
  const { kept, returns } = keepDraws(demand);
  const returned = new Map(returns.map(({ grant_id, amount }) => [grant_id, amount]));
  const past = sumOf(demand.past.map(({ amount }) => amount));
  let own = decimal(demand.creditable)
    .minus(demand.others_creditable)
    .plus(past)
    .minus(sum(kept.map(({ amount }) => amount)));
  let applied = ZERO;
  const draws: Draw[] = [];
  const lots: Lot[] = [];
  for (const lot of drawOrder(demand.lots)) {
    const remaining = decimal(lot.remaining).plus(returned.get(lot.id) ?? '0');
    const amount = max(ZERO, min(min(remaining, own), roomOf(lot, kept, demand).minus(applied)));
    applied = applied.plus(amount);
    own = own.minus(amount);
    lots.push({ ...lot, remaining: canonical(remaining.minus(amount)) });
    if (amount.gt(ZERO)) draws.push({ grant_id: lot.id, amount: canonical(amount) });
  }
  const covered = sum(kept.map(({ amount }) => amount)).plus(applied);
  return {
    draws,
    returns,
    applied: canonical(covered.minus(past)),
    covered: canonical(covered),
    lots,
  };
}

type Kept = { grant: GrantTerms; amount: Decimal };

/** Of the earlier draws those that the units still need, the first drawn first; the rest returns, a sum for each grant. */
function keepDraws(demand: CreditDemand): { kept: Kept[]; returns: Draw[] } {
  const kept: Kept[] = [];
  const returned = new Map<string, Decimal>();
  for (const { grant, amount } of demand.past) {
    const drawn = decimal(amount);
    const needed = drawn.lt(ZERO) ? drawn : max(ZERO, min(drawn, roomOf(grant, kept, demand)));
    kept.push({ grant, amount: needed });
    returned.set(grant.id, (returned.get(grant.id) ?? ZERO).plus(drawn.minus(needed)));
  }
  const returns = [...returned].filter(([, amount]) => amount.gt(ZERO));
  return { kept, returns: returns.map(([grant_id, amount]) => ({ grant_id, amount: canonical(amount) })) };
}

/**
 * How much more a grant may cover beside what is covered: at each expiry, its own or a later one that covers something, the
 * grants up to there cover no more than the usage before it, and all together no more than there is.
 */
function roomOf(grant: GrantTerms, covered: readonly Kept[], demand: CreditDemand): Decimal {
  const used = covered.filter(({ amount }) => !amount.eq(ZERO));
  const later = used.map((kept) => kept.grant).filter((other) => compareGrants(other, grant) > 0);
  const rooms = [grant, ...later].map((bound) => {
    const upTo = used.filter((kept) => compareGrants(kept.grant, bound) <= 0);
    return coverable(bound, demand).minus(sum(upTo.map(({ amount }) => amount)));
  });
  const unused = decimal(demand.creditable).minus(sum(used.map(({ amount }) => amount)));
  return rooms.reduce(min, unused);
}

/**
 * What is drawn at present, in the order of drawing, from the entries of a ledger: what was returned is taken from the last draws
 * of its grant. More may have returned than was drawn, where the line that had drawn it is void: that stands as a negative draw,
 * which the next line makes up for. Amounts are signed as in the ledger, draws negative.
 */
export function outstandingDraws(entries: readonly PastDraw[]): PastDraw[] {
  const draws: Kept[] = [];
  for (const { grant, amount } of entries) {
    let returned = decimal(amount);
    if (returned.lt(ZERO)) draws.push({ grant, amount: returned.times('-1') });
    for (const draw of draws.filter((entry) => entry.grant.id === grant.id).reverse()) {
      const taken = max(ZERO, min(returned, draw.amount));
      draw.amount = draw.amount.minus(taken);
      returned = returned.minus(taken);
    }
    if (returned.gt(ZERO)) draws.push({ grant, amount: returned.times('-1') });
  }
  const open = draws.filter(({ amount }) => !amount.eq(ZERO));
  return open.map(({ grant, amount }) => ({ grant, amount: canonical(amount) }));
}

/** The instants strictly inside the period before which its usage must be known, rising, each once. */
export function expiriesWithin(grants: readonly GrantTerms[], period: Span): string[] {
  const expiries = new Set<string>();
  for (const grant of grants) {
    const { expires_at } = grant;
    if (expires_at === null || !isUsable(grant, period)) continue;
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
function coverable(grant: GrantTerms, { period, creditable, creditable_before }: CreditDemand): Decimal {
  const whole = decimal(creditable);
  const { expires_at } = grant;
  if (whole.lte(ZERO) || !isUsable(grant, period)) return ZERO;
  if (expires_at === null || expires_at >= period.period_end) return whole;
  if (expires_at <= period.period_start) return ZERO;
  const before = creditable_before.get(expires_at);
  if (before === undefined) throw new Error(`the usage before ${expires_at} is missing`);
  return min(decimal(before), whole);
}

/** A grant covers usage of periods that end after it was made, also what happened before it was. */
function isUsable(grant: GrantTerms, period: Span): boolean {
  return grant.created_at < period.period_end;
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

function compareGrants(a: GrantTerms, b: GrantTerms): number {
  return (
    compare(a.expires_at === null, b.expires_at === null) ||
    compare(a.expires_at ?? '', b.expires_at ?? '') ||
    compare(a.rollover, b.rollover) ||
    compare(a.created_at, b.created_at) ||
    compare(a.id, b.id)
  );
}

function sumOf(amounts: readonly string[]): Decimal {
  return sum(amounts.map(decimal));
}

function compare<T extends string | boolean>(a: T, b: T): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
