import { type Decimal, ZERO, canonical, decimal, max, min, sum } from '../money/decimal.ts';
import type { Period } from '../time/period.ts';

/** Terms of a grant: its place in the order of drawing, and the usage that it covers. */
export type GrantTerms = {
  id: string;
  /** Limits the time of the usage that it covers. */
  expires_at: string | null;
  rollover: boolean;
  created_at: string;
  /** The events whose charges it covers; null for all. */
  event_names: readonly string[] | null;
  /** The subscription that it covers alone; null for all of the customer. */
  subscription_id: string | null;
  /** The end of the full period after its own, of which it covers usage too; null where it covers none. */
  carry_over_until: string | null;
};

/**
 * A grant and its remaining units; `carry_over_left` are those that it may still cover of the full period after its
 * own, null without limit.
 */
export type GrantBalance = GrantTerms & { remaining: string; carry_over_left: string | null };

export type Draw = { grant_id: string; amount: string };

/** Units that a line of a full period returns to a grant. */
export type Return = Draw & { full_period_start: string };

/**
 * Credit from one grant on other lines of the same charge and period. Negative if these lines returned more than they
 * drew: the line that drew the rest is void, and the next line takes the amount over (billing.md 4).
 */
export type PreviousDraw = { grant: GrantTerms; amount: string };

type Span = Pick<Period, 'period_start' | 'period_end'>;

/**
 * Input of drawing credit for one line. `creditable`: units held by all lines of the charge and period.
 * `creditable_before`: units from events before each expiry inside the period (see `expiriesWithin`).
 * `others_creditable`: units of the other lines. `previous_draws`: credit on the other lines, in the order of drawing.
 * `provisional`: credit that other drafts show as drawn, which covers their own units; what they show as returned
 * counts for nobody.
 */
export type CreditDemand = {
  period: Span;
  /** The events of the charge. */
  event_name: string;
  creditable: string;
  creditable_before: ReadonlyMap<string, string>;
  others_creditable: string;
  previous_draws: readonly PreviousDraw[];
  provisional: string;
};

/**
 * `credit`: the line's credit, signed, in the order in which it stands: taken over, returned, drawn. It is not summed
 * by grant, because credit is returned in the reverse order. `applied`: the sum of `credit`. `covered`: credit of all
 * lines. `grants`: what remains for the next line, in the order of drawing.
 */
export type CreditDrawn = {
  credit: Draw[];
  draws: Draw[];
  returns: Draw[];
  applied: string;
  covered: string;
  grants: GrantBalance[];
};

/**
 * Order of drawing for usage of a period: earliest expiry first, so that as little credit as possible expires. Ties by
 * names, subscription, rollover, age and id, so that a rerun draws from the same grants (billing.md 4).
 */
export function drawOrder(grants: readonly GrantBalance[], period: Span): GrantBalance[] {
  return [...grants].sort((a, b) => compareGrants(termsIn(a, period), termsIn(b, period)));
}

/**
 * Credit of other lines that the units no longer need, a sum per grant; the last drawn is returned first (billing.md
 * 5).
 */
export function returnsOf(demand: CreditDemand): Draw[] {
  return standingCredit(demand).returns;
}

/** The grants with returned credit added. Credit of a grant that is not in `grants` is left out and cannot be drawn. */
export function withReturns(grants: readonly GrantBalance[], returns: readonly Return[]): GrantBalance[] {
  return grants.map((grant) =>
    returns
      .filter(({ grant_id }) => grant_id === grant.id)
      .reduce(
        (balance, { amount, full_period_start }) => withUnits(balance, decimal(amount), full_period_start),
        grant,
      ),
  );
}

/** The grant with units more or less, which usage of the full period of this start returns or draws. */
function withUnits(grant: GrantBalance, units: Decimal, full_period_start: string): GrantBalance {
  const { remaining, carry_over_left: carry_over } = grant;
  const limit =
    carry_over !== null && isCarried(grant, full_period_start)
      ? canonical(decimal(carry_over).plus(units))
      : carry_over;
  return { ...grant, remaining: canonical(decimal(remaining).plus(units)), carry_over_left: limit };
}

/** Whether the usage of the full period that begins then is that of one after the grant's own. */
function isCarried({ expires_at, carry_over_until }: GrantTerms, full_period_start: string): boolean {
  return carry_over_until !== null && expires_at !== null && expires_at <= full_period_start;
}

/** The terms for usage of a full period: of the one after its own, a grant covers what is before `carry_over_until`. */
function termsIn<Terms extends GrantTerms>(grant: Terms, { period_start }: Span): Terms {
  return isCarried(grant, period_start) ? { ...grant, expires_at: grant.carry_over_until } : grant;
}

/** The units that a grant has for usage of a full period. */
function unitsFor(grant: GrantBalance, { period_start }: Span): Decimal {
  const { remaining, carry_over_left: carry_over } = grant;
  return carry_over !== null && isCarried(grant, period_start)
    ? min(decimal(remaining), decimal(carry_over))
    : decimal(remaining);
}

/**
 * Draws credit for a line; `grants` already include what the line returns. First the line takes over what other lines
 * returned for a void line: that covers the line's own units without a new draw. Then each grant gives what remains, at
 * most the usage before its own expiry less what earlier grants gave, and in total at most the line's own units
 * (billing.md 4).
 */
export function drawCredit(demand: CreditDemand, grants: readonly GrantBalance[]): CreditDrawn {
  const { kept, taken_over, returns } = standingCredit(demand);
  const kept_sum = sum(kept.map(({ amount }) => amount));
  const provisional = min(decimal(demand.provisional), decimal(demand.creditable).minus(kept_sum));
  const moved = amountOf(taken_over).minus(amountOf(returns));
  let own_units = decimal(demand.creditable).minus(demand.others_creditable).minus(moved);
  const unused = decimal(demand.creditable).minus(kept_sum).minus(provisional);
  let drawn = ZERO;
  const draws: Draw[] = [];
  const grants_after: GrantBalance[] = [];
  const { period } = demand;
  for (const grant of drawOrder(grants, period)) {
    const room = covers(grant, demand) ? roomOf(termsIn(grant, period), kept, demand) : ZERO;
    const amount = max(ZERO, min(min(unitsFor(grant, period), own_units), min(room, unused).minus(drawn)));
    drawn = drawn.plus(amount);
    own_units = own_units.minus(amount);
    grants_after.push(withUnits(grant, ZERO.minus(amount), period.period_start));
    if (amount.gt(ZERO)) draws.push({ grant_id: grant.id, amount: canonical(amount) });
  }
  return {
    credit: [...taken_over, ...returns.map(negated), ...draws],
    draws,
    returns,
    applied: canonical(moved.plus(drawn)),
    covered: canonical(kept_sum.plus(drawn).plus(provisional)),
    grants: grants_after,
  };
}

type Kept = { grant: GrantTerms; amount: Decimal };

/**
 * Splits the credit of the other lines. `kept`: what the units still need, first drawn first; `returns`: the rest;
 * `taken_over`: everything that the other lines returned for a void line.
 */
function standingCredit(demand: CreditDemand): { kept: Kept[]; taken_over: Draw[]; returns: Draw[] } {
  const kept: Kept[] = [];
  const taken_over: Draw[] = [];
  const returns: Draw[] = [];
  for (const { grant: terms, amount } of demand.previous_draws) {
    const grant = termsIn(terms, demand.period);
    const drawn = decimal(amount);
    if (drawn.lt(ZERO)) {
      taken_over.push({ grant_id: grant.id, amount: canonical(drawn.times('-1')) });
      continue;
    }
    const needed = max(ZERO, min(drawn, roomOf(grant, kept, demand)));
    kept.push({ grant, amount: needed });
    if (needed.lt(drawn)) returns.push({ grant_id: grant.id, amount: canonical(drawn.minus(needed)) });
  }
  return { kept, taken_over, returns: sumsByGrant(returns) };
}

function sumsByGrant(draws: readonly Draw[]): Draw[] {
  const sums = new Map<string, Decimal>();
  for (const { grant_id, amount } of draws) sums.set(grant_id, (sums.get(grant_id) ?? ZERO).plus(amount));
  return [...sums].map(([grant_id, amount]) => ({ grant_id, amount: canonical(amount) }));
}

function negated({ grant_id, amount }: Draw): Draw {
  return { grant_id, amount: canonical(decimal(amount).times('-1')) };
}

function amountOf(draws: readonly Draw[]): Decimal {
  return sumOf(draws.map(({ amount }) => amount));
}

/**
 * Units that a grant may still cover. At each bound (the expiry of this grant, or of a later one that covers units) the
 * grants up to the bound cover at most the usage before it; all grants together cover at most all units.
 */
function roomOf(grant: GrantTerms, covered: readonly Kept[], demand: CreditDemand): Decimal {
  const used = covered.filter(({ amount }) => !amount.eq(ZERO));
  const later = used.map((entry) => entry.grant).filter((other) => compareGrants(other, grant) > 0);
  const rooms = [grant, ...later].map((bound) => {
    const upTo = used.filter((entry) => compareGrants(entry.grant, bound) <= 0);
    return coverable(bound, demand).minus(sum(upTo.map(({ amount }) => amount)));
  });
  const unused = decimal(demand.creditable).minus(sum(used.map(({ amount }) => amount)));
  return rooms.reduce(min, unused);
}

/**
 * Nets the draws, returns and takeovers of all lines, given in order, to the credit that stands, in the order of
 * drawing. A return reduces the last draws of its grant; a takeover reduces the returns. A negative result means that
 * lines returned more than the lines not void drew.
 */
export function standingDraws(entries: readonly PreviousDraw[]): PreviousDraw[] {
  const standing: Kept[] = [];
  for (const { grant, amount } of entries) {
    let rest = decimal(amount);
    for (const draw of standing.filter((entry) => entry.grant.id === grant.id).reverse()) {
      if (draw.amount.times(rest).gte(ZERO)) continue;
      const settled = min(absolute(draw.amount), absolute(rest)).times(rest.lt(ZERO) ? '-1' : '1');
      draw.amount = draw.amount.plus(settled);
      rest = rest.minus(settled);
    }
    if (!rest.eq(ZERO)) standing.push({ grant, amount: rest });
  }
  const open = standing.filter(({ amount }) => !amount.eq(ZERO));
  return open.map(({ grant, amount }) => ({ grant, amount: canonical(amount) }));
}

/** Expiries strictly inside the period, sorted and unique: the usage before each of them must be known. */
export function expiriesWithin(grants: readonly GrantTerms[], period: Span): string[] {
  const expiries = new Set<string>();
  for (const grant of grants) {
    const { expires_at } = termsIn(grant, period);
    if (expires_at === null || !isUsable(grant, period)) continue;
    if (period.period_start < expires_at && expires_at < period.period_end) expiries.add(expires_at);
  }
  return [...expiries].sort();
}

/** U of billing.md 4: the units that this grant and those before it may cover together. */
function coverable({ expires_at }: GrantTerms, demand: CreditDemand): Decimal {
  const { period, creditable, creditable_before } = demand;
  const whole = decimal(creditable);
  if (whole.lte(ZERO)) return ZERO;
  if (expires_at === null || expires_at >= period.period_end) return whole;
  if (expires_at <= period.period_start) return ZERO;
  const before = creditable_before.get(expires_at);
  if (before === undefined) throw new Error(`the usage before ${expires_at} is missing`);
  return min(decimal(before), whole);
}

/** Whether a line may draw from a grant. What was drawn stays, also where an end has moved back since. */
function covers(grant: GrantTerms, { period, event_name }: CreditDemand): boolean {
  return isUsable(grant, period) && (grant.event_names?.includes(event_name) ?? true);
}

/** A grant covers usage of periods that end after it was made, usage from before it was made included. */
function isUsable(grant: GrantTerms, period: Span): boolean {
  return grant.created_at < period.period_end;
}

function compareGrants(a: GrantTerms, b: GrantTerms): number {
  return (
    compare(a.expires_at === null, b.expires_at === null) ||
    compare(a.expires_at ?? '', b.expires_at ?? '') ||
    compare(a.event_names === null, b.event_names === null) ||
    compare(a.subscription_id === null, b.subscription_id === null) ||
    compare(a.rollover, b.rollover) ||
    compare(a.created_at, b.created_at) ||
    compare(a.id, b.id)
  );
}

function absolute(amount: Decimal): Decimal {
  return max(amount, amount.times('-1'));
}

function sumOf(amounts: readonly string[]): Decimal {
  return sum(amounts.map(decimal));
}

function compare<T extends string | boolean>(a: T, b: T): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
