import type { Parameter } from '../connection/parameters.ts';
import { isRolledUp, type EventSource, type Position, type Step } from '../events/rollup.ts';

/** The events of a step of the rollup. */
export function eventsOfStep({ epoch, from_xid, to_xid }: Step): EventSource {
  return (parameter) => `(
    select * from events where epoch = ${parameter(epoch)} and created_xid >= ${parameter(from_xid)}
      and created_xid < ${parameter(to_xid)})`;
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

/** The events of these cells that are rolled up. */
export function rolledUpEventsOf(cells: readonly Cell[], positions: readonly Position[]): EventSource {
  return (parameter) => `(
    select e.* from ${cellsOf(cells, parameter)}
    join events e on e.customer_key = cell.customer_key and e.timestamp >= cell.day
      and e.timestamp < cell.day + interval '24 hours' and e.event_name = cell.event_name
    where ${isRolledUp(positions, parameter)})`;
}

/** The events of a source that lie in these cells. */
export function eventsInCells(source: EventSource, cells: readonly Cell[]): EventSource {
  return (parameter) => `(
    select e.* from ${source(parameter)} as e
    join ${cellsOf(cells, parameter)} on cell.customer_key = e.customer_key and cell.event_name = e.event_name
      and cell.day = date_bin('1 day', e.timestamp, '2000-01-01Z'))`;
}
