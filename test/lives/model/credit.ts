import {
  isLess,
  minus,
  NOTHING,
  oracleCreditable,
  total,
  type Rational,
} from '../../support/oracles/price-oracle.ts';
import { expiryFor, isCarriedTo } from './expiries.ts';
import { carriedBy, remainingOf, sumOf, type Use } from './giving.ts';
import { byAge } from './grants.ts';
import { aggregate, decimalText, least, notBelowZero } from './usage.ts';
import type { Draw, Grant, Line, StoredEvent, FullPeriod, World } from './world.ts';

/**
 * The balance of each grant while an invoice is composed, and what may still be carried over of those with such a limit; issuing the invoice
 * draws from the grants.
 */
export type Balances = { left: Map<Grant, Rational>; carried: Map<Grant, Rational> };

/** The balances before an invoice is composed. */
export function balancesOf(world: World): Balances {
  const carried = world.grants.flatMap((grant): [Grant, Rational][] =>
    grant.carry_over_max === null ? [] : [[grant, minus(grant.carry_over_max, carriedBy(world, grant))]],
  );
  return {
    left: new Map(world.grants.map((grant) => [grant, remainingOf(world, grant)])),
    carried: new Map(carried),
  };
}

/** Balances to try something on. */
export function copyOf({ left, carried }: Balances): Balances {
  return { left: new Map(left), carried: new Map(carried) };
}

/** The amount that a grant has for usage of a period. */
function availableFor({ left, carried }: Balances, grant: Grant, full_period: FullPeriod): Rational {
  const remaining = left.get(grant)!;
  return isCarriedTo(grant, full_period) ? least(remaining, carried.get(grant)!) : remaining;
}

/** Everything that one line's credit depends on, except the balances of the grants (billing.md 4). */
export type Need = Use & {
  /** The grants that cover the charge, in draw order. */
  grants: readonly Grant[];
  /** The events of all lines of the charge and period, including the new line. */
  union: readonly StoredEvent[];
  /** The other lines of the charge and period: issued ones, which drew, in that order, and lines of drafts. */
  issued: readonly Line[];
  drafted: readonly Line[];
};

/**
 * The order of grants for usage of a period: earliest expiry first, no expiry last; then those with event names, then those of a
 * subscription, then without rollover before with; then oldest.
 */
export function inDrawOrder(grants: readonly Grant[], full_period: FullPeriod): Grant[] {
  return byAge(grants).toSorted((a, b) => {
    const [one, other] = [expiryFor(a, full_period), expiryFor(b, full_period)];
    if (one !== other) {
      if (one === null || other === null) return one === null ? 1 : -1;
      return one < other ? -1 : 1;
    }
    return rankOf(a).localeCompare(rankOf(b));
  });
}

/** A text that compares like the order of grants of equal expiry. */
function rankOf({ event_names, subscription, rollover }: Grant): string {
  const later = [event_names === null, subscription === null, rollover];
  return later.map((is_later) => (is_later ? '1' : '0')).join('');
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
export function apply({ left, carried }: Balances, { full_period }: Use, draws: readonly Draw[]): void {
  for (const { grant, amount } of draws) {
    if (grant.is_voided) continue;
    left.set(grant, minus(left.get(grant)!, amount));
    if (isCarriedTo(grant, full_period)) carried.set(grant, minus(carried.get(grant)!, amount));
  }
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
    const amount = least(
      availableFor(balances, grant, full_period),
      rest,
      roomFor(grant, need, [...before, ...taken]),
    );
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
function coverableBy(grant: Grant, need: Need): Rational {
  const expires_at = expiryFor(grant, need.full_period);
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

function isUsable(grant: Grant, full_period: FullPeriod): boolean {
  const { created_at, is_voided } = grant;
  const expires_at = expiryFor(grant, full_period);
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
