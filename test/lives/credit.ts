import { isLess, minus, NOTHING, oracleCreditable, total, type Rational } from '../support/price-oracle.ts';
import { billingPeriodAt, firstBillingPeriod } from './periods.ts';
import { aggregate, decimalText, notBelowZero } from './usage.ts';
import type { Charge, Draw, Grant, Instant, Line, StoredEvent, Subscription, Whole, World } from './world.ts';

/** What each grant has left while an invoice is made; nothing is drawn until it is issued. */
export type Balances = Map<Grant, Rational>;

/** All that one line's credit depends on (billing.md 4). */
export type Need = {
  charge: Charge;
  whole: Whole;
  /** What all lines of the charge and period hold, the new one included. */
  union: readonly StoredEvent[];
  others: readonly Line[];
};

export function creditable({ pricing }: Charge, quantity: Rational): Rational {
  return oracleCreditable(pricing, decimalText(quantity));
}

/** Earliest expiry first, none last; then without rollover before with; then the oldest. */
function inDrawOrder(grants: Iterable<Grant>): Grant[] {
  return [...grants].toSorted((a, b) => {
    if (a.expires_at !== b.expires_at) {
      if (a.expires_at === null || b.expires_at === null) return a.expires_at === null ? 1 : -1;
      return a.expires_at < b.expires_at ? -1 : 1;
    }
    if (a.rollover !== b.rollover) return a.rollover ? 1 : -1;
    return 0;
  });
}

/**
 * What the new line draws and, where the others together took more than the usage now allows, what it gives back. The balances
 * are changed accordingly.
 */
export function coverage(balances: Balances, need: Need): Draw[] {
  const grants = inDrawOrder(balances.keys());
  const drawn: Draw[] = need.others.flatMap(({ draws }) => draws);
  const given = givenBack(grants, drawn, need);
  const taken = drawnAnew(grants, balances, { ...need, drawn: [...drawn, ...given] });
  for (const { grant, amount } of [...given, ...taken])
    if (!grant.is_voided) balances.set(grant, minus(balances.get(grant)!, amount));
  return [...given, ...taken];
}

function sumOf(draws: readonly Draw[], grants: readonly Grant[]): Rational {
  return total(draws.filter(({ grant }) => grants.includes(grant)).map(({ amount }) => amount));
}

/** U(expires_at) of billing.md 4: what there is for a grant and those before it. */
function coverableBy(grant: Grant, { charge, union }: Need): Rational {
  const { expires_at } = grant;
  const limit = creditable(charge, aggregate(charge, union));
  if (expires_at === null) return limit;
  const before = union.filter(({ timestamp }) => timestamp < expires_at);
  const usable = creditable(charge, aggregate(charge, before));
  return isLess(usable, limit) ? usable : limit;
}

function givenBack(grants: readonly Grant[], drawn: readonly Draw[], need: Need): Draw[] {
  const given: Draw[] = [];
  for (const [place, grant] of grants.entries()) {
    if (sumOf(drawn, [grant]).n === 0n) continue;
    const upTo = grants.slice(0, place + 1);
    let excess = minus(sumOf([...drawn, ...given], upTo), coverableBy(grant, need));
    for (const { grant: lot, amount } of standing([...drawn, ...given]).toReversed()) {
      if (!upTo.includes(lot) || !isLess(NOTHING, excess)) continue;
      const back = isLess(amount, excess) ? amount : excess;
      given.push({ grant: lot, amount: minus(NOTHING, back) });
      excess = minus(excess, back);
    }
  }
  return given;
}

/** The draws that stand once what was given back is taken off, the last drawn first. */
function standing(draws: readonly Draw[]): Draw[] {
  const stack: Draw[] = [];
  for (const { grant, amount } of draws) {
    if (!isLess(amount, NOTHING)) {
      stack.push({ grant, amount });
      continue;
    }
    let back = minus(NOTHING, amount);
    for (const draw of stack.toReversed()) {
      if (draw.grant !== grant || !isLess(NOTHING, back)) continue;
      const less = isLess(draw.amount, back) ? draw.amount : back;
      stack[stack.indexOf(draw)] = { grant, amount: minus(draw.amount, less) };
      back = minus(back, less);
    }
  }
  return stack;
}

function drawnAnew(
  grants: readonly Grant[],
  balances: Balances,
  need: Need & { drawn: readonly Draw[] },
): Draw[] {
  const { charge, whole, union, others } = need;
  const billed = total(others.map(({ quantity }) => quantity));
  let own = notBelowZero(minus(creditable(charge, aggregate(charge, union)), creditable(charge, billed)));
  const taken: Draw[] = [];
  for (const grant of grants) {
    if (!isUsable(grant, whole)) continue;
    const room = roomFor(grant, grants, { ...need, drawn: [...need.drawn, ...taken] });
    const amount = [balances.get(grant)!, own, room].reduce((a, b) => (isLess(a, b) ? a : b));
    if (!isLess(NOTHING, amount)) continue;
    taken.push({ grant, amount });
    own = minus(own, amount);
  }
  return taken;
}

function isUsable({ created_at, expires_at, is_voided }: Grant, whole: Whole): boolean {
  return !is_voided && created_at < whole.end && (expires_at === null || whole.start < expires_at);
}

/** What a grant may take so that neither it nor a later one that covers usage here already has too little left. */
function roomFor(grant: Grant, grants: readonly Grant[], need: Need & { drawn: readonly Draw[] }): Rational {
  const { charge, union, drawn } = need;
  const rooms = grants.flatMap((other, place) => {
    const counts = other === grant || (place > grants.indexOf(grant) && sumOf(drawn, [other]).n !== 0n);
    return counts ? [minus(coverableBy(other, need), sumOf(drawn, grants.slice(0, place + 1)))] : [];
  });
  const limit = creditable(charge, aggregate(charge, union));
  rooms.push(minus(limit, total(drawn.map(({ amount }) => amount))));
  return rooms.reduce((a, b) => (isLess(a, b) ? a : b));
}

/**
 * Without rollover a grant ends with the billing periods that run when it is made, the latest of them, or where none runs with the
 * first that starts later. Does nothing where that is known already, or is not to be known yet.
 */
export function settleExpiry(world: World, grant: Grant): void {
  if (grant.is_expiry_final) return;
  const end = periodEndFor(world.subscriptions, grant.created_at);
  if (end === null) return;
  grant.is_expiry_final = true;
  if (grant.expires_at === null || end < grant.expires_at) grant.expires_at = end;
}

function periodEndFor(subscriptions: readonly Subscription[], made_at: Instant): Instant | null {
  const running = subscriptions.flatMap((subscription) => billingPeriodAt(subscription, made_at)?.end ?? []);
  if (running.length > 0) return running.toSorted().at(-1)!;
  const coming = subscriptions.flatMap((subscription) => firstBillingPeriod(subscription) ?? []);
  const later = coming.filter(({ start }) => made_at < start);
  return later.toSorted((a, b) => (a.start < b.start ? -1 : 1))[0]?.end ?? null;
}
