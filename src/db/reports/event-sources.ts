import type { Parameter } from '../connection/parameters.ts';

/** SQL of a relation of events, composed with the parameters of the statement that reads it. */
export type EventSource = (parameter: Parameter) => string;

/** SQL: the event `e` is rolled up. */
export const IS_ROLLED_UP =
  'exists (select from epochs p where p.epoch = e.epoch and e.created_xid < p.rolled_up_to)';

/** The events of a step of the rollup. */
export function eventsOfStep({
  epoch,
  from_xid,
  to_xid,
}: {
  epoch: number;
  from_xid: string;
  to_xid: string;
}): EventSource {
  return (parameter) => `(
    select * from events where epoch = ${parameter(epoch)} and created_xid >= ${parameter(from_xid)}
      and created_xid < ${parameter(to_xid)})`;
}

/**
 * The first `limit` events of each epoch that are not rolled up. Order and limit force the planner to use the index
 * events_stored, whatever it assumes about the table.
 */
export function eventsNotRolledUp(limit: number): EventSource {
  return (parameter) => `(
    select recent.* from epochs cross join lateral (
      select e.* from events e where e.epoch = epochs.epoch and e.created_xid >= epochs.rolled_up_to
      order by e.created_xid limit ${parameter(limit)}) as recent)`;
}

/** Events by timestamp, rolled up or not. */
export function eventsBetween(
  environment_id: number,
  { from, to }: { from: string; to: string },
): EventSource {
  return (parameter) => `(
    select * from events where environment_id = ${parameter(environment_id)}
      and timestamp >= ${parameter(from)} and timestamp < ${parameter(to)})`;
}

/** The events of a customer, by timestamp, rolled up or not. */
export function eventsOfCustomerBetween(
  customer_key: string,
  { from, to }: { from: string; to: string },
): EventSource {
  return (parameter) => `(
    select * from events where customer_key = ${parameter(customer_key)}
      and timestamp >= ${parameter(from)} and timestamp < ${parameter(to)})`;
}

/** A UTC day of a customer and event name. */
export type Cell = { customer_key: string; event_name: string; day: string };

/** SQL: a relation of cells with the columns customer_key, event_name and day. */
export function cellsOf(cells: readonly Cell[], parameter: Parameter): string {
  const keys = parameter(cells.map(({ customer_key }) => customer_key));
  const names = parameter(cells.map(({ event_name }) => event_name));
  const days = parameter(cells.map(({ day }) => day));
  return `unnest(${keys}::bigint[], ${names}::text[], ${days}::timestamptz[]) as cell(customer_key, event_name, day)`;
}

/** The events of these cells that are rolled up, one index scan a cell. */
export function rolledUpEventsOf(cells: readonly Cell[]): EventSource {
  return (parameter) => `(
    select e.* from ${cellsOf(cells, parameter)} cross join lateral (
      select e.* from events e
      where e.customer_key = cell.customer_key and e.timestamp >= cell.day
        and e.timestamp < cell.day + interval '24 hours'
        and e.event_name = cell.event_name and ${IS_ROLLED_UP}
      offset 0) as e)`;
}

/** The events of a source that lie in these cells. */
export function eventsInCells(source: EventSource, cells: readonly Cell[]): EventSource {
  return (parameter) => `(
    select e.* from ${source(parameter)} as e
    join ${cellsOf(cells, parameter)} on cell.customer_key = e.customer_key and cell.event_name = e.event_name
      and cell.day = date_bin('1 day', e.timestamp, '2000-01-01Z'))`;
}
