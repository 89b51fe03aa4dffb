import { type Aggregation, allowedTexts, type Charge, passes } from '../../domain/charge.ts';
import type { DailyUsage, Day, DayTotals, UsageDay } from '../../domain/daily-usage.ts';
import { groupedBy } from '../../domain/grouped.ts';
import { dimensionsOf } from '../../domain/series.ts';
import type { Db } from '../connection/pool.ts';
import { unrolled, UNROLLED_READ_MAX } from '../events/rollup.ts';

export type DailyUsageQuery = {
  customer_key: string;
  charges: readonly Charge[];
  /** Inclusive; `to` is exclusive. */
  from: string;
  to: string;
};

type NamedDay = Day & { event_name: string };
type Totals = NamedDay & Omit<UsageDay, 'totals'> & DayTotals & { property: string };

/** The values of a cell: the value of each property, as text; false for every value that no filter names. */
type CellValues = Readonly<Record<string, string | false>>;

/** Totals of the events of a day that have the same values. */
type StoredCell = DayTotals & { values: CellValues };

/** A cell of a name and property over all its days, whose totals stand beside each other. */
type CellOfDays = Pick<NamedDay, 'event_name'> & {
  property: string;
  properties: string[];
  values: CellValues;
  /** Unix seconds of the starts of the days. */
  days: number[];
  events: string[];
  skipped_events: number[];
  total: DayTotals['total'][];
  maximum: DayTotals['maximum'][];
};

/**
 * Daily totals of charges, by charge id. Null if too many events are not rolled up, or if the customer is set aside. Reads days with events
 * not rolled up first: a day that is rolled up between the two statements then appears in both, and counts as recent.
 */
export async function readDailyUsage(
  db: Db,
  query: DailyUsageQuery,
): Promise<ReadonlyMap<string, DailyUsage> | null> {
  const event_names = [...new Set(query.charges.map(({ event_name }) => event_name))];
  const recent = await recentDays(db, query.customer_key, event_names);
  if (recent === null) return null;
  const rows = await rolledUpDays(db, query, event_names);
  const cells = cellsByDay(await rolledUpCells(db, query));
  return new Map(query.charges.map((charge) => [charge.id, usageOf(charge, { recent, rows, cells })]));
}

type RolledUp = {
  recent: readonly NamedDay[];
  rows: readonly Totals[];
  cells: ReadonlyMap<string, CellDay>;
};

function usageOf(charge: Charge, { recent, rows, cells }: RolledUp): DailyUsage {
  const { event_name, aggregation } = charge;
  const ofName = rows.filter((row) => row.event_name === event_name);
  const property = propertyOf(aggregation);
  const added = new Map(ofName.filter((row) => row.property === property).map((row) => [row.starts_at, row]));
  const totalsOf = dimensionsOf(charge).length > 0 ? totalsByCell(charge) : totalsOfDay;
  return {
    recent_days: recent
      .filter((row) => row.event_name === event_name)
      .map(({ starts_at, ends_at }) => ({ starts_at, ends_at })),
    days: ofName
      .filter((row) => row.property === '')
      .map(({ starts_at, ends_at, first_stored_at, last_stored_at, last_epoch, last_xid, events }) => {
        const stored = { first_stored_at, last_stored_at, last_epoch, last_xid };
        const key = dayKey({ event_name, starts_at, property: property ?? '' });
        const rolled_up = { events, row: added.get(starts_at), cells: cells.get(key) };
        const totals = property === null ? null : totalsOf(rolled_up);
        return { starts_at, ends_at, ...stored, events, totals };
      }),
  };
}

/** The rollup of a day: the number of its events, and the row and the cells of a charge's property. */
type RolledUpDay = { events: string; row: Totals | undefined; cells: CellDay | undefined };

/** Null if the row does not have all events: no charge used the property when the first ones were rolled up. */
function totalsOfDay({ events, row }: RolledUpDay): DayTotals[] | null {
  if (row?.events !== events) return null;
  const { skipped_events, total, maximum } = row;
  return [{ events, skipped_events, total, maximum }];
}

/**
 * The cells that a charge selects. Null if the cells of the day do not have all its events, or not all properties of the charge: no charge
 * used the property when the first events were rolled up, or the day has more cells than are kept.
 */
function totalsByCell(charge: Charge): (day: RolledUpDay) => DayTotals[] | null {
  const properties = dimensionsOf(charge);
  const filters = allowedTexts(charge.filters);
  const [first] = filters;
  return ({ events, cells }) => {
    if (cells === undefined || `${cells.events}` !== events) return null;
    if (!properties.every((name) => cells.properties.has(name))) return null;
    const found = first === undefined ? cells.cells : cellsWith(cells, ...first);
    return found.filter(({ values }) => passes(filters, (property) => values[property]));
  };
}

/** The cells with one of the texts of a property, without a pass over all cells for each charge. */
function cellsWith(day: CellDay, property: string, texts: ReadonlySet<string>): StoredCell[] {
  const known = day.by_value.get(property);
  const by_value = known ?? groupedBy(day.cells, (cell) => `${cell.values[property]}`);
  if (known === undefined) day.by_value.set(property, by_value);
  return [...texts].flatMap((text) => by_value.get(text) ?? []);
}

/**
 * The cells of a name, day and property, with their number of events and the properties that all of them have. `by_value` has the cells by
 * the text of a value of each property that a charge selects by.
 */
type CellDay = {
  cells: StoredCell[];
  events: bigint;
  properties: ReadonlySet<string>;
  by_value: Map<string, ReadonlyMap<string, StoredCell[]>>;
};

type DayKey = Pick<NamedDay, 'event_name' | 'starts_at'> & { property: string };

function dayKey({ event_name, starts_at, property }: DayKey): string {
  return `${starts_at} ${event_name.length} ${event_name} ${property}`;
}

function emptyDay(properties: readonly string[]): CellDay {
  return { cells: [], events: 0n, properties: new Set(properties), by_value: new Map() };
}

function cellsByDay(stored: readonly CellOfDays[]): Map<string, CellDay> {
  const days = new Map<string, CellDay>();
  const startOf = startsOfDays();
  for (const { event_name, property, properties, values, ...of_days } of stored) {
    for (const [at, seconds] of of_days.days.entries()) {
      const key = dayKey({ event_name, property, starts_at: startOf(seconds) });
      const events = of_days.events[at]!;
      const day: CellDay = days.get(key) ?? emptyDay(properties);
      day.cells.push({
        values,
        events,
        skipped_events: of_days.skipped_events[at]!,
        total: of_days.total[at]!,
        maximum: of_days.maximum[at]!,
      });
      day.events += BigInt(events);
      if (properties.length !== day.properties.size || properties.some((name) => !day.properties.has(name)))
        day.properties = new Set(properties.filter((name) => day.properties.has(name)));
      days.set(key, day);
    }
  }
  return days;
}

/** Starts of days from Unix seconds, each made once. */
function startsOfDays(): (seconds: number) => string {
  const known = new Map<number, string>();
  return (seconds) => {
    const starts_at = known.get(seconds) ?? new Date(seconds * 1000).toISOString();
    known.set(seconds, starts_at);
    return starts_at;
  };
}

/** The property whose rollup rows give a charge's quantity ('' counts events); null if daily totals do not add up to the quantity. */
function propertyOf(aggregation: Aggregation): string | null {
  switch (aggregation.type) {
    case 'count':
      return '';
    case 'sum':
    case 'max':
      return aggregation.property;
    case 'unique':
    case 'latest':
      return null;
  }
}

/** Days with events that are not rolled up. Null if there are too many such events, or if the customer is set aside. */
async function recentDays(
  db: Db,
  customer_key: string,
  event_names: readonly string[],
): Promise<NamedDay[] | null> {
  const { rows } = await db.query<{ days: NamedDay[]; is_cut: boolean; is_set_aside: boolean }>(
    `with recent as materialized (select * from ${unrolled('$3 + 1')} as e), found as (
       select distinct event_name, date_trunc('day', timestamp, 'UTC') as day from recent
       where customer_key = $1 and event_name = any($2)
     )
     select (select count(*) from recent) > $3 as is_cut, exists (
         select from set_aside s join customers c on c.environment_id = s.environment_id and c.id = s.customer_id
         where s.job = 'rollup' and c.key = $1
       ) as is_set_aside, coalesce(jsonb_agg(jsonb_build_object('event_name', event_name,
         'starts_at', instant_text(day), 'ends_at', instant_text(day + interval '24 hours'))), '[]') as days
     from found`,
    [customer_key, event_names, UNROLLED_READ_MAX],
  );
  const { days, is_cut, is_set_aside } = rows[0]!;
  return is_cut || is_set_aside ? null : days;
}

async function rolledUpDays(
  db: Db,
  { customer_key, charges, from, to }: DailyUsageQuery,
  event_names: readonly string[],
): Promise<Totals[]> {
  const properties = new Set(charges.map(({ aggregation }) => propertyOf(aggregation) ?? '').concat(''));
  const { rows } = await db.query<Totals>(
    `select event_name, property, day as starts_at, day + interval '24 hours' as ends_at, events::text,
       skipped_events::integer, trim_scale(total)::text as total, trim_scale(maximum)::text as maximum, first_stored_at,
       last_stored_at, last_epoch, last_xid::text
     from usage_days
     where customer_key = $1 and event_name = any($2) and property = any($3)
       and day >= date_trunc('day', $4::timestamptz, 'UTC') and day < $5
     order by day`,
    [customer_key, event_names, [...properties], from, to],
  );
  return rows;
}

/**
 * The cells of the names that a charge with dimensions counts, at most CELLS_MAX a day, each with all its days in one row. A value that
 * no filter names is not sent, so two rows may stand for the same values; prices and groups are counted by quantitiesBySeries.
 */
async function rolledUpCells(
  db: Db,
  { customer_key, charges, from, to }: DailyUsageQuery,
): Promise<CellOfDays[]> {
  const by_cell = charges.filter((charge) => dimensionsOf(charge).length > 0);
  if (by_cell.length === 0) return [];
  const { rows } = await db.query<CellOfDays>(
    `select event_name, property, named.properties, named."values", days, events, skipped_events, total, maximum
     from (
       select event_name, property, (array_agg("values"))[1] as "values",
         json_agg(extract(epoch from day)::integer) as days, json_agg(events::text) as events,
         json_agg(skipped_events) as skipped_events, json_agg(trim_scale(total)::text) as total,
         json_agg(trim_scale(maximum)::text) as maximum
       from usage_cells
       where customer_key = $1 and event_name = any($2) and property = any($3)
         and day >= date_trunc('day', $4::timestamptz, 'UTC') and day < $5
       group by event_name, property, cell) as c
     cross join lateral (
       select array(select jsonb_object_keys(c."values")) as properties, (
         select coalesce(jsonb_object_agg(property, case
           when jsonb_typeof(c."values" -> property) = 'string' and texts ? (c."values" ->> property)
             then c."values" -> property
           else 'false' end), '{}')
         from jsonb_each($6::jsonb) as filter(property, texts) where c."values" ? property) as "values"
       offset 0) as named`,
    [
      customer_key,
      [...new Set(by_cell.map(({ event_name }) => event_name))],
      [...new Set(by_cell.map(({ aggregation }) => propertyOf(aggregation) ?? ''))],
      from,
      to,
      JSON.stringify(filteredValues(by_cell)),
    ],
  );
  return rows;
}

/** The values that filters name, as text, by property. */
function filteredValues(charges: readonly Charge[]): Record<string, string[]> {
  const found = new Map<string, Set<string>>();
  for (const [property, texts] of charges.flatMap(({ filters }) => [...allowedTexts(filters)]))
    found.set(property, new Set([...(found.get(property) ?? []), ...texts]));
  return Object.fromEntries([...found].map(([property, texts]) => [property, [...texts]]));
}
