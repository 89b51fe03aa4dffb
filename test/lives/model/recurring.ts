import { rational, rounded, times, total, type Rational } from '../../support/oracles/price-oracle.ts';
import { monthOf } from './closed-months.ts';
import { billingStart, statusAt, termsAt } from './periods.ts';
import { quantityAt } from './quantities.ts';
import { later, type Instant, type Plan, type Subscription, type World } from './world.ts';

/** Recurring revenue (contract.md 4). The account of a life is in UTC. */

export const MOVEMENTS = ['new', 'expansion', 'contraction', 'churn', 'reactivation'] as const;
export type Movement = (typeof MOVEMENTS)[number];

/** A month, and what recurs at its last instant and at that of the month before, in minor units. */
export type RecurringMonth = {
  month: string;
  before: bigint;
  after: bigint;
  /** Null where nothing moved. */
  type: Movement | null;
};

/** The months from the one in which the first subscription is billed, up to the one after that of the clock. */
export function recurringMonths(world: World): RecurringMonth[] {
  const last = monthAfter(monthOf(world.now));
  const [first] = [world.now, ...world.subscriptions.map(billingStart)].map(monthOf).toSorted();
  const months: RecurringMonth[] = [];
  let had_some = false;
  let before = 0n;
  for (let month = first!; month <= last; month = monthAfter(month)) {
    const after = recurringAt(world, lastInstant(world, month));
    months.push({ month, before, after, type: typeOf({ before, after, had_some }) });
    had_some ||= after > 0n;
    before = after;
  }
  return months;
}

/** The last instant of a month, or the present time before it: what is scheduled does not count. */
function lastInstant({ now }: World, month: string): Instant {
  const last = later(`${monthAfter(month)}-01T00:00:00.000Z`, -1);
  return now < last ? now : last;
}

/** The month that follows: after 2027-12 comes 2028-01. */
export function monthAfter(month: string): string {
  const [year, number] = month.split('-').map(Number);
  return new Date(Date.UTC(year!, number!)).toISOString().slice(0, 7);
}

type Move = { before: bigint; after: bigint; had_some: boolean };

function typeOf({ before, after, had_some }: Move): Movement | null {
  if (before === after) return null;
  if (before === 0n) return had_some ? 'reactivation' : 'new';
  if (after === 0n) return 'churn';
  return before < after ? 'expansion' : 'contraction';
}

/** The sum over all subscriptions that are being billed at an instant. */
function recurringAt({ subscriptions, digits }: World, instant: Instant): bigint {
  const billed = subscriptions.filter((subscription) => statusAt(subscription, instant) === 'active');
  const amounts = billed.map((subscription) => amountAMonth(subscription, { instant, digits }));
  return amounts.reduce((sum, amount) => sum + amount, 0n);
}

/** The months that an interval is the part of, by a year of 365 days. */
const A_MONTH: Record<Plan['interval'], Rational> = {
  day: { n: 365n, d: 12n },
  week: { n: 365n, d: 84n },
  month: { n: 1n, d: 1n },
  year: { n: 1n, d: 12n },
};

/** The flat amounts of a plan, each as a whole period bills it, as an amount a month in minor units. */
function amountAMonth(
  subscription: Subscription,
  { instant, digits }: { instant: Instant; digits: number },
): bigint {
  const { charges, interval, interval_count } = termsAt(subscription, instant).plan;
  const billed = charges.flatMap(({ pricing, event_name, has_quantity }) => {
    if (pricing.pricing_model !== 'flat') return [];
    const quantity = has_quantity ? quantityAt(subscription, event_name, instant) : '1';
    return [rational(rounded(times(rational(pricing.flat_amount), rational(quantity)), digits))];
  });
  const intervals = times(A_MONTH[interval], { n: 1n, d: BigInt(interval_count) });
  const { n, d } = times(total(billed), intervals);
  return BigInt(rounded({ n: n * 10n ** BigInt(digits), d }, 0));
}
