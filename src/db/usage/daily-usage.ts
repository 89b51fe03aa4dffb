import { type Aggregation, allowedTexts, type Charge, passes } from '../../domain/pricing/charge.ts';
import type { DailyUsage, DayTotals, UsageDay } from '../../domain/usage/daily-usage.ts';
import { groupedBy } from '../../domain/money/grouped.ts';
import { dimensionsOf } from '../../domain/pricing/series.ts';
import type { Db } from '../connection/pool.ts';
import { recentDays, type NamedDay } from './recent-days.ts';

export type DailyUsageQuery = {
  customer_key: string;
  charges: readonly Charge[];
  /** Inclusive; `to` is exclusive. */
  from: string;
  to: string;
};

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
 * Daily totals of charges, by customer_key and charge id; one query for each customer. A customer has none if it is set
 * aside, or if too many events are not rolled up. Reads days with events not rolled up first: a day that is rolled up
 * between the two statements then appears in both, and counts as recent.
 */
export async function readDailyUsage(
  db: Db,
  queries: readonly DailyUsageQuery[],
): Promise<Map<string, ReadonlyMap<string, DailyUsage>>> {
  const queries_with_charges = queries.filter(({ charges }) => charges.length > 0);
  if (queries_with_charges.length === 0) return new Map();
  const recent = await recentDays(db, queries_with_charges);
  const read = queries_with_charges.filter(({ customer_key }) => recent.has(customer_key));
  if (read.length === 0) return new Map();
  const rows = groupedBy(await rolledUpDays(db, read), ({ customer_key }) => customer_key);
  const cells = groupedBy(await rolledUpCells(db, read), ({ customer_key }) => customer_key);
  return new Map(
    read.map(({ customer_key, charges }) => {
      const rolled_up = {
        recent: recent.get(customer_key)!,
        rows: rows.get(customer_key) ?? [],
        cells: cellsByDay(cells.get(customer_key) ?? []),
      };
      return [customer_key, new Map(charges.map((charge) => [charge.id, usageOf(charge, rolled_up)]))];
    }),
  );
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
 * The cells that a charge selects. Null if the cells of the day do not have all its events, or not all properties of
 * the charge: no charge used the property when the first events were rolled up, or the day has more cells than are
 * kept.
 */
function totalsByCell(charge: Charge): (day: RolledUpDay) => DayTotals[] | null {
  const properties = dimensionsOf(charge);
  const filters = allowedTexts(charge.filters);
  const [first] = filters;
  return ({ events, cells }) => {
    if (cells === undefined || `${cells.events}` !== events) return null;
    if (!properties.every((name) => cells.properties.has(name))) return null;
    const day_cells = first === undefined ? cells.cells : cellsWith(cells, ...first);
    return day_cells.filter(({ values }) => passes(filters, (property) => values[property]));
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
 * The cells of a name, day and property, with their number of events and the properties that all of them have.
 * `by_value` has the cells by the text of a value of each property that a charge selects by.
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

/**
 * The property whose rollup rows give a charge's quantity ('' counts events); null if daily totals do not add up to the
 * quantity.
 */
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

/** SQL: what is asked of the rollup, from the JSON text $1. */
const ASKED = `jsonb_to_recordset($1) as asked(customer_key bigint, event_name text, property text, "from" timestamptz,
  "to" timestamptz)`;

/** The values of ASKED: each name and property of a customer once. */
function askedOf(
  queries: readonly DailyUsageQuery[],
  propertiesOf: (charge: Charge) => string[],
): { customer_key: string; event_name: string; property: string; from: string; to: string }[] {
  return queries.flatMap(({ customer_key, charges, from, to }) => {
    const pairs = charges.flatMap((charge) =>
      propertiesOf(charge).map((property) => ({ event_name: charge.event_name, property })),
    );
    const different = new Map(pairs.map((pair) => [JSON.stringify(pair), pair])).values();
    return [...different].map((pair) => ({ customer_key, ...pair, from, to }));
  });
}

async function rolledUpDays(
  db: Db,
  queries: readonly DailyUsageQuery[],
): Promise<(Totals & { customer_key: string })[]> {
  const questions = askedOf(queries, ({ aggregation }) => ['', propertyOf(aggregation) ?? '']);
  const { rows } = await db.query<Totals & { customer_key: string }>(
    `select d.customer_key, d.event_name, d.property, d.day as starts_at, d.day + interval '24 hours' as ends_at,
       d.events::text, d.skipped_events::integer, trim_scale(d.total)::text as total,
       trim_scale(d.maximum)::text as maximum, d.first_stored_at, d.last_stored_at, d.last_epoch, d.last_xid::text
     from ${ASKED}
     join usage_days d on d.customer_key = asked.customer_key and d.event_name = asked.event_name
       and d.property = asked.property and d.day >= date_trunc('day', asked."from", 'UTC') and d.day < asked."to"
     order by d.day`,
    [JSON.stringify(questions)],
  );
  return rows;
}

/**
 * The cells of the names that a charge with dimensions counts, at most CELLS_MAX a day, each with all its days in one
 * row. A value that no filter names is not sent, so two rows may stand for the same values; prices and groups are
 * counted by quantitiesBySeries.
 */
async function rolledUpCells(
  db: Db,
  queries: readonly DailyUsageQuery[],
): Promise<(CellOfDays & { customer_key: string })[]> {
  const by_cell = queries.map((query) => ({
    ...query,
    charges: query.charges.filter((charge) => dimensionsOf(charge).length > 0),
  }));
  const questions = askedOf(by_cell, ({ aggregation }) => [propertyOf(aggregation) ?? '']);
  if (questions.length === 0) return [];
  const { rows } = await db.query<CellOfDays & { customer_key: string }>(
    `select customer_key, event_name, property, named.properties, named."values", days, events, skipped_events, total,
       maximum
     from (
       select c.customer_key, c.event_name, c.property, (array_agg(c."values"))[1] as "values",
         json_agg(extract(epoch from c.day)::integer) as days, json_agg(c.events::text) as events,
         json_agg(c.skipped_events) as skipped_events, json_agg(trim_scale(c.total)::text) as total,
         json_agg(trim_scale(c.maximum)::text) as maximum
       from ${ASKED}
       join usage_cells c on c.customer_key = asked.customer_key and c.event_name = asked.event_name
         and c.property = asked.property and c.day >= date_trunc('day', asked."from", 'UTC') and c.day < asked."to"
       group by c.customer_key, c.event_name, c.property, c.cell) as c
     cross join lateral (
       select array(select jsonb_object_keys(c."values")) as properties, (
         select coalesce(jsonb_object_agg(property, case
           when jsonb_typeof(c."values" -> property) = 'string' and texts ? (c."values" ->> property)
             then c."values" -> property
           else 'false' end), '{}')
         from jsonb_each($2::jsonb) as filter(property, texts) where c."values" ? property) as "values"
       offset 0) as named`,
    [JSON.stringify(questions), JSON.stringify(filteredValues(by_cell.flatMap(({ charges }) => charges)))],
  );
  return rows;
}

/** The values that filters name, as text, by property. */
function filteredValues(charges: readonly Charge[]): Record<string, string[]> {
  const values = new Map<string, Set<string>>();
  for (const [property, texts] of charges.flatMap(({ filters }) => [...allowedTexts(filters)]))
    values.set(property, new Set([...(values.get(property) ?? []), ...texts]));
  return Object.fromEntries([...values].map(([property, texts]) => [property, [...texts]]));
}
