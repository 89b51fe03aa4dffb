import type { Charge } from '../../domain/pricing/charge.ts';
import { dimensionsOf } from '../../domain/pricing/series.ts';
import type { Parameter } from '../connection/parameters.ts';

/** Days of a customer whose cells count for a set, and the number of the events of each. */
export type CountedDays = {
  set_id: number;
  customer_key: string;
  days: readonly { starts_at: string; events: string }[];
};

/**
 * SQL of three relations of a statement: `day`, the days of each set; `cell`, the cells of these days that have the
 * charge's property; and `broken`, the sets with a day whose cells do not have all its events, or all properties of the
 * charge. The rollup may have added to a day since, or left its cells out.
 */
export function cellsOfDays(charge: Charge, sets: readonly CountedDays[], parameter: Parameter): string {
  const rows = sets.flatMap(({ set_id, customer_key, days }) =>
    days.map(({ starts_at, events }) => ({ set_id, customer_key, day: starts_at, events })),
  );
  return `
    day as materialized (
      select * from jsonb_to_recordset(${parameter(JSON.stringify(rows))}) as day(set_id integer, customer_key bigint,
        day timestamptz, events bigint)
    ), cell as materialized (
      select day.set_id, c.day, c."values", c.events, c.skipped_events, c.total, c.maximum
      from day cross join lateral (
        select * from usage_cells c
        where c.customer_key = day.customer_key and c.event_name = ${parameter(charge.event_name)}
          and c.day = day.day and c.property = ${parameter(propertyOf(charge))} offset 0) as c
    ), broken as (
      select distinct day.set_id from day
      left join (
        select set_id, day, sum(events) as events from cell
        where "values" ?& ${parameter(dimensionsOf(charge))}::text[] group by set_id, day
      ) as held using (set_id, day)
      where held.events is distinct from day.events)`;
}

function propertyOf({ aggregation }: Charge): string {
  return aggregation.type === 'count' ? '' : aggregation.property;
}

/** SQL: the quantity of a row of `cell`, for aggregations whose parts add up. */
export function quantityOfCell({ aggregation }: Charge): string {
  switch (aggregation.type) {
    case 'count':
      return 'cell.events';
    case 'sum':
      return 'cell.total';
    case 'max':
      return 'cell.maximum';
    case 'unique':
    case 'latest':
      return 'null::numeric';
  }
}
