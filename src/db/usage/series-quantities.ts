import type { Charge } from '../../domain/charge.ts';
import type { Series } from '../../domain/series.ts';
import type { Span } from '../../domain/span.ts';
import { createParameters, type Parameter } from '../connection/parameters.ts';
import type { Db } from '../connection/pool.ts';
import { cellsOfDays, quantityOfCell, type CountedDay } from './cells.ts';
import { divided, type Quantity, type UsageQuery } from './quantities.ts';
import { OF_CELL, OF_EVENT, passes, seriesColumns, seriesRows } from './series.ts';
import { aggregateOf, heldEvents, shownQuantity } from './usage.ts';

/** The quantity that one line bills, never below 0 (billing.md 2), and its skipped events. */
export type SeriesQuantity = Quantity & { series: Series };

/** The groups that are counted apart: `own`, and of all others the `places` greatest, ties by price, then by text in code points. */
export type Apart = { own: readonly Series[]; places: number };

/**
 * Adds up the events of the spans by price and group; a group that is not counted apart falls into `others` of its price (billing.md 3).
 * The database decides all of it, and gives a row for each price and each group apart, whatever the number of values. With `places`,
 * `others` has a meaning only for aggregations whose parts add up.
 */
export async function quantitiesBySeries(db: Db, query: UsageQuery, apart: Apart): Promise<SeriesQuantity[]> {
  const { days, spans } = divided(query);
  const counted = await count(db, query, { days, spans, ...apart });
  return counted ?? (await count(db, query, { days: [], spans: query.spans, ...apart }))!;
}

type Held = Apart & { days: readonly CountedDay[]; spans: readonly Span[] };

/** `quantity` is null in the one row of a charge without usage. The values are those of the properties that the charge groups by. */
type Row = SeriesRow & { are_days_whole: boolean } & (Quantity | { quantity: null });

type SeriesRow = {
  price_index: number | null;
  others: boolean;
  value_0: string | null;
  value_1: string | null;
};

/** Null if the cells of a day have changed since its totals were read, so that its events must be read. */
async function count(db: Db, query: UsageQuery, held: Held): Promise<SeriesQuantity[] | null> {
  const { values, parameter } = createParameters();
  const { rows } = await db.query<Row>(statementOf(query, held, parameter), values);
  if (!rows[0]!.are_days_whole) return null;
  return rows.flatMap((row) => {
    if (row.quantity === null) return [];
    const { quantity, skipped_events } = row;
    return { series: seriesOf(query.charge.group_by, row), quantity, skipped_events };
  });
}

function seriesOf(group_by: readonly string[] | null, row: SeriesRow): Series {
  const { price_index, others } = row;
  if (group_by === null || others) return { price_index, group: null, others };
  const values = [row.value_0, row.value_1];
  return {
    price_index,
    group: Object.fromEntries(group_by.map((name, place) => [name, values[place]!])),
    others,
  };
}

/** SQL: the columns of a series, in the order in which the greatest groups are taken where quantities are equal. */
const SERIES = 'price_index, others, value_0, value_1';

/** SQL: a text that is equal for equal groups of a price. */
const KEY = 'array[price_index::text, value_0, value_1]::text';

/**
 * SQL: the parts of the usage are counted by price and group, and added up. `known` and `own` have the keys of the groups apart in one row:
 * without and with the greatest.
 */
function statementOf(query: UsageQuery, held: Held, parameter: Parameter): string {
  const { charge } = query;
  const combined = charge.aggregation.type === 'max' ? 'max(quantity)' : 'sum(quantity)';
  const { columns, join } = collapsed(charge, 'own');
  return `
    with ${cellsOfDays({ ...query, days: held.days }, parameter)}, known as materialized (
      select coalesce(jsonb_object_agg(${KEY}, true), '{}') as keys
      from ${seriesRows(charge, held.own, parameter)}
    ), part as (
      ${partsOf(query, held, parameter)}
    ), counted as materialized (
      select ${SERIES}, ${combined} as quantity, sum(skipped_events) as skipped_events from part group by ${SERIES}
    ), added as (
      select ${SERIES} from counted where not others and not (select keys from known) ? ${KEY}
      order by greatest(coalesce(quantity, 0), 0) desc, ${SERIES} limit ${parameter(held.places)}::integer
    ), own as materialized (
      select (select keys from known) || coalesce(jsonb_object_agg(${KEY}, true), '{}') as keys from added
    ), series as (
      select ${columns}, ${shownQuantity(combined)} as quantity, sum(skipped_events)::integer as skipped_events
      from counted ${join} group by 1, 2, 3, 4
    )
    select whole.are_days_whole, series.* from whole left join series on true`;
}

/** SQL: the events of the spans, and the cells of the days. All groups are counted only where the greatest of them are wanted. */
function partsOf(query: UsageQuery, { places, spans }: Held, parameter: Parameter): string {
  const { charge } = query;
  const { quantity, value } = aggregateOf(charge.aggregation, parameter);
  const { columns, join } = places > 0 ? ALL_GROUPS : collapsed(charge, 'known');
  return `
    select ${columns}, (${quantity})::numeric as quantity,
      ${value === null ? '0::bigint' : `count(*) filter (where (${value}) is null)`} as skipped_events
    ${heldEvents({ ...query, spans }, parameter)}
    cross join lateral (${seriesColumns(charge, OF_EVENT, parameter)}) as of_event ${join}
    where price_index is distinct from -1 group by 1, 2, 3, 4
    union all
    select ${columns}, ${quantityOfCell(charge)}, cell.skipped_events
    from cell cross join lateral (${seriesColumns(charge, OF_CELL, parameter)}) as of_cell ${join}
    where price_index is distinct from -1 and ${passes(charge.filters, OF_CELL, parameter)}`;
}

/** SQL: the columns of a series with its values where a condition holds. */
function valuesWhere(condition: string, others: string): string {
  const values = ['value_0', 'value_1'].map(
    (value) => `case when ${condition} then ${value} end as ${value}`,
  );
  return `price_index, ${others} as others, ${values.join(', ')}`;
}

const ALL_GROUPS = { columns: valuesWhere('not others', 'others'), join: '' };

/** SQL: the columns of a series in which each group that is not in the relation `own` is `others`, and the join that they need. */
function collapsed({ group_by }: Charge, own: 'known' | 'own'): { columns: string; join: string } {
  if (group_by === null) return ALL_GROUPS;
  return {
    columns: valuesWhere('is_own', 'not is_own'),
    join: `cross join lateral (select not others and (select keys from ${own}) ? ${KEY} as is_own offset 0) as kept`,
  };
}
