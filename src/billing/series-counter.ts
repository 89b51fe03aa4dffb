import { addsUp, GROUPS_MAX, type Series, seriesKey } from '../domain/series.ts';
import type { Span } from '../domain/span.ts';
import type { UsageQuery } from '../db/usage/quantities.ts';
import { quantitiesBySeries, type SeriesQuantity } from '../db/usage/series-quantities.ts';
import type { Db } from '../db/connection/pool.ts';

/** Counts a charge by series; reads the usage of equal spans once. */
export type SeriesCounter = {
  /**
   * The groups that get lines of their own beside the ones that have them, up to GROUPS_MAX: the greatest quantities, ties by price and
   * text. What was on the line `others` stays there, because a group goes there only when all places are taken.
   */
  newGroups: (spans: readonly Span[], known: readonly Series[]) => Promise<Series[]>;
  /**
   * Counts by `seriesKey` the quantity of each price and group with events in the spans, with all groups that are not in `own` as
   * `others`.
   */
  counted: (spans: readonly Span[], own: readonly Series[]) => Promise<Counts>;
};

type Counts = ReadonlyMap<string, SeriesQuantity>;

export function createSeriesCounter(db: Db, query: Omit<UsageQuery, 'spans'>): SeriesCounter {
  const { aggregation, group_by } = query.charge;
  const counts = new Map<string, Promise<Counts>>();
  return {
    async newGroups(spans, known) {
      const places = GROUPS_MAX - known.length;
      if (group_by === null || places <= 0) return [];
      const found = await quantitiesBySeries(db, { ...query, spans }, { own: known, places });
      const taken = new Set(known.map(seriesKey));
      const added = found
        .map(({ series }) => series)
        .filter((series) => series.group !== null && !taken.has(seriesKey(series)));
      if (addsUp(aggregation)) counts.set(keyOf(spans, [...known, ...added]), Promise.resolve(byKey(found)));
      return added;
    },
    counted(spans, own) {
      const key = keyOf(spans, own);
      const counting =
        counts.get(key) ?? quantitiesBySeries(db, { ...query, spans }, { own, places: 0 }).then(byKey);
      counts.set(key, counting);
      return counting;
    },
  };
}

function keyOf(spans: readonly Span[], own: readonly Series[]): string {
  return JSON.stringify([spans, own.map(seriesKey).sort()]);
}

function byKey(quantities: readonly SeriesQuantity[]): Counts {
  return new Map(quantities.map((quantity) => [seriesKey(quantity.series), quantity]));
}
