import { causesOfStatus, type BillingStatus, type Cause } from '../../domain/usage/billing-cause.ts';
import { invalid } from '../../domain/money/errors.ts';
import { pendingWithin } from './pending-days.ts';
import { readLateUsageDays } from './report-settings.ts';
import type { EventPage, PlacedEvent } from '../events/event-list.ts';
import { eventsNotRolledUp, readPositions } from '../events/rollup.ts';
import { createParameters } from '../connection/parameters.ts';
import type { Db } from '../connection/pool.ts';
import { nextDay } from './counted-causes.ts';
import { cellsOf, type Cell } from './event-sources.ts';
import { dayOf } from './report-range.ts';
import { eventsWithCause, readSlice, type Place } from './status-slices.ts';

/** The events to list. An event of several charges has the status under which the usage report counts it. */
export type StatusFilter = {
  billing_status: BillingStatus;
  /** Null means all customers. */
  customer_key: string | null;
  /** Null means all names. */
  event_name: string | null;
  from: string;
  to: string;
};

/** Limits of a page: events whose status it reads, the cells of a day and their events, and what is not counted. */
const READ_MAX = 200_000;
const CELLS_MAX = 500;
const CELLS_EVENTS_MAX = 200_000;
const SUBSCRIPTIONS_MAX = 1000;
const NOT_ROLLED_UP_MAX = 20_000;
const CHANGED_MAX = 100;
const CHANGED_CELLS_MAX = 20_000;
/** Events of the first slice beyond a page, and of the greatest one. */
const SLICE = { more: 50, most: 5000 };

type Query = StatusFilter & {
  environment_id: number;
  late_usage_days: number;
  causes: Cause[];
  limit: number;
  /** The most subscriptions: with more, the cells of subscribed customers are not looked up one by one. */
  subscriptions_max: number;
};

/**
 * A page of the events that have a billing status, newest timestamp first; in one snapshot. The counts by cause name
 * the days and customers that have such events, so that a page reads little more than it shows. Throws invalid_request
 * `too_large` if it has to read too much.
 */
export async function listEventsByStatus(
  db: Db,
  environment_id: number,
  {
    filter,
    after,
    limit,
    read_max = READ_MAX,
    subscriptions_max = SUBSCRIPTIONS_MAX,
  }: EventPage & { filter: StatusFilter; read_max?: number; subscriptions_max?: number },
): Promise<PlacedEvent[]> {
  const late_usage_days = await readLateUsageDays(db);
  const causes = causesOfStatus(filter.billing_status);
  const query: Query = { ...filter, environment_id, late_usage_days, causes, limit, subscriptions_max };
  const events: PlacedEvent[] = [];
  let reads_left = read_max;
  for await (const place of placesOf(db, query, after)) {
    for (
      let from_here = after, size = limit + SLICE.more;
      events.length < limit;
      size = Math.min(size * 4, SLICE.most)
    ) {
      const slice = await readSlice(db, { ...place, after: from_here }, size);
      if (slice === null) break;
      reads_left -= slice.events;
      if (reads_left < 0) throw tooLarge(read_max);
      events.push(
        ...(await eventsWithCause(db, {
          place: { ...place, after: from_here },
          slice,
          causes,
          late_usage_days,
        })),
      );
      from_here = slice.last;
    }
    if (events.length >= limit) break;
  }
  return events.slice(0, limit);
}

function tooLarge(read_max: number): Error {
  return invalid(
    'billing_status',
    'too_large',
    `the page would have to read more than ${read_max} events: ask for less time between from and to, or for a customer_id`,
  );
}

/** The places that may have such events, newest first, each a day; or the whole range if too much is not counted. */
async function* placesOf(db: Db, query: Query, after: EventPage['after']): AsyncIterable<Place> {
  const { environment_id, customer_key, event_name, from } = query;
  const to = after === null ? query.to : endOf(after.timestamp, query.to);
  const everywhere: Place = { environment_id, customer_key, event_name, cells: null, from, to, after };
  const unfolded = await unfoldedCells(db, query, to);
  if (unfolded === null) {
    yield everywhere;
    return;
  }
  for (let before = to; ;) {
    const counted = await newestDay(db, query, before);
    const added = unfolded.filter(({ day }) => day < before).map(({ day }) => day);
    const day = [...added, ...(counted === null ? [] : [counted])].sort().at(-1);
    if (day === undefined) return;
    const stored = counted === day ? await cellsOfDay(db, query, day) : [];
    const cells = stored && unique([...stored, ...unfolded.filter((cell) => cell.day === day)]);
    yield {
      ...everywhere,
      cells: cells === null || (await areTooMany(db, cells)) ? null : cells,
      from: from > day ? from : day,
      to: to < nextDay(day) ? to : nextDay(day),
    };
    before = day;
  }
}

/** Whether reading the whole day of all customers is better than all events of these cells. */
async function areTooMany(db: Db, cells: readonly Cell[]): Promise<boolean> {
  if (cells.length > CELLS_MAX) return true;
  const { values, parameter } = createParameters();
  const { rows } = await db.query<{ events: number }>(
    `select coalesce(sum(d.events), 0)::float8 as events from ${cellsOf(cells, parameter)}
     join usage_days d on d.customer_key = cell.customer_key and d.event_name = cell.event_name
       and d.property = '' and d.day = cell.day`,
    values,
  );
  return rows[0]!.events > CELLS_EVENTS_MAX;
}

/** The first instant after a timestamp, but not after `to`. */
function endOf(timestamp: string, to: string): string {
  const end = new Date(Date.parse(timestamp) + 1).toISOString();
  return end < to ? end : to;
}

function unique(cells: readonly Cell[]): Cell[] {
  return [...new Map(cells.map((cell) => [`${cell.customer_key} ${cell.event_name}`, cell])).values()];
}

/** SQL: counts `d` of events with one of the causes `cause`, in range. */
function countedIn({ environment_id, customer_key, event_name, from }: Query, before: string) {
  const { values, parameter } = createParameters();
  const owner =
    customer_key === null
      ? `d.environment_id = ${parameter(environment_id)}`
      : `d.customer_key = ${parameter(customer_key)}`;
  const name = event_name === null ? '' : `and d.event_name = ${parameter(event_name)}`;
  const conditions = `${owner} ${name} and d.day >= ${parameter(dayOf(from))} and d.day < ${parameter(before)}`;
  return { values, parameter, conditions };
}

/** The newest day before an instant that has such events. */
async function newestDay(db: Db, query: Query, before: string): Promise<string | null> {
  const { values, parameter, conditions } = countedIn(query, before);
  const { rows } = await db.query<{ day: string | null }>(
    `select max(found.day) as day from unnest(${parameter(query.causes)}::text[]) as c(cause)
     cross join lateral (
       select d.day from ${query.customer_key === null ? 'report_days' : 'billing_days'} d
       where ${conditions} and d.cause = c.cause order by d.day desc limit 1) as found`,
    values,
  );
  return rows[0]!.day;
}

/**
 * The cells of a day that have such events, up to one more than are read one by one. Null if all events of the day are
 * to be read: no index finds cells that are billed or pending, because nearly all customers have some, where all are
 * subscribed.
 */
async function cellsOfDay(db: Db, query: Query, day: string): Promise<Cell[] | null> {
  const is_indexed = !query.causes.some((cause) => cause === 'billed' || cause === 'pending');
  if (query.customer_key === null && !is_indexed) return subscribedCells(db, query, day);
  const indexed = is_indexed ? `and d.cause <> 'billed' and d.cause <> 'pending'` : '';
  const { values, parameter, conditions } = countedIn({ ...query, from: day }, nextDay(day));
  const { rows } = await db.query<Cell>(
    `select d.customer_key, d.event_name, d.day from billing_days d
     where ${conditions} ${indexed} and d.cause = any(${parameter(query.causes)}) limit ${parameter(CELLS_MAX + 1)}`,
    values,
  );
  return rows;
}

/** Lists the cells for causes that only subscribed customers have; null if there are too many subscriptions. */
async function subscribedCells(db: Db, query: Query, day: string): Promise<Cell[] | null> {
  const { values, parameter, conditions } = countedIn({ ...query, from: day }, nextDay(day));
  const { rows } = await db.query<{ cells: Cell[]; is_cut: boolean }>(
    `with subscribed as materialized (
       select customer_id from subscriptions where environment_id = ${parameter(query.environment_id)}
       order by customer_id limit ${parameter(query.subscriptions_max + 1)}
     ), found as (
       select d.customer_key, d.event_name, d.day from (select distinct customer_id from subscribed) as s
       join customers c on c.environment_id = ${parameter(query.environment_id)} and c.id = s.customer_id
       cross join lateral (
         select * from billing_days d
         where d.customer_key = c.key and ${conditions} and d.cause = any(${parameter(query.causes)}) offset 0) as d
       where (select count(*) from subscribed) <= ${parameter(query.subscriptions_max)}
       limit ${parameter(CELLS_MAX + 1)}
     )
     select (select count(*) from subscribed) > ${parameter(query.subscriptions_max)} as is_cut,
       coalesce(jsonb_agg(jsonb_build_object('customer_key', customer_key::text, 'event_name', event_name,
         'day', instant_text(day))), '[]') as cells
     from found`,
    values,
  );
  const { cells, is_cut } = rows[0]!;
  return is_cut ? null : cells;
}

/**
 * Cells whose counts may lack such events: with events not rolled up, or changes not counted. Null if there are too
 * many.
 */
async function unfoldedCells(db: Db, query: Query, to: string): Promise<Cell[] | null> {
  const { environment_id, customer_key, event_name, from } = query;
  const changed = await pendingWithin(db, { environment_id, customer_key, from, to, limit: CHANGED_MAX });
  if (changed === null) return null;
  const { rows: of_changes } = await db.query<Cell>(
    `with changed as materialized (
       select customer_key, date_trunc('day', starts_at, 'UTC') as from_day, ends_at
       from unnest($1::bigint[], $2::timestamptz[], $3::timestamptz[]) as c(customer_key, starts_at, ends_at)
     )
     select d.customer_key, d.event_name, d.day from changed c
     join usage_days d on d.customer_key = c.customer_key and d.property = '' and d.day >= c.from_day
       and d.day < c.ends_at
     where $4::text is null or d.event_name = $4
     union
     select d.customer_key, d.event_name, d.day from changed c
     join billing_days d on d.customer_key = c.customer_key and d.day >= c.from_day and d.day < c.ends_at
     where $4::text is null or d.event_name = $4
     limit $5`,
    [
      changed.map((change) => change.customer_key),
      changed.map((change) => change.from),
      changed.map((change) => change.to),
      event_name,
      CHANGED_CELLS_MAX + 1,
    ],
  );
  if (of_changes.length > CHANGED_CELLS_MAX) return null;
  const recent = await recentCells(db, query, to);
  return recent === null ? null : [...of_changes, ...recent];
}

async function recentCells(db: Db, query: Query, to: string): Promise<Cell[] | null> {
  const { environment_id, customer_key, event_name, from } = query;
  const { values, parameter } = createParameters();
  const source = eventsNotRolledUp(await readPositions(db), NOT_ROLLED_UP_MAX + 1);
  const { rows } = await db.query<{ cells: Cell[]; is_cut: boolean }>(
    `with recent as materialized (
       select environment_id, customer_key, event_name, timestamp from ${source(parameter)} as e)
     select (select count(*) from recent) > ${parameter(NOT_ROLLED_UP_MAX)} as is_cut,
       coalesce(jsonb_agg(distinct jsonb_build_object('customer_key', customer_key::text, 'event_name', event_name,
         'day', instant_text(date_trunc('day', timestamp, 'UTC')))), '[]') as cells
     from recent
     where environment_id = ${parameter(environment_id)} and timestamp >= ${parameter(from)}
       and timestamp < ${parameter(to)}
       and coalesce(customer_key = ${parameter(customer_key)}::bigint, true)
       and coalesce(event_name = ${parameter(event_name)}::text, true)`,
    values,
  );
  const { cells, is_cut } = rows[0]!;
  return is_cut ? null : cells;
}
