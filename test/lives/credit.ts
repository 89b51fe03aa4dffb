import { isLess, minus, NOTHING, oracleCreditable, total, type Rational } from '../support/price-oracle.ts';
import { sumOf, type Use } from './giving.ts';
import { billingEndAt, firstBillingPeriod } from './periods.ts';
import { aggregate, decimalText, least, notBelowZero } from './usage.ts';
import type { Draw, Grant, Instant, Line, StoredEvent, Subscription, FullPeriod, World } from './world.ts';

/** The balance of each grant while an invoice is composed; issuing the invoice draws from the grants. */
export type Balances = Map<Grant, Rational>;

/** Everything that one line's credit depends on, except the balances of the grants (billing.md 4). */
export type Need = Use & {
  /** Grants in draw order. */
  grants: readonly Grant[];
  /** The events of all lines of the charge and period, including the new line. */
  union: readonly StoredEvent[];
  /** The other lines of the charge and period: issued ones, which drew, in that order, and lines of drafts. */
  issued: readonly Line[];
  drafted: readonly Line[];
};

/** Earliest expiry first, no expiry last; then without rollover before with; then oldest. */
export function inDrawOrder(grants: readonly Grant[]): Grant[] {
  return grants.toSorted((a, b) => {
    if (a.expires_at !== b.expires_at) {
      if (a.expires_at === null || b.expires_at === null) return a.expires_at === null ? 1 : -1;
      return a.expires_at < b.expires_at ? -1 : 1;
    }
    if (a.rollover !== b.rollover) return a.rollover ? 1 : -1;
    return 0;
  });
}

/** The units that credit can cover, of all events that the lines of the charge and period hold. */
export function creditable({ charge, union }: Need): Rational {
  return oracleCreditable(charge.pricing, decimalText(aggregate(charge, union)));
}

/**
 * Takeover: for each grant the whole negative sum of its standing draws, which later lines returned while the line that drew it is
 * void. It is not drawn anew.
 */
export function takenOver({ grants, issued }: Need): Draw[] {
  const drawn = drawsOf(issued);
  return grants
    .map((grant) => ({ grant, amount: minus(NOTHING, sumOf(drawn, [grant])) }))
    .filter(({ amount }) => isLess(NOTHING, amount));
}

/** Surplus credit, the last drawn first: before each expiry at most the coverable units stay drawn. A draft neither draws nor returns. */
export function givenBack(need: Need, taken_over: readonly Draw[]): Draw[] {
  const drawn = [...drawsOf(need.issued), ...taken_over];
  const given: Draw[] = [];
  for (const [place, grant] of need.grants.entries()) {
    if (sumOf(drawn, [grant]).n === 0n) continue;
    const upTo = need.grants.slice(0, place + 1);
    let excess = minus(sumOf([...drawn, ...given], upTo), coverableBy(grant, need));
    for (const { grant, amount } of standing([...drawn, ...given]).toReversed()) {
      if (!upTo.includes(grant) || !isLess(NOTHING, excess)) continue;
      const back = least(amount, excess);
      given.push({ grant, amount: minus(NOTHING, back) });
      excess = minus(excess, back);
    }
  }
  return given;
}

/** A voided grant gets no balance back: credit returned to it is void at once. */
export function apply(balances: Balances, draws: readonly Draw[]): void {
  for (const { grant, amount } of draws)
    if (!grant.is_voided) balances.set(grant, minus(balances.get(grant)!, amount));
}

/**
 * New credit for the line's own units beyond the takeover; none for units that other lines billed for money. Units whose credit the line
 * gives back are no longer covered.
 */
export function drawnAnew(
  need: Need,
  { taken_over, given_back, balances }: { taken_over: Draw[]; given_back: Draw[]; balances: Balances },
): Draw[] {
  const { grants, full_period } = need;
  const moved = total([...taken_over, ...given_back].map(({ amount }) => amount));
  let rest = notBelowZero(minus(ownCreditable(need), moved));
  const before = [...drawsOf(need.issued), ...shownByDrafts(need), ...taken_over, ...given_back];
  const taken: Draw[] = [];
  for (const grant of grants) {
    if (!isUsable(grant, full_period)) continue;
    const amount = least(balances.get(grant)!, rest, roomFor(grant, need, [...before, ...taken]));
    if (!isLess(NOTHING, amount)) continue;
    taken.push({ grant, amount });
    rest = minus(rest, amount);
  }
  return taken;
}

/** Draws that drafts show, which cover their own units. What they show as returned counts for nobody until they are issued. */
export function shownByDrafts({ drafted }: Need): Draw[] {
  return drawsOf(drafted).filter(({ amount }) => isLess(NOTHING, amount));
}

/** The new line's units that credit can cover: those of all lines, less the units that the other lines bill or cover. */
export function ownCreditable(need: Need): Rational {
  const others = [...need.issued, ...need.drafted];
  const billed = total(others.map(({ billable_quantity }) => billable_quantity));
  const covered = total(drawsOf(others).map(({ amount }) => amount));
  return minus(minus(creditable(need), billed), covered);
}

function drawsOf(lines: readonly Line[]): Draw[] {
  return lines.flatMap(({ draws }) => draws);
}

/** U(expires_at) of billing.md 4: the units that this grant and those before it can cover together. */
function coverableBy({ expires_at }: Grant, need: Need): Rational {
  if (expires_at === null) return creditable(need);
  const before = need.union.filter(({ timestamp }) => timestamp < expires_at);
  return least(creditable({ ...need, union: before }), creditable(need));
}

/**
 * The draws that still stand. A return cancels the last draws of its grant first; if it exceeds them, the next draw, a takeover,
 * makes up for the excess.
 */
function standing(draws: readonly Draw[]): Draw[] {
  const stack: Draw[] = [];
  const owed = new Map<Grant, Rational>();
  for (const { grant, amount } of draws) {
    let back = minus(owed.get(grant) ?? NOTHING, amount);
    for (const [place, draw] of [...stack.entries()].toReversed()) {
      if (draw.grant !== grant || !isLess(NOTHING, back)) continue;
      const less = least(draw.amount, back);
      stack[place] = { grant, amount: minus(draw.amount, less) };
      back = minus(back, less);
    }
    owed.set(grant, notBelowZero(back));
    if (isLess(back, NOTHING)) stack.push({ grant, amount: minus(NOTHING, back) });
  }
  return stack;
}

function isUsable({ created_at, expires_at, is_voided }: Grant, full_period: FullPeriod): boolean {
  return (
    !is_voided && created_at < full_period.end && (expires_at === null || full_period.start < expires_at)
  );
}

/** The amount that a grant may take so that neither this grant nor a later one already used here exceeds its coverable units. */
function roomFor(grant: Grant, need: Need, drawn: readonly Draw[]): Rational {
  const { grants } = need;
  const rooms = grants.flatMap((other, place) => {
    const counts = other === grant || (place > grants.indexOf(grant) && sumOf(drawn, [other]).n !== 0n);
    return counts ? [minus(coverableBy(other, need), sumOf(drawn, grants.slice(0, place + 1)))] : [];
  });
  return least(minus(creditable(need), total(drawn.map(({ amount }) => amount))), ...rooms);
}

/**
 * A grant without rollover also ends with the customer's billing periods that run when it is made, at the latest of their ends; if
 * none runs, with the first period that starts later. Does nothing if the expiry is final or cannot be known yet.
 */
export function settleExpiry(world: World, grant: Grant): void {
  if (grant.is_expiry_final) return;
  const end = periodEndFor(world.subscriptions, grant.created_at);
  if (end === null) return;
  grant.is_expiry_final = true;
  if (grant.expires_at === null || end < grant.expires_at) grant.expires_at = end;
}

function periodEndFor(subscriptions: readonly Subscription[], made_at: Instant): Instant | null {
  const running = subscriptions.flatMap((subscription) => billingEndAt(subscription, made_at) ?? []);
  if (running.length > 0) return running.toSorted().at(-1)!;
  const coming = subscriptions.flatMap((subscription) => firstBillingPeriod(subscription) ?? []);
  const later = coming.filter(({ start }) => made_at < start);
  return later.toSorted((a, b) => (a.start < b.start ? -1 : 1))[0]?.end ?? null;
}
