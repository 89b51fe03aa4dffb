import { CAUSES, type Cause } from '../../domain/usage/billing-cause.ts';
import {
  EVENT,
  OWNER,
  placedEvent,
  type EventPosition,
  type EventRow,
  type PlacedEvent,
} from '../events/event-list.ts';
import { createParameters, type Parameter } from '../connection/parameters.ts';
import type { Db } from '../connection/pool.ts';
import { billingParameters, eventBillings } from './event-billing.ts';
import { cellsOf, type Cell } from './event-sources.ts';

/**
 * The place to look for events, newest first: cells of one day, or all events of an environment or a customer, in
 * [from, to).
 */
export type Place = {
  environment_id: number;
  customer_key: string | null;
  event_name: string | null;
  /** Null looks at all events in the range. */
  cells: readonly Cell[] | null;
  from: string;
  to: string;
  /** The position after which the list goes on. */
  after: EventPosition | null;
};

/** Events next to each other in a list. */
export type Slice = { customer_keys: string[]; first: EventPosition; last: EventPosition; events: number };

/** SQL: the newest events of a place, in order. */
function newestOf(place: Place, parameter: Parameter, limit: string): string {
  const { environment_id, customer_key, event_name, cells, from, to, after } = place;
  const conditions = [`e.timestamp >= ${parameter(from)} and e.timestamp < ${parameter(to)}`];
  if (after !== null)
    conditions.push(
      `(e.timestamp, e.id) < (${parameter(after.timestamp)}::timestamptz, ${parameter(after.id)}::bigint)`,
    );
  if (event_name !== null) conditions.push(`e.event_name = ${parameter(event_name)}`);
  const order = `order by e.timestamp desc, e.id desc limit ${limit}`;
  if (cells !== null)
    return `(
      select e.* from ${cellsOf(cells, parameter)}
      join events e on e.customer_key = cell.customer_key and e.event_name = cell.event_name
      where ${conditions.join(' and ')} ${order})`;
  const owner =
    customer_key === null
      ? `e.environment_id = ${parameter(environment_id)}`
      : `e.customer_key = ${parameter(customer_key)}`;
  return `(select e.* from events e where ${owner} and ${conditions.join(' and ')} ${order})`;
}

type SliceRow = { customer_key: string; timestamp: string; id: string };

/** The next events of a place; null if there are none. */
export async function readSlice(db: Db, place: Place, limit: number): Promise<Slice | null> {
  const { values, parameter } = createParameters();
  const { rows } = await db.query<SliceRow>(
    `select e.customer_key, e.timestamp, e.id from ${newestOf(place, parameter, parameter(limit))} as e
     order by e.timestamp desc, e.id desc`,
    values,
  );
  if (rows.length === 0) return null;
  const positionOf = ({ timestamp, id }: SliceRow) => ({ timestamp, id });
  return {
    customer_keys: [...new Set(rows.map(({ customer_key }) => customer_key))],
    first: positionOf(rows[0]!),
    last: positionOf(rows.at(-1)!),
    events: rows.length,
  };
}

/** The events of a slice whose first cause in the precedence is one of these; each event is read. */
export async function eventsWithCause(
  db: Db,
  {
    place,
    slice,
    causes,
    late_usage_days,
  }: { place: Place; slice: Slice; causes: readonly Cause[]; late_usage_days: number },
): Promise<PlacedEvent[]> {
  const { environment_id } = place;
  const { customer_keys, first, last } = slice;
  const to = new Date(Date.parse(first.timestamp) + 1).toISOString();
  const scope = { environment_id, customer_keys, from: last.timestamp, to, late_usage_days };
  const { values, parameter } = createParameters(billingParameters(scope));
  const limit = parameter(slice.events);
  const source = newestOf(place, parameter, limit);
  const { rows } = await db.query<EventRow>(
    `${eventBillings('true', source)},
     placed as (
       select event_id, min(array_position(${parameter(CAUSES)}::text[], cause)) as place from billing group by event_id
     )
     ${EVENT} from ${source} as e
     join placed on placed.event_id = e.id and (${parameter(CAUSES)}::text[])[placed.place] = any(${parameter(causes)})
     ${OWNER}
     order by e.timestamp desc, e.id desc`,
    values,
  );
  return rows.map(placedEvent);
}
