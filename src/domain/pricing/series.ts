import type { Aggregation, Charge, Filters } from './charge.ts';
import type { Pricing } from './definitions.ts';
import { isPriceList, pricingAt } from './price-list.ts';

/** A value of each property that a charge groups by, as text; null for an event without one. */
export type Group = Readonly<Record<string, string | null>>;

/**
 * The part of its charge that a line bills: the events of a price, of a group, or of all groups that have no line of
 * their own (`others`). A charge without prices and groups has one series, ALL.
 */
export type Series = {
  readonly price_index: number | null;
  readonly group: Group | null;
  readonly others: boolean;
};

export const ALL: Series = { price_index: null, group: null, others: false };

/**
 * The price of a line in its list: what it is for, null for the default, and the properties that tell the prices apart.
 */
export type LinePrice = { match: Filters | null; properties: readonly string[] };

/**
 * A charge with the pricing of one series: what a line is made from. `price` is null for a charge without a list of
 * prices.
 */
export type RatedCharge = Omit<Charge, 'pricing'> & {
  pricing: Pricing;
  price: LinePrice | null;
  series: Series;
};

/** Limit of lines by group for each charge and period (contract.md 3). */
export const GROUPS_MAX = 100;

/** Whether a charge may have several lines in a period. */
export function isDivided({ pricing, group_by }: Pick<Charge, 'pricing' | 'group_by'>): boolean {
  return group_by !== null || isPriceList(pricing);
}

/** The properties by whose values a charge selects, prices or groups events, in order. */
export function dimensionsOf({
  filters,
  pricing,
  group_by,
}: Pick<Charge, 'filters' | 'pricing' | 'group_by'>): string[] {
  const matched = isPriceList(pricing) ? propertiesOf(pricing.prices) : [];
  return [...new Set([...Object.keys(filters ?? {}), ...matched, ...(group_by ?? [])])].sort();
}

/** Throws if the charge has no price at the place that the series names. */
export function ratedCharge(charge: Charge, series: Series): RatedCharge {
  const pricing = pricingAt(charge.pricing, series.price_index);
  const price = linePrice(charge.pricing, series);
  return { ...charge, pricing, price, series: { ...series, group: inOrder(charge.group_by, series.group) } };
}

/** A group with its members in the order of `group_by`: a stored group has the order of jsonb. */
function inOrder(group_by: Charge['group_by'], group: Group | null): Group | null {
  return group && Object.fromEntries((group_by ?? []).map((name) => [name, group[name] ?? null]));
}

function linePrice(pricing: Charge['pricing'], { price_index }: Series): LinePrice | null {
  if (!isPriceList(pricing)) return null;
  const { prices } = pricing;
  return { match: prices[price_index ?? -1]?.match ?? null, properties: propertiesOf(prices) };
}

/** The properties that tell the prices of a list apart; the default price has no match. */
export function propertiesOf(prices: readonly { match?: Filters | null }[]): string[] {
  return [...new Set(prices.flatMap(({ match }) => Object.keys(match ?? {})))];
}

/** The pricing of a line, by its charge of a plan; null for a charge that the plan does not have. */
export function pricingOfLine(
  charges: readonly Pick<Charge, 'id' | 'pricing'>[],
  { charge_id, price_index }: { charge_id: string | null; price_index: number | null },
): Pricing | null {
  const charge = charges.find(({ id }) => id === charge_id);
  return charge === undefined ? null : pricingAt(charge.pricing, price_index);
}

/** The series of a stored or composed line. */
export function seriesOf({ price_index, group, others }: Series): Series {
  return { price_index, group, others };
}

/** A text that is equal for equal series. */
export function seriesKey({ price_index, group, others }: Series): string {
  const values = group === null ? null : Object.entries(group).sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify([price_index, values, others]);
}

type LineKey = { charge_id: string; series: Series; full_period_start: string };

/**
 * A text that is equal for lines that share one rule (billing.md 5): the same series of a charge in the same full
 * period.
 */
export function lineKey({ charge_id, series, full_period_start }: LineKey): string {
  return `${usageKey(charge_id, series)} ${full_period_start}`;
}

/** A text that is equal for the lines of a charge in the same full period, whatever their series. */
export function chargePeriodKey({ charge_id, full_period_start }: Omit<LineKey, 'series'>): string {
  return `${charge_id} ${full_period_start}`;
}

/** A text that is equal for the same series of a charge: the charge's id where it has only one. */
export function usageKey(charge_id: string, series: Series): string {
  const is_all = series.price_index === null && series.group === null && !series.others;
  return is_all ? charge_id : `${charge_id} ${seriesKey(series)}`;
}

/** Whether totals of parts of a period add up to the quantity of the period. */
export function addsUp({ type }: Aggregation): boolean {
  return type === 'count' || type === 'sum' || type === 'max';
}
