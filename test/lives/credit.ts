import { isLess, minus, NOTHING, oracleCreditable, total, type Rational } from '../support/price-oracle.ts';
import { sumOf, type Use } from './giving.ts';
import { billingPeriodAt, firstBillingPeriod } from './periods.ts';
import { aggregate, decimalText, least, notBelowZero } from './usage.ts';
import type { Draw, Grant, Instant, Line, StoredEvent, Subscription, FullPeriod, World } from './world.ts';

/** What each grant has left while an invoice is made; nothing is drawn until it is issued. */
export type Balances = Map<Grant, Rational>;

/** All that one line's credit depends on but what the grants have left (billing.md 4). */
export type Need = Use & {
  /** In the order of drawing. */
  grants: readonly Grant[];
  /** What all lines of the charge and period hold, the new one included. */
  union: readonly StoredEvent[];
  /** The other lines of the charge and period: those that drew, in that order, and those of drafts. */
  issued: readonly Line[];
  drafted: readonly Line[];
};

/** Earliest expiry first, none last; then without rollover before with; then the oldest. */
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

/** What credit can cover of all that the lines of the charge and period hold. */
export function creditable({ charge, union }: Need): Rational {
  return oracleCreditable(charge.pricing, decimalText(aggregate(charge, union)));
}

/** What other lines returned beyond what is drawn, since the line that drew it is void: the whole of it, without drawing it anew. */
export function takenOver({ grants, issued }: Need): Draw[] {
  const drawn = drawsOf(issued);
  return grants
    .map((grant) => ({ grant, amount: minus(NOTHING, sumOf(drawn, [grant])) }))
    .filter(({ amount }) => isLess(NOTHING, amount));
}

/**
 * Credit that the units held no longer need, the last drawn first: at most what is usable before each expiry stays. Nothing that
 * a draft returns already, and nothing that it shows as drawn, since it drew none.
 */
export function givenBack(need: Need, taken_over: readonly Draw[]): Draw[] {
  const returning = drawsOf(need.drafted).filter(({ amount }) => isLess(amount, NOTHING));
  const drawn = [...drawsOf(need.issued), ...returning, ...taken_over];
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

/** A voided grant gets nothing that could be drawn: what comes back to it is void at once. */
export function apply(balances: Balances, draws: readonly Draw[]): void {
  for (const { grant, amount } of draws)
    if (!grant.is_voided) balances.set(grant, minus(balances.get(grant)!, amount));
}

/** New credit for the units of the new line that what it took over leaves; none for what other lines billed for money. */
export function drawnAnew(
  need: Need,
  { taken_over, given_back, balances }: { taken_over: Draw[]; given_back: Draw[]; balances: Balances },
): Draw[] {
  const { grants, full_period } = need;
  let rest = notBelowZero(minus(ownCreditable(need), total(taken_over.map(({ amount }) => amount))));
  const before = [...drawsOf(need.issued), ...drawsOf(need.drafted), ...taken_over, ...given_back];
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

/** The units of the new line that credit can cover: those of all lines less those that the others bill or cover. */
export function ownCreditable(need: Need): Rational {
  const others = [...need.issued, ...need.drafted];
  const billed = total(others.map(({ billable_quantity }) => billable_quantity));
  const covered = total(drawsOf(others).map(({ amount }) => amount));
  return minus(minus(creditable(need), billed), covered);
}

function drawsOf(lines: readonly Line[]): Draw[] {
  return lines.flatMap(({ draws }) => draws);
}

/** U(expires_at) of billing.md 4: what there is for a grant and those before it. */
function coverableBy({ expires_at }: Grant, need: Need): Rational {
  if (expires_at === null) return creditable(need);
  const before = need.union.filter(({ timestamp }) => timestamp < expires_at);
  return least(creditable({ ...need, union: before }), creditable(need));
}

/** The draws that stand once what was returned is taken off, the last drawn first, and what was taken over has made up for the rest. */
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

/** What a grant may take so that neither it nor a later one that covers usage here already has too little left. */
function roomFor(grant: Grant, need: Need, drawn: readonly Draw[]): Rational {
  const { grants } = need;
  const rooms = grants.flatMap((other, place) => {
    const counts = other === grant || (place > grants.indexOf(grant) && sumOf(drawn, [other]).n !== 0n);
    return counts ? [minus(coverableBy(other, need), sumOf(drawn, grants.slice(0, place + 1)))] : [];
  });
  return least(minus(creditable(need), total(drawn.map(({ amount }) => amount))), ...rooms);
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
