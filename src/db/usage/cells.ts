import type { Charge } from '../../domain/charge.ts';
import { dimensionsOf } from '../../domain/series.ts';
import type { Parameter } from '../connection/parameters.ts';

/** A day whose cells count, and the number of its events. */
export type CountedDay = { starts_at: string; events: string };

type OfCharge = { customer_key: string; charge: Charge; days: readonly CountedDay[] };

/**
 * SQL of three relations of a statement: `day`, the given days; `cell`, the cells of these days that have the charge's property; and
 * `whole`, one row: whether these cells still have all events of each day, and all properties of the charge. The rollup may have added to a
 * day since, or left its cells out.
 */
export function cellsOfDays({ customer_key, charge, days }: OfCharge, parameter: Parameter): string {
  const rows = days.map(({ starts_at, events }) => ({ day: starts_at, events }));
  return `
    day as materialized (
      select * from jsonb_to_recordset(${parameter(JSON.stringify(rows))}) as day(day timestamptz, events bigint)
    ), cell as materialized (
      select c.day, c."values", c.events, c.skipped_events, c.total, c.maximum from usage_cells c
      where c.customer_key = ${parameter(customer_key)} and c.event_name = ${parameter(charge.event_name)}
        and c.property = ${parameter(propertyOf(charge))} and c.day = any(array(select day from day))
    ), whole as (
      select not exists (
        select from day
        left join (
          select day, sum(events) as events from cell where "values" ?& ${parameter(dimensionsOf(charge))}::text[]
          group by day
        ) as held using (day)
        where held.events is distinct from day.events) as are_days_whole
    )`;
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
