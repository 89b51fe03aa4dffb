import { rational } from '../../support/oracles/price-oracle.ts';
import { closes } from './fees.ts';
import { billedTo } from './giving.ts';
import { NO_CHARGE, isVoid, totalOf } from './lines.ts';
import type { Discount } from './percents.ts';
import { knownEnd } from './periods.ts';
import {
  isOff,
  isPlanLine,
  linesIn,
  netOf,
  presentPeriod,
  sharedOff,
  shareOfTime,
  type PeriodOf,
  type Planned,
} from './period-sums.ts';
import type { FullPeriod, Invoice, Line, World } from './world.ts';

/** Period lines of an invoice (billing.md 13): what a discount of an amount takes off a full period, and what its minimum adds. */

const ONE = rational('1');

type Asked = { invoice: Invoice; full_period: FullPeriod };
type Bringing = Asked & { lines: readonly Line[]; planned?: readonly Planned[] };

/**
 * The period lines of an invoice with these other lines: discounts of all its full periods, then their minimums. The notes that its issue is
 * to make count.
 */
export function periodLines(
  world: World,
  invoice: Invoice,
  { lines, planned }: { lines: readonly Line[]; planned: readonly Planned[] },
): Line[] {
  const { subscription } = invoice;
  const of_lines = lines.filter(isPlanLine).map((line) => presentPeriod(subscription, line.full_period));
  const off = byStart(of_lines).flatMap((full_period) =>
    discountLines(world, { invoice, full_period, lines, planned }),
  );
  const before = [...lines, ...off];
  const closed = [...subscription.full_periods, ...subscription.left_out].filter((full_period) =>
    bringsMinimum(world, { invoice, full_period, lines }),
  );
  return [
    ...off,
    ...byStart(closed).flatMap((full_period) =>
      minimumLine(world, { invoice, full_period, lines: before, planned }),
    ),
  ];
}

/** Full periods in their order, each once. */
function byStart(full_periods: readonly FullPeriod[]): FullPeriod[] {
  const by_start = new Map(full_periods.map((full_period) => [full_period.start, full_period]));
  return [...by_start.values()].toSorted((a, b) => (a.start < b.start ? -1 : 1));
}

/** The lines that bring the discounts of an amount to the rule, the older first. */
function discountLines(world: World, bringing: Bringing): Line[] {
  const { invoice, full_period, lines, planned } = bringing;
  const of = { subscription: invoice.subscription, full_period };
  const own = lines.filter((line) => isOf(line, full_period));
  const made: Line[] = [];
  for (const { discount, amount } of sharedOff(world, of, sumWith(world, bringing))) {
    const others = linesIn(world, of, { without: invoice, isIts: (line) => isOff(line, discount) });
    const wanted = -amount - netOf(world, others, planned);
    made.push(...lineOf(world, { ...of, discount, amount: fitting(wanted, [...own, ...made]) }));
  }
  return made;
}

/** The sum S of a full period, with the lines of this invoice. */
function sumWith(world: World, { invoice, full_period, lines, planned }: Bringing): bigint {
  const of = { subscription: invoice.subscription, full_period };
  const others = linesIn(world, of, { without: invoice, isIts: isPlanLine });
  const own = lines.filter((line) => isOf(line, full_period) && isPlanLine(line));
  return netOf(world, others, planned) + totalOf(own);
}

function isOf(line: Line, { start }: FullPeriod): boolean {
  return line.full_period.start === start;
}

/** A period line below zero takes at most what the other lines of its full period on the invoice come to. */
function fitting(wanted: bigint, own: readonly Line[]): bigint {
  if (wanted >= 0n) return wanted;
  const sum = totalOf(own);
  const most = sum < 0n ? 0n : sum;
  return -wanted < most ? wanted : -most;
}

type Making = PeriodOf & { discount: Discount | null; amount: bigint };

/** None of 0.00. One of a period that was billed before its end was known names it as late lines do. */
function lineOf(world: World, { subscription, full_period, discount, amount }: Making): Line[] {
  if (amount === 0n) return [];
  const { start, ran_to } = full_period;
  const known = knownEnd(subscription, full_period).end;
  const end = ran_to === null ? known : billedTo(world, full_period);
  return [
    {
      ...{ type: discount === null ? 'minimum' : 'discount', charge: NO_CHARGE, full_period, item: null },
      period: { start, end },
      ...{ quantity: ONE, billable_quantity: ONE, skipped_events: 0 },
      ...{ draws: [], tiers: null, held: new Set() },
      ...{ stretches: null, billed_before: null },
      ...{ discounts: discount === null ? [] : [discount], amount_before: null },
      amount,
    },
  ];
}

/**
 * Whether an invoice brings the minimum of a full period to the rule: the one that closes it, and while that stands each later one with a
 * plan line of it, each of the full period right after it but an opening, and the last invoice of the subscription for the last full period.
 */
function bringsMinimum(world: World, { invoice, full_period, lines }: Bringing): boolean {
  const { period } = invoice;
  const closing = full_period.parts.at(-1);
  if (closing === undefined) return false;
  if (period === closing) return closes(period);
  const is_closed = world.invoices.some((one) => one.period === closing) && !isVoid(world, closing);
  if (!closing.is_closed || !is_closed) return false;
  if (lines.some((line) => isPlanLine(line) && isOf(line, full_period))) return true;
  const { start, end } = full_period;
  if (period.kind === 'late') return period.start === end;
  return period.kind === 'part' && start < end && period.full_period.start === end;
}

/** The amount that the lines of the minimum on other invoices lack; below zero where they have too much. */
function lackingMinimum(world: World, bringing: Bringing): bigint {
  const { invoice, full_period, lines, planned } = bringing;
  const of = { subscription: invoice.subscription, full_period };
  const without = invoice;
  const off = linesIn(world, of, { without, isIts: ({ type }) => type === 'discount' });
  const own_off = lines.filter((line) => isOf(line, full_period) && line.type === 'discount');
  const sum = sumWith(world, bringing) + netOf(world, off, planned) + totalOf(own_off);
  const others = linesIn(world, of, { without, isIts: ({ type }) => type === 'minimum' });
  return targetOf(world, of, sum) - netOf(world, others);
}

/** The sum of the lines of a minimum beside a sum, discounts included. */
function targetOf(world: World, of: PeriodOf, sum: bigint): bigint {
  const { minimum_amount } = of.full_period.plan;
  const lacking = minimum_amount === null ? 0n : shareOfTime(world, of, minimum_amount) - sum;
  return lacking < 0n ? 0n : lacking;
}

function minimumLine(world: World, bringing: Bringing): Line[] {
  const { invoice, full_period, lines } = bringing;
  const own = lines.filter((line) => isOf(line, full_period));
  const amount = fitting(lackingMinimum(world, bringing), own);
  return lineOf(world, { subscription: invoice.subscription, full_period, discount: null, amount });
}

/** The amount that the lines of a minimum on all invoices have too much; null where nobody brings it to the rule. */
export function excessOfMinimum(world: World, of: PeriodOf): bigint {
  const sum = netOf(
    world,
    linesIn(world, of, { isIts: (line) => isPlanLine(line) || line.type === 'discount' }),
  );
  const has = netOf(world, linesIn(world, of, { isIts: ({ type }) => type === 'minimum' }));
  const excess = has - targetOf(world, of, sum);
  return excess < 0n ? 0n : excess;
}

/** The full periods of which an invoice brings the minimum to the rule, the oldest first. */
export function minimumsOn(world: World, invoice: Invoice): FullPeriod[] {
  const { subscription, lines } = invoice;
  const all = [...subscription.full_periods, ...subscription.left_out];
  return byStart(all.filter((full_period) => bringsMinimum(world, { invoice, full_period, lines })));
}
