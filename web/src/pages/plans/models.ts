import type { Aggregation, Plan } from '../../api/objects.ts';

/** The quantity that each aggregation makes of a period's events. */
export const AGGREGATIONS: Readonly<Record<Aggregation['type'], string>> = {
  count: 'the number of events',
  sum: 'the sum of a property',
  max: 'the greatest value of a property',
  unique: 'the number of different values of a property',
  latest: 'the latest value of a property',
};

/** The intervals that a plan bills by, one or several of them. */
export const INTERVALS: Readonly<Record<Plan['interval'], string>> = {
  day: 'days',
  week: 'weeks',
  month: 'months',
  year: 'years',
};

/** "each month", "every 2 weeks". */
export function intervalInWords({
  interval,
  interval_count,
}: Pick<Plan, 'interval' | 'interval_count'>): string {
  return interval_count === 1 ? `each ${interval}` : `every ${interval_count} ${INTERVALS[interval]}`;
}

/** "Pro", "Pro, version 2". */
export function nameWithVersion({ name, version }: Pick<Plan, 'name' | 'version'>): string {
  return version === null ? name : `${name}, version ${version}`;
}

/** Whether a text is one of the names in a table, as a choice in a form is. */
export function isOneOf<Name extends string>(
  table: Readonly<Record<Name, unknown>>,
  text: string,
): text is Name {
  return Object.hasOwn(table, text);
}
