import { minus, rational, total } from '../../support/oracles/price-oracle.ts';
import {
  apply,
  creditable,
  drawnAnew,
  shownByDrafts,
  givenBack,
  inDrawOrder,
  takenOver,
  type Balances,
  type Need,
} from './credit.ts';
import { billedBefore, billedBy, billedTo, issuedInvoices, linesOf, type Use } from './giving.ts';
import { covers } from './grants.ts';
import { percentsOf, type Discount } from './percents.ts';
import { lateUntil } from './periods.ts';
import { beforePercents, inMinorUnits, NO_PRICE, notNegative, priceOf } from './prices.ts';
import { aggregate, countSkipped, least, wants } from './usage.ts';
import type {
  Charge,
  Draw,
  Invoice,
  Item,
  Line,
  Part,
  Plan,
  Span,
  StoredEvent,
  FullPeriod,
  World,
} from './world.ts';

/** Sum of the lines' amounts in minor units. */
export function totalOf(lines: readonly Line[]): bigint {
  return lines.reduce((sum, { amount }) => sum + amount, 0n);
}

/** A usage line before its new draws, which depend on what the lines before it leave. */
export type Claim = {
  type: 'usage' | 'late_usage';
  period: Span;
  /** Every event within the line's spans. */
  own: readonly StoredEvent[];
  need: Need;
  discounts: readonly Discount[];
  taken_over: Draw[];
  given_back: Draw[];
};

type Asked = { invoice: Invoice; charge: Charge };

/** The claim of a part: its full period up to the part's end, except earlier parts whose invoice is void, which wait for `generate`. */
export function ownClaim(world: World, { invoice, charge, part }: Asked & { part: Part }): Claim {
  const { full_period } = part;
  const left_out = full_period.parts
    .filter(({ end }) => end <= part.start)
    .filter((earlier) => isVoid(world, earlier));
  const isBilled = ({ timestamp }: StoredEvent) =>
    isWithin({ start: full_period.start, end: part.end }, timestamp) &&
    !left_out.some((earlier) => isWithin(earlier, timestamp));
  return claimOver(world, { type: 'usage', invoice, charge, full_period, period: part, isBilled });
}

/** Late usage of a period that other invoices bill in full; while a part waits for `generate`, only what an end takes off the others. */
export function lateClaim(
  world: World,
  { invoice, charge, full_period }: Asked & { full_period: FullPeriod },
): Claim {
  const until = lateUntil(full_period.end);
  const is_waiting = full_period.parts.some((part) => isVoid(world, part));
  const isBilled = ({ timestamp, stored_at }: StoredEvent) =>
    !is_waiting && isWithin(full_period, timestamp) && stored_at < until;
  return claimOver(world, {
    type: 'late_usage',
    invoice,
    charge,
    full_period,
    period: { start: full_period.start, end: billedTo(world, full_period) },
    isBilled,
  });
}

/** The line of an item, which counts no usage. */
export function itemLine(item: Item, { period: { start, end } }: Invoice): Line {
  const { quantity, amount } = item;
  return {
    ...{ type: 'item', charge: NO_CHARGE, full_period: NO_PERIOD, period: { start, end }, item },
    ...{ quantity, billable_quantity: quantity, skipped_events: 0 },
    ...{ draws: [], tiers: null, held: new Set() },
    ...{ discounts: [], amount_before: null },
    ...{ stretches: null, billed_before: null },
    amount,
  };
}

/** The line of the part of an item that fits. */
export function pieceOf(item: Item, invoice: Invoice, amount: bigint): Line {
  const one = rational('1');
  return { ...itemLine(item, invoice), quantity: one, billable_quantity: one, amount };
}

/** The charge of a line without one. */
export const NO_CHARGE: Charge = {
  event_name: '',
  aggregation: { type: 'count' },
  filters: null,
  pricing: { pricing_model: 'flat', flat_amount: '0' },
};
const NO_PLAN: Plan = { interval: 'day', interval_count: 1, charges: [], grants: [], minimum_amount: null };
const NO_PERIOD: FullPeriod = {
  ...{ start: '', end: '', parts: [] },
  plan: NO_PLAN,
  interval: { start: '', end: '' },
  fee_interval: null,
  settle: 'balance',
  ran_to: null,
};

function isWithin({ start, end }: Span, instant: string): boolean {
  return start <= instant && instant < end;
}

/** Whether a part has invoices and all of them are void. */
export function isVoid({ invoices }: World, part: Part): boolean {
  const made = invoices.filter(({ period }) => period === part);
  return made.length > 0 && made.every(({ status }) => status === 'void');
}

type Region = Asked & {
  full_period: FullPeriod;
  period: Span;
  type: Claim['type'];
  isBilled: (event: StoredEvent) => boolean;
};

/**
 * The one rule: rates the events of all lines of the charge and period together; the new line gets the events, stored by its count, that no
 * other line holds.
 */
function claimOver(world: World, { invoice, charge, full_period, period, type, isBilled }: Region): Claim {
  const { issued, drafted } = otherLines(world, invoice, { charge, full_period });
  const taken = new Set([...issued, ...drafted].flatMap(({ held }) => [...held]));
  const stored = world.events.slice(0, invoice.counted);
  const own = stored.filter((event) => wants(charge, event) && isBilled(event) && !taken.has(event));
  const held = new Set(own);
  // In storing order, which decides ties. An end in a period that is billed takes off what comes after it.
  const union = world.events.filter(
    (event) => (taken.has(event) || held.has(event)) && event.timestamp < full_period.end,
  );
  const covering = world.grants.filter((grant) => covers(grant, charge, invoice.subscription));
  const grants = inDrawOrder(covering, full_period);
  const need = { charge, full_period, grants, union, issued, drafted };
  const taken_over = takenOver(need);
  const given_back = givenBack(need, taken_over);
  const { start, end } = period;
  const discounts = percentsOf(world, invoice.subscription, { charge, full_period });
  return { type, period: { start, end }, own, need, discounts, taken_over, given_back };
}

/** Lines of all other invoices that are not void. */
function otherLines(world: World, invoice: Invoice, use: Use): Pick<Need, 'issued' | 'drafted'> {
  const drafts = world.invoices.filter((other) => other !== invoice && other.status === 'draft');
  const issued = issuedInvoices(world).filter((other) => other !== invoice);
  return { issued: linesOf(issued, use), drafted: linesOf(drafts, use) };
}

/** Makes the line: the difference between the rate of all events and the other lines. Draws from `balances`, which it changes. */
export function lineFor(world: World, claim: Claim, balances: Balances): Line {
  const { type, period, own, need, discounts, taken_over, given_back } = claim;
  const { charge, full_period, union } = need;
  const others = [...need.issued, ...need.drafted];
  const drawn = drawnAnew(need, { taken_over, given_back, balances });
  apply(balances, need, drawn);
  const draws = [...taken_over, ...given_back, ...drawn];
  const drawn_before = [...need.issued.flatMap((line) => line.draws), ...shownByDrafts(need)];
  const credit = total([...drawn_before, ...draws].map(({ amount }) => amount));
  // A draft may still show credit for units that have since been corrected away.
  const usage = { quantity: aggregate(charge, union), credit: least(credit, creditable(need)) };
  const is_left_out = full_period.start === full_period.end;
  const price = is_left_out ? NO_PRICE : priceOf(charge, usage, world);
  const before = inMinorUnits(world, price, []) - billedBefore(world, others);
  return {
    ...{ type, charge, full_period, period, draws, item: null },
    held: new Set(own),
    skipped_events: countSkipped(charge, own),
    quantity: minus(usage.quantity, total(others.map((line) => line.quantity))),
    billable_quantity: minus(price.billable_quantity, total(others.map((line) => line.billable_quantity))),
    amount: inMinorUnits(world, price, discounts) - billedBy(world, others),
    discounts,
    amount_before: beforePercents(discounts, type === 'usage' ? notNegative(before) : before),
    tiers: others.length > 0 || type === 'late_usage' ? null : price.tiers,
    ...{ stretches: null, billed_before: null },
  };
}
