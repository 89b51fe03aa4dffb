import type { Charge } from '../../domain/pricing/charge.ts';
import type { SeriesQuantity } from '../../domain/usage/counted.ts';
import type { Series } from '../../domain/pricing/series.ts';
import { createParameters, type Parameter } from '../connection/parameters.ts';
import type { Db } from '../connection/pool.ts';
import { cellsOfDays, quantityOfCell, type CountedDays } from './cells.ts';
import { keyOf, OF_CELL, OF_EVENT, passes, SERIES_KEY, seriesColumns } from './series.ts';
import { aggregateOf, heldEvents, shownQuantity, spansOf, type SpanSet } from './usage.ts';

/**
 * Sets that share what is counted apart: the groups `known`, and of all others in the set `free` the `places` greatest,
 * ties by price, then by text in code points.
 */
export type Owner = { known: readonly Series[]; places: number };

/**
 * Events and days of a set; `owner` is its place in the list of owners. With `is_free` its greatest groups are counted
 * apart.
 */
export type SeriesSet = SpanSet & CountedDays & { owner: number; is_free: boolean };

export type SeriesQuery = {
  environment_id: number;
  charge: Charge;
  owners: readonly Owner[];
  sets: readonly SeriesSet[];
};

/**
 * The quantities by set_id, and the sets whose days have changed since their totals were read, so that their events
 * must be read.
 */
export type SeriesOfSets = { counted: Map<number, SeriesQuantity[]>; broken: number[] };

type SeriesRow = {
  price_index: number | null;
  others: boolean;
  value_0: string | null;
  value_1: string | null;
};

type Row = SeriesRow & { set_id: number; is_broken: boolean; quantity: string; skipped_events: number };

/**
 * Adds up the events of sets of spans by price and group; a group that is not counted apart falls into `others` of its
 * price (billing.md 3). The database decides all of it, and gives a row for each price and each group apart, whatever
 * the number of values. With `places`, `others` has a meaning only for aggregations whose parts add up.
 */
export async function quantitiesBySeries(db: Db, query: SeriesQuery): Promise<SeriesOfSets> {
  const { values, parameter } = createParameters();
  const { rows } = await db.query<Row>(statementOf(query, parameter), values);
  const counted = new Map<number, SeriesQuantity[]>(query.sets.map(({ set_id }) => [set_id, []]));
  for (const { set_id, is_broken, quantity, skipped_events, ...row } of rows)
    if (!is_broken)
      counted.get(set_id)!.push({ series: seriesOf(query.charge.group_by, row), quantity, skipped_events });
  return { counted, broken: rows.filter(({ is_broken }) => is_broken).map(({ set_id }) => set_id) };
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

/**
 * SQL: the parts of the usage are counted by set, price and group, and added up. `known` and `own` have the keys of the
 * groups apart of each owner: without and with the greatest.
 */
function statementOf(query: SeriesQuery, parameter: Parameter): string {
  const { charge, owners, sets } = query;
  const combined = charge.aggregation.type === 'max' ? 'max(quantity)' : 'sum(quantity)';
  const { columns, join } = collapsed(charge, 'own.keys');
  const owner_rows = owners.map(({ known, places }, owner) => ({
    owner,
    places,
    keys: Object.fromEntries(known.map((series) => [keyOf(series, charge), true])),
  }));
  const set_rows = sets.map(({ set_id, owner, is_free }) => ({ set_id, owner, is_free }));
  return `
    with ${spansOf(sets, parameter)}, ${cellsOfDays(charge, sets, parameter)}, known as materialized (
      select * from jsonb_to_recordset(${parameter(JSON.stringify(owner_rows))})
        as o(owner integer, places integer, keys jsonb)
    ), counted_set as materialized (
      select s.set_id, s.is_free, known.*
      from jsonb_to_recordset(${parameter(JSON.stringify(set_rows))})
        as s(set_id integer, owner integer, is_free boolean)
      join known using (owner)
    ), part as (
      ${partsOf(query, parameter)}
    ), counted as materialized (
      select set_id, ${SERIES}, ${combined} as quantity, sum(skipped_events) as skipped_events
      from part group by set_id, ${SERIES}
    ), added as (
      select * from (
        select owner, places, ${SERIES}, row_number() over (
          partition by owner order by greatest(coalesce(quantity, 0), 0) desc, ${SERIES}) as place
        from counted join counted_set using (set_id)
        where is_free and not others and not keys ? (${SERIES_KEY})
      ) as ranked where place <= places
    ), own as materialized (
      select known.owner, known.keys || coalesce((
        select jsonb_object_agg(${SERIES_KEY}, true) from added where added.owner = known.owner), '{}') as keys
      from known
    ), series as (
      select set_id, ${columns}, ${shownQuantity(combined)} as quantity, sum(skipped_events)::integer as skipped_events
      from counted join counted_set using (set_id) join own using (owner) ${join} group by 1, 2, 3, 4, 5
    )
    select false as is_broken, series.* from series
    union all
    select true, set_id, null, null, null, null, null, null from broken`;
}

/**
 * SQL: the events of the spans, and the cells of the days. All groups are counted only where the greatest of them are
 * wanted.
 */
function partsOf(query: SeriesQuery, parameter: Parameter): string {
  const { charge, owners } = query;
  const { quantity, value } = aggregateOf(charge.aggregation, parameter);
  const { columns, join } = owners.some(({ places }) => places > 0) ? ALL_GROUPS : collapsed(charge, 'keys');
  return `
    select span.set_id, ${columns}, (${quantity})::numeric as quantity,
      ${value === null ? '0::bigint' : `count(*) filter (where (${value}) is null)`} as skipped_events
    ${heldEvents(query, parameter, 'join counted_set using (set_id)')}
    cross join lateral (${seriesColumns(charge, OF_EVENT, parameter)}) as of_event ${join}
    where price_index is distinct from -1 group by 1, 2, 3, 4, 5
    union all
    select cell.set_id, ${columns}, ${quantityOfCell(charge)}, cell.skipped_events
    from cell join counted_set using (set_id)
    cross join lateral (${seriesColumns(charge, OF_CELL, parameter)}) as of_cell ${join}
    where price_index is distinct from -1 and ${passes(charge.filters, OF_CELL, parameter)}`;
}

/** SQL: the columns of a series with its values where a condition holds. */
function valuesWhere(condition: string, others_column: string): string {
  const values = ['value_0', 'value_1'].map(
    (value) => `case when ${condition} then ${value} end as ${value}`,
  );
  return `price_index, ${others_column} as others, ${values.join(', ')}`;
}

const ALL_GROUPS = { columns: valuesWhere('not others', 'others'), join: '' };

/**
 * SQL: the columns of a series in which each group whose key is not in `keys` is `others`, and the join that they need.
 */
function collapsed({ group_by }: Charge, keys: string): { columns: string; join: string } {
  if (group_by === null) return ALL_GROUPS;
  return {
    columns: valuesWhere('is_own', 'not is_own'),
    join: `cross join lateral (select not others and ${keys} ? (${SERIES_KEY}) as is_own offset 0) as kept`,
  };
}
