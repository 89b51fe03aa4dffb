import { addTotals } from '../domain/daily-usage.ts';
import {
  addsUp,
  billedSeries,
  type Cell,
  groupCells,
  type Series,
  seriesKey,
  seriesFinder,
  type Values,
} from '../domain/series.ts';
import type { Span } from '../domain/span.ts';
import { countSets } from '../db/usage/cells.ts';
import { cellsOf, type Quantity, type UsageQuery } from '../db/usage/quantities.ts';
import type { Db } from '../db/pool.ts';

export type SeriesQuantity = Quantity & { series: Series };

/** Counts a charge by series; reads the events of equal spans once. */
export type SeriesCounter = {
  /** The quantity of every price and group with events in the spans, whatever the number of groups. */
  found: (spans: readonly Span[]) => Promise<SeriesQuantity[]>;
  /** By `seriesKey`: like `found`, with all groups that are not in `own` as `others` of their price. */
  counted: (spans: readonly Span[], own: ReadonlySet<string>) => Promise<ReadonlyMap<string, SeriesQuantity>>;
};

export function createSeriesCounter(db: Db, query: Omit<UsageQuery, 'spans'>): SeriesCounter {
  const seriesOf = seriesFinder(query.charge);
  const read = memoized((spans) => cellsOf(db, { ...query, spans }));
  const count = async (
    spans: readonly Span[],
    placeOf: (values: Values) => Series | null,
  ): Promise<Map<string, SeriesQuantity>> => {
    const series = new Map<string, Series>();
    const sets = groupCells(await read(spans), ({ values }) => {
      const place = placeOf(values);
      if (place === null) return null;
      series.set(seriesKey(place), place);
      return seriesKey(place);
    });
    const quantities = await quantitiesOf(db, { ...query, spans }, sets);
    return new Map(quantities.map(({ key, ...counted }) => [key, { series: series.get(key)!, ...counted }]));
  };
  const counts = new Map<string, Promise<Map<string, SeriesQuantity>>>();
  return {
    found: async (spans) => [...(await count(spans, seriesOf)).values()],
    counted(spans, own) {
      const key = JSON.stringify([spans, [...own]]);
      const placeOf = (values: Values) => {
        const series = seriesOf(values);
        return series && billedSeries(series, own);
      };
      const counting = counts.get(key) ?? count(spans, placeOf);
      counts.set(key, counting);
      return counting;
    },
  };
}

async function quantitiesOf(
  db: Db,
  query: UsageQuery,
  sets: ReadonlyMap<string, readonly Cell[]>,
): Promise<(Quantity & { key: string })[]> {
  const { aggregation } = query.charge;
  const named = [...sets].map(([key, cells]) => ({ key, cells }));
  if (!addsUp(aggregation)) return countSets(db, query, named);
  const rest = { quantity: null, skipped_events: 0 };
  return named.map(({ key, cells }) => ({ key, ...addTotals(aggregation.type, { totals: cells, rest }) }));
}

function memoized<T>(read: (spans: readonly Span[]) => Promise<T>): (spans: readonly Span[]) => Promise<T> {
  const known = new Map<string, Promise<T>>();
  return (spans) => {
    const key = JSON.stringify(spans);
    const reading = known.get(key) ?? read(spans);
    known.set(key, reading);
    return reading;
  };
}
