import {
  minus,
  oraclePrice,
  rational,
  total,
  type OraclePrice,
  type Rational,
} from '../support/price-oracle.ts';
import { coverage, type Balances } from './credit.ts';
import { lateUntil } from './periods.ts';
import { aggregate, countSkipped, decimalText, wants } from './usage.ts';
import {
  lengthOf,
  note,
  type Charge,
  type Invoice,
  type Line,
  type Part,
  type Span,
  type StoredEvent,
  type Whole,
  type World,
} from './world.ts';

export type Made = { lines: Line[]; balances: Balances };

/** What an invoice says if it is made now (billing.md 5): its own lines in plan order, then late ones, the oldest period first. */
export function linesFor(world: World, invoice: Invoice): Made {
  let balances: Balances = new Map(world.grants.map((grant) => [grant, grant.remaining]));
  const { period, subscription } = invoice;
  const { charges } = subscription.plan;
  const lines =
    period.kind === 'late'
      ? []
      : charges.map((charge) => ownLine(world, { invoice, charge, period, balances }));
  for (const whole of lateWholes(world, invoice)) {
    for (const charge of charges.filter(({ pricing }) => pricing.pricing_model !== 'flat')) {
      const kept = new Map(balances);
      const line = lateLine(world, { invoice, charge, whole, balances: kept });
      if (line === null) continue;
      if (totalOf([...lines, line]) < 0n) {
        note(world, 'a late line waits');
        continue;
      }
      lines.push(line);
      balances = kept;
    }
  }
  return { lines, balances };
}

export function totalOf(lines: readonly Line[]): bigint {
  return lines.reduce((sum, { amount }) => sum + amount, 0n);
}

type Asked = { invoice: Invoice; charge: Charge; balances: Balances };

function ownLine(world: World, { invoice, charge, period, balances }: Asked & { period: Part }): Line {
  const { whole } = period;
  if (charge.pricing.pricing_model === 'flat') return flatLine(world, charge, period);
  const inRegion = ({ timestamp }: StoredEvent) => whole.start <= timestamp && timestamp < period.end;
  const line = lineOver(world, { invoice, charge, whole, period, balances, type: 'usage', inRegion });
  if (line.amount >= 0n) return line;
  note(world, 'a line is held at 0');
  return { ...line, amount: 0n };
}

/** Null where there is nothing to say. */
function lateLine(world: World, { invoice, charge, whole, balances }: Asked & { whole: Whole }): Line | null {
  const until = lateUntil(whole.end);
  const inRegion = ({ timestamp, stored_at }: StoredEvent) =>
    whole.start <= timestamp && timestamp < whole.end && stored_at < until;
  const period = { start: whole.start, end: whole.end };
  const line = lineOver(world, { invoice, charge, whole, period, balances, type: 'late_usage', inRegion });
  return line.quantity.n === 0n && line.amount === 0n ? null : { ...line, tiers: null };
}

/** Periods that are billed in full by other invoices, of which the late usage is this one's to bill. */
function lateWholes(world: World, { subscription, period }: Invoice): Whole[] {
  return subscription.wholes.filter(
    (whole) =>
      !(period.kind === 'part' && period.whole === whole) &&
      whole.parts.every((part) => part.is_closed && hasIssued(world, part)),
  );
}

function hasIssued({ invoices }: World, part: Part): boolean {
  return invoices.some(({ period, status }) => period === part && (status === 'open' || status === 'paid'));
}

type Region = Asked & {
  whole: Whole;
  period: Span;
  type: 'usage' | 'late_usage';
  inRegion: (event: StoredEvent) => boolean;
};

/** The one rule: what all lines of the charge and period hold is rated together, and this line takes what the others have not. */
function lineOver(world: World, region: Region): Line {
  const { invoice, charge, whole, period, balances, type, inRegion } = region;
  const others = otherLines(world, invoice, { charge, whole });
  const taken = new Set(others.flatMap(({ held }) => [...held]));
  const own = world.events.filter((event) => wants(charge, event) && inRegion(event) && !taken.has(event));
  const held = new Set(own);
  // In the order of storing, which decides ties.
  const union = world.events.filter((event) => taken.has(event) || held.has(event));
  const draws = coverage(balances, { charge, whole, union, others });
  const quantity = aggregate(charge, union);
  const credit = total([...others.flatMap((line) => line.draws), ...draws].map(({ amount }) => amount));
  const price = priceOf(world, charge, { quantity, credit });
  return {
    type,
    charge,
    whole,
    period: { start: period.start, end: period.end },
    draws,
    held,
    skipped_events: countSkipped(charge, own),
    quantity: minus(quantity, total(others.map((line) => line.quantity))),
    billable_quantity: minus(price.billable_quantity, total(others.map((line) => line.billable_quantity))),
    amount: minorUnits(price.amount) - totalOf(others),
    tiers: others.length > 0 ? null : price.tiers,
  };
}

function otherLines(world: World, invoice: Invoice, of: { charge: Charge; whole: Whole }): Line[] {
  const others = world.invoices.filter((other) => other !== invoice && other.status !== 'void');
  return others.flatMap(({ lines }) =>
    lines.filter(({ charge, whole }) => charge === of.charge && whole === of.whole),
  );
}

/** By exact time; the last part takes the whole less what the earlier parts come to. */
function flatLine(world: World, charge: Charge, part: Part): Line {
  const { whole } = part;
  const priced = (span: Span) =>
    priceOf(world, charge, {
      quantity: ONE,
      credit: rational('0'),
      fraction: { numerator: `${lengthOf(span)}`, denominator: `${lengthOf(whole.interval)}` },
    });
  const earlier = whole.parts.slice(0, -1);
  const sumOfEarlier = earlier.reduce((sum, span) => sum + minorUnits(priced(span).amount), 0n);
  const is_last = part === whole.parts.at(-1);
  return {
    type: 'flat',
    charge,
    whole,
    period: { start: part.start, end: part.end },
    quantity: ONE,
    billable_quantity: ONE,
    skipped_events: 0,
    draws: [],
    tiers: null,
    held: new Set(),
    amount: is_last ? minorUnits(priced(whole).amount) - sumOfEarlier : minorUnits(priced(part).amount),
  };
}

const ONE: Rational = { n: 1n, d: 1n };
const WHOLE = { numerator: '1', denominator: '1' };

type Usage = {
  quantity: Rational;
  credit: Rational;
  fraction?: { numerator: string; denominator: string };
};

function priceOf(
  { digits }: World,
  { pricing }: Charge,
  { quantity, credit, fraction = WHOLE }: Usage,
): OraclePrice {
  const usage = { quantity: decimalText(quantity), credit: decimalText(credit), fraction };
  return oraclePrice(pricing, usage, digits);
}

function minorUnits(amount: string): bigint {
  return BigInt(amount.replace('.', ''));
}
