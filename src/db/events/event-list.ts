import { daysOfName } from './event-days.ts';
import { eventIdOfUuid, uuidOfEventId, uuidOfKey } from './event-id.ts';
import { isOfKey } from './event-keys.ts';
import { createParameters, type Parameter } from '../connection/parameters.ts';
import { invalid } from '../../domain/money/errors.ts';
import type { UsageEvent } from '../../objects/event.ts';
import type { Db } from '../connection/pool.ts';

/** The last event of a page; the next page begins after it. */
export type EventPosition = { timestamp: string; id: string };

export type EventFilter = {
  customer_id?: string | undefined;
  event_name?: string | undefined;
  idempotency_key?: string | undefined;
  /** Inclusive. */
  from?: string | undefined;
  /** Exclusive. */
  to?: string | undefined;
};

/** SQL: the columns of an EventRow of the event `e`, which OWNER joins to its customer. */
export const EVENT = `select e.id as position, e.key_hash, n.livemode, e.event_name, c.external_id as customer_id,
    e.idempotency_key, e.timestamp, e.properties, e.created_at`;
/** A lateral join, so that customers are looked up one by one and never scanned, however many there are. */
export const OWNER = `join lateral (
    select external_id from customers
    where environment_id = e.environment_id and key = e.customer_key offset 0) as c on true
  join environments n on n.id = e.environment_id`;

export type EventRow = Omit<UsageEvent, 'id' | 'object'> & { position: string; key_hash: string };

/** The events to list: a half-open interval of timestamps, and SQL conditions on the event `e`. */
type EventQuery = {
  /** SQL of the common tables that the conditions name. */
  commonTables?: (parameter: Parameter) => string;
  conditions: (parameter: Parameter) => string[];
  from: string | undefined;
  to: string | undefined;
  /** Where no index serves the conditions: the events to search for them, the newest of an environment. */
  searched?: { environment_id: number; searched_max: number };
};

/** Events that one page searches without an index, in half a second: only while many events are not rolled up. */
const SEARCHED_MAX = 500_000;

/** The position after which a page begins, and its maximum length. */
export type EventPage = { after: EventPosition | null; limit: number };

/** An event and its position in the list. */
export type PlacedEvent<Event extends UsageEvent = UsageEvent> = { event: Event; position: EventPosition };

/**
 * A page of the events that match a filter. An unknown customer has none; events of one customer come from the index
 * events_customer.
 */
export async function listEvents(
  db: Db,
  environment_id: number,
  page: EventPage & { filter: EventFilter; searched_max?: number },
): Promise<PlacedEvent[]> {
  const { filter, searched_max = SEARCHED_MAX, ...place } = page;
  const days = await daysOf(db, environment_id, page);
  const { from, to } = filter;
  const query = { conditions: conditionsOf(environment_id, filter), from, to };
  if (days !== null) return readDays(db, query, { ...place, days });
  if (!isByNameAlone(filter)) return readEventPage(db, query, place);
  const searched = { environment_id, searched_max };
  const events = await readEventPage(db, { ...query, searched }, place);
  if (events.length < place.limit) await refuseIfMore(db, environment_id, { ...page, searched_max });
  return events;
}

function conditionsOf(environment_id: number, filter: EventFilter): EventQuery['conditions'] {
  return (parameter) => {
    const environment = parameter(environment_id);
    const { customer_id, idempotency_key, event_name } = filter;
    const conditions: string[] = [];
    if (customer_id === undefined) conditions.push(`e.environment_id = ${environment}`);
    else conditions.push(`e.customer_key = ${customerKey(environment, parameter(customer_id))}`);
    if (idempotency_key !== undefined)
      conditions.push(isOfKey(parameter(uuidOfKey(environment_id, idempotency_key))));
    if (event_name !== undefined) conditions.push(`e.event_name = ${parameter(event_name)}`);
    return conditions;
  };
}

const DAY_MS = 24 * 60 * 60 * 1000;

function withinDay({ from = '', to = '~' }: Pick<EventQuery, 'from' | 'to'>, day: string) {
  const day_end = new Date(Date.parse(day) + DAY_MS).toISOString();
  return { from: from > day ? from : day, to: to < day_end ? to : day_end };
}

/** A page of the events of some UTC days, by their first instants: a statement a day, until the page is full. */
async function readDays(
  db: Db,
  query: EventQuery,
  { days, after, limit }: EventPage & { days: readonly string[] },
): Promise<PlacedEvent[]> {
  const events: PlacedEvent[] = [];
  for (const day of [...days].sort().reverse()) {
    if (events.length >= limit) break;
    const range = withinDay(query, day);
    events.push(
      ...(await readEventPage(db, { ...query, ...range }, { after, limit: limit - events.length })),
    );
  }
  return events;
}

function isByNameAlone({ event_name, customer_id, idempotency_key }: EventFilter): boolean {
  return event_name !== undefined && customer_id === undefined && idempotency_key === undefined;
}

/** Refuses a search that ended before the end of its range: events that it did not reach may match. */
async function refuseIfMore(
  db: Db,
  environment_id: number,
  { filter: { from, to }, after, searched_max }: EventPage & { filter: EventFilter; searched_max: number },
): Promise<void> {
  const { rows } = await db.query(
    `select 1 from events e
     where e.environment_id = $1 and ($2::timestamptz is null or e.timestamp >= $2)
       and ($3::timestamptz is null or e.timestamp < $3)
       and ($4::timestamptz is null or (e.timestamp, e.id) < ($4, $5::bigint))
     order by e.timestamp desc, e.id desc offset $6 limit 1`,
    [environment_id, from ?? null, to ?? null, after?.timestamp ?? null, after?.id ?? null, searched_max],
  );
  if (rows.length > 0)
    throw invalid(
      'event_name',
      'too_large',
      'more events than a list searches are not counted by name yet: ask for less time between from and to, or for a customer_id',
    );
}

/**
 * The days to search if the filter has an event name alone; null otherwise, because every other filter has an index.
 */
async function daysOf(
  db: Db,
  environment_id: number,
  { filter, after, limit }: EventPage & { filter: EventFilter },
): Promise<string[] | null> {
  const { event_name, from, to } = filter;
  if (event_name === undefined || !isByNameAlone(filter)) return null;
  return daysOfName(db, environment_id, { event_name, from, to: after?.timestamp ?? to, events: limit });
}

/**
 * Events, newest timestamp first, ties newest stored first. A page costs the same at any depth: one index gives the
 * order, the row comparison seeks in it, and the limit applies before the join. A cursor before `to` replaces it; with
 * both, Postgres would start the scan at `to`.
 */
export async function readEventPage(
  db: Db,
  { commonTables, conditions, from, to, searched }: EventQuery,
  { after, limit }: EventPage,
): Promise<PlacedEvent[]> {
  const { values, parameter } = createParameters();
  const common_tables = commonTables === undefined ? '' : `with ${commonTables(parameter)}`;
  const is_after_within = after !== null && (to === undefined || after.timestamp < to);
  const range: string[] = [];
  if (from !== undefined) range.push(`e.timestamp >= ${parameter(from)}`);
  if (to !== undefined && !is_after_within) range.push(`e.timestamp < ${parameter(to)}`);
  if (is_after_within)
    range.push(`(e.timestamp, e.id) < (${parameter(after.timestamp)}, ${parameter(after.id)})`);
  const newest = (wanted: readonly string[], most: number) => `
       select e.* from events e where ${[...wanted, ...range].join(' and ')}
       order by e.timestamp desc, e.id desc limit ${parameter(most)}`;
  const ofEnvironment = ({ environment_id }: { environment_id: number }) =>
    `e.environment_id = ${parameter(environment_id)}`;
  const source =
    searched === undefined
      ? newest(conditions(parameter), limit)
      : `select e.* from (${newest([ofEnvironment(searched)], searched.searched_max)}) as e
         where ${conditions(parameter).join(' and ')}
         order by e.timestamp desc, e.id desc limit ${parameter(limit)}`;
  const { rows } = await db.query<EventRow>(
    `${common_tables} ${EVENT} from (${source}) as e ${OWNER}
     order by e.timestamp desc, e.id desc`,
    values,
  );
  return rows.map(placedEvent);
}

/** An event with its place in the order of a list. */
export function placedEvent(row: EventRow): PlacedEvent {
  return { event: eventOf(row), position: { timestamp: row.timestamp, id: row.position } };
}

/** An event by its public id; null if the environment has none. */
export async function findEvent(db: Db, environment_id: number, id: string): Promise<UsageEvent | null> {
  const key_hash = uuidOfEventId(id);
  if (key_hash === null) return null;
  const { rows } = await db.query<EventRow>(
    `${EVENT} from (
       select e.* from events e where e.environment_id = $1 and ${isOfKey('$2')} offset 0
     ) as e ${OWNER}`,
    [environment_id, key_hash],
  );
  return rows[0] === undefined ? null : eventOf(rows[0]);
}

/** SQL: the customer's key by `cus_` id or external id; an external_id never begins with `cus_`. */
function customerKey(environment: string, customer_id: string): string {
  return `(select key from customers where environment_id = ${environment} and ${customer_id} in (id, external_id))`;
}

function eventOf({ position: _, key_hash, livemode, ...fields }: EventRow): UsageEvent {
  return { id: eventIdOfUuid(key_hash), object: 'event', livemode, ...fields };
}
