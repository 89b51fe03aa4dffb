import type { Aggregation, Charge, Filters } from '../../../src/domain/pricing/charge.ts';
import type { Series } from '../../../src/domain/pricing/series.ts';

/** Quantities by price and group, event by event, written from billing.md alone. Numbers of events are whole or halves. */

export type UsedEvent = { timestamp: string; properties: Record<string, unknown> };

export type Expected = { series: Series; quantity: string; skipped_events: number };

/** Quantities with the given groups apart, and all others as `others` of their price. */
export function quantitiesOf(
  charge: Charge,
  events: readonly UsedEvent[],
  own: readonly Series[],
): Expected[] {
  const apart = new Set(own.map((series) => JSON.stringify(series)));
  const held = new Map<string, UsedEvent[]>();
  for (const event of events) {
    const series = seriesOf(charge, event);
    if (series === null) continue;
    const is_apart = charge.group_by === null || apart.has(JSON.stringify(series));
    const key = JSON.stringify(is_apart ? series : { ...series, group: null, others: true });
    if (!held.has(key)) held.set(key, []);
    held.get(key)!.push(event);
  }
  return [...held].map(([key, of]) => ({
    series: JSON.parse(key) as Series,
    quantity: `${Math.max(0, quantityOf(charge.aggregation, of))}`,
    skipped_events: of.filter((event) => valueOf(charge.aggregation, event) === null).length,
  }));
}

/** The known groups, and the ones that get the places beside them: the greatest quantities, ties by price, then by text, no value last. */
export function greatest(
  charge: Charge,
  events: readonly UsedEvent[],
  { known, places }: { known: readonly Series[]; places: number },
): Series[] {
  const groups = new Map<string, Series>();
  for (const event of events) {
    const series = seriesOf(charge, event);
    if (series?.group) groups.set(JSON.stringify(series), series);
  }
  for (const series of known) groups.delete(JSON.stringify(series));
  const quantities = quantitiesOf(charge, events, [...groups.values()]).filter(
    ({ series }) => series.group !== null && groups.has(JSON.stringify(series)),
  );
  quantities.sort(
    (a, b) => Number(b.quantity) - Number(a.quantity) || compare(charge.group_by!, a.series, b.series),
  );
  return [...known, ...quantities.slice(0, places).map(({ series }) => series)];
}

function compare(group_by: readonly string[], a: Series, b: Series): number {
  if (a.price_index !== b.price_index) return a.price_index! - b.price_index!;
  for (const name of group_by) {
    const [left, right] = [a.group![name]!, b.group![name]!];
    if (left === right) continue;
    if (left === null || right === null) return left === null ? 1 : -1;
    const [points, others] = [left, right].map((text) => [...text].map((one) => one.codePointAt(0)!));
    const place = points!.findIndex((point, at) => point !== others![at]);
    if (place === -1) return -1;
    return points![place]! - (others![place] ?? -1);
  }
  return 0;
}

function text(value: unknown): string | null {
  return value === undefined || value === null || typeof value === 'object' ? null : `${value as string}`;
}

function matches(wanted: Filters, { properties }: UsedEvent): boolean {
  return Object.entries(wanted).every(([name, values]) =>
    values.some((value) => `${value}` === text(properties[name])),
  );
}

/** The series of an event whatever the number of groups; null if the charge does not count it, or no price is for it. */
function seriesOf({ filters, pricing, group_by }: Charge, event: UsedEvent): Series | null {
  if (!matches(filters ?? {}, event)) return null;
  const price_index =
    'prices' in pricing ? pricing.prices.findIndex(({ match }) => matches(match ?? {}, event)) : null;
  if (price_index === -1) return null;
  if (group_by === null) return { price_index, group: null, others: false };
  const values = group_by.map((name) => [name, text(event.properties[name])] as const);
  const is_long = values.some(([, value]) => (value ?? '').length > 255);
  return { price_index, group: is_long ? null : Object.fromEntries(values), others: is_long };
}

/** A number, or the text of `unique`; null if the event is skipped. */
function valueOf(aggregation: Aggregation, { properties }: UsedEvent): number | string | null {
  if (aggregation.type === 'count') return 1;
  const found = text(properties[aggregation.property]);
  if (aggregation.type === 'unique' || found === null) return found;
  return found === 'many' ? null : Number(found);
}

function quantityOf(aggregation: Aggregation, events: readonly UsedEvent[]): number {
  const values = events.map((event) => valueOf(aggregation, event)).filter((value) => value !== null);
  switch (aggregation.type) {
    case 'count':
      return values.length;
    case 'sum':
      return values.map(Number).reduce((sum, value) => sum + value, 0);
    case 'max':
      return Math.max(0, ...values.map(Number));
    case 'unique':
      return new Set(values).size;
    case 'latest': {
      const counted = events.filter((event) => valueOf(aggregation, event) !== null);
      const last = counted
        .map(({ timestamp }) => timestamp)
        .sort()
        .at(-1);
      const at_last = counted.filter(({ timestamp }) => timestamp === last).at(-1);
      return at_last === undefined ? 0 : Number(valueOf(aggregation, at_last));
    }
  }
}
