import type { Charge, Division, StoredEvent } from './world.ts';
import { matches, textOf } from './values.ts';

/** Prices by the values of properties, and lines by group (billing.md 3), in the model: each is a charge of its own. */

/** The charges that a charge is billed as: itself, or one for each price and group that an event of the life has had so far. */
export function seriesOf(charge: Charge, events: readonly StoredEvent[]): Charge[] {
  if (charge.division === undefined) return [charge];
  const { parts } = charge.division;
  for (const event of events) {
    if (event.event_name !== charge.event_name || parts.some((part) => isOfPart(part, event))) continue;
    const series = seriesOfEvent(charge.division, event);
    if (series !== null) parts.push(chargeOf(charge, charge.division, series));
  }
  return parts.toSorted(inOrder);
}

/** Whether the event has the price and the group of a part. */
export function isOfPart({ division, part }: Charge, event: StoredEvent): boolean {
  return JSON.stringify(seriesOfEvent(division!, event)) === JSON.stringify(part!.series);
}

/** Price and values of an event; null if no price is for it. */
export type Series = { price_index: number | null; values: (string | null)[] | null };

function seriesOfEvent({ prices, group_by }: Division, { properties }: StoredEvent): Series | null {
  const price_index =
    prices === null ? null : prices.findIndex(({ match }) => match === null || matches(match, properties));
  if (price_index === -1) return null;
  return { price_index, values: group_by?.map((name) => textOf(properties[name])) ?? null };
}

function chargeOf(charge: Charge, division: Division, series: Series): Charge {
  const pricing = division.prices?.[series.price_index!]?.pricing ?? charge.pricing;
  return { ...charge, pricing, part: { whole: charge, series } };
}

function inOrder(a: Charge, b: Charge): number {
  const [left, right] = [a.part!.series, b.part!.series];
  const by_price = (left.price_index ?? 0) - (right.price_index ?? 0);
  if (by_price !== 0) return by_price;
  for (const [place, value] of (left.values ?? []).entries()) {
    const other = right.values![place]!;
    if (value === other) continue;
    if (value === null || other === null) return value === null ? 1 : -1;
    return value < other ? -1 : 1;
  }
  return 0;
}
