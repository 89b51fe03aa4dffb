import { daysOfName } from './event-days.ts';
import { eventIdOfUuid, uuidOfEventId, uuidOfKey } from './event-id.ts';
import { createParameters, type Parameters } from '../parameters.ts';
import type { Db } from '../pool.ts';

/** An event as the API shows it (contract.md 2); `customer_id` is the customer's external_id. */
export type Event = {
  id: string;
  object: 'event';
  livemode: boolean;
  event_name: string;
  customer_id: string;
  idempotency_key: string;
  timestamp: string;
  properties: object;
  created_at: string;
};

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

const EVENT = `select e.id as position, e.key_hash, n.livemode, e.event_name, c.external_id as customer_id, e.idempotency_key,
    e.timestamp, e.properties, e.created_at`;
/** A lateral join, so that customers are looked up one by one and never scanned, however many there are. */
const OWNER = `join lateral (
    select external_id from customers where environment_id = e.environment_id and key = e.customer_key offset 0) as c on true
  join environments n on n.id = e.environment_id`;

type Row = Omit<Event, 'id' | 'object'> & { position: string; key_hash: string };

/** Which events to list: a half-open interval of timestamps, and SQL conditions on the event `e`, composed with these parameters. */
type EventQuery = {
  conditions: readonly string[];
  parameters: Parameters;
  from: string | undefined;
  to: string | undefined;
  /** UTC days to search, by their first instants; null searches all. */
  days: readonly string[] | null;
};

/** The position after which a page begins, and its maximum length. */
export type EventPage = { after: EventPosition | null; limit: number };

/** An event and its position in the list. */
export type PlacedEvent = { event: Event; position: EventPosition };

/** A page of the events that match a filter. An unknown customer has none; events of one customer come from the index events_customer. */
export async function listEvents(
  db: Db,
  environment_id: number,
  page: EventPage & { filter: EventFilter },
): Promise<PlacedEvent[]> {
  const { filter, ...place } = page;
  const parameters = createParameters();
  const { parameter } = parameters;
  const environment = parameter(environment_id);
  const conditions: string[] = [];
  if (filter.customer_id === undefined) conditions.push(`e.environment_id = ${environment}`);
  else conditions.push(`e.customer_key = ${customerKey(environment, parameter(filter.customer_id))}`);
  if (filter.event_name !== undefined) conditions.push(`e.event_name = ${parameter(filter.event_name)}`);
  if (filter.idempotency_key !== undefined)
    conditions.push(`e.key_hash = ${parameter(uuidOfKey(environment_id, filter.idempotency_key))}`);
  const days = await daysOf(db, environment_id, page);
  if (days?.length === 0) return [];
  return readEventPage(db, { conditions, parameters, from: filter.from, to: filter.to, days }, place);
}

/** The days to search if the filter has an event name alone; null otherwise, because every other filter has an index. */
async function daysOf(
  db: Db,
  environment_id: number,
  { filter, after, limit }: EventPage & { filter: EventFilter },
): Promise<string[] | null> {
  const { event_name, customer_id, idempotency_key, from, to } = filter;
  if (event_name === undefined || customer_id !== undefined || idempotency_key !== undefined) return null;
  return daysOfName(db, environment_id, { event_name, from, to: after?.timestamp ?? to, events: limit });
}

/**
 * Events, newest timestamp first, ties newest stored first. A page costs the same at any depth: one index gives the order, the row
 * comparison seeks in it, and the limit applies before the join. After the first page the cursor replaces `to`; with both, Postgres would
 * start the scan at `to`.
 */
export async function readEventPage(
  db: Db,
  query: EventQuery,
  { after, limit }: EventPage,
): Promise<PlacedEvent[]> {
  const { values, parameter } = query.parameters;
  const conditions = [...query.conditions];
  if (query.from !== undefined) conditions.push(`e.timestamp >= ${parameter(query.from)}`);
  if (after === null && query.to !== undefined) conditions.push(`e.timestamp < ${parameter(query.to)}`);
  if (after !== null)
    conditions.push(`(e.timestamp, e.id) < (${parameter(after.timestamp)}, ${parameter(after.id)})`);
  const events = (condition: string) => `(
       select e.* from events e where ${[...conditions, condition].join(' and ')}
       order by e.timestamp desc, e.id desc limit ${parameter(limit)})`;
  const { rows } = await db.query<Row>(
    `${EVENT} from (
       select e.* from ${
         query.days === null
           ? events('true')
           : `unnest(${parameter(query.days)}::timestamptz[]) as d(day)
         cross join lateral ${events(`e.timestamp >= d.day and e.timestamp < d.day + interval '24 hours'`)}`
       } as e
       order by e.timestamp desc, e.id desc limit ${parameter(limit)}
     ) as e ${OWNER}
     order by e.timestamp desc, e.id desc`,
    values,
  );
  return rows.map((row) => ({
    event: eventOf(row),
    position: { timestamp: row.timestamp, id: row.position },
  }));
}

/** An event by its public id; null if the environment has none. */
export async function findEvent(db: Db, environment_id: number, id: string): Promise<Event | null> {
  const key_hash = uuidOfEventId(id);
  if (key_hash === null) return null;
  const { rows } = await db.query<Row>(
    `${EVENT} from events e ${OWNER} where e.environment_id = $1 and e.key_hash = $2`,
    [environment_id, key_hash],
  );
  return rows[0] === undefined ? null : eventOf(rows[0]);
}

/** SQL: the customer's key by `cus_` id or external id; an external_id never begins with `cus_`. */
function customerKey(environment: string, customer_id: string): string {
  return `(select key from customers where environment_id = ${environment} and ${customer_id} in (id, external_id))`;
}

function eventOf({ position: _, key_hash, livemode, ...fields }: Row): Event {
  return { id: eventIdOfUuid(key_hash), object: 'event', livemode, ...fields };
}
