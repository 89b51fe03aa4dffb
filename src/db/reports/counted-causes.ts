import { CAUSES, type Cause } from '../../domain/usage/billing-cause.ts';
import { causeOfDay, type DayEvents, type SubscriptionFacts } from '../../domain/usage/day-cause.ts';
import { createParameters } from '../connection/parameters.ts';
import type { Db } from '../connection/pool.ts';
import { billingParameters, eventBillings, type BillingScope } from './event-billing.ts';
import { readPositions, type EventSource } from '../events/rollup.ts';
import { eventsInCells, rolledUpEventsOf, type Cell } from './event-sources.ts';
import { eventsOfPart, judgedParts, type UndecidedCell } from './judged-parts.ts';
import { readSubscriptionFacts } from './subscription-facts.ts';

/** Number of events of a customer, event name and UTC day that have a cause; in a difference also below zero. */
export type Count = Cell & { cause: Cause; events: number };

/** Events of a cell, counted together; `numbers` is found out when they are facts. */
export type CountedDay = Omit<DayEvents, 'numbers'> & Cell & { events: number };

/**
 * The events of an environment to judge. The source holds the events of undecided days; null: they are the rolled up
 * events of the cells.
 */
export type CausesQuery = {
  environment_id: number;
  late_usage_days: number;
  days: readonly CountedDay[];
  source: EventSource | null;
  /** The most events times charges that one statement judges. */
  judgements_max?: number;
};

/** Judgements of some seconds: a customer may have a million events in a day, and a hundred charges of their name. */
const JUDGEMENTS_MAX = 2_000_000;

/** Columns of a CountedDay, of the events `e`. */
const COUNTED = `
  e.environment_id, e.customer_key, e.event_name, date_bin('1 day', e.timestamp, '2000-01-01Z') as day,
  count(*)::integer as events, min(e.created_at) as first_stored_at, max(e.created_at) as last_stored_at,
  min(e.epoch) as first_epoch, min(e.created_xid)::text as first_xid, max(e.epoch) as last_epoch,
  max(e.created_xid)::text as last_xid`;

/**
 * SQL: the events of a source, counted by cell. All of them are of one epoch, or an older one's transaction is not
 * asked for.
 */
export function countedDays(source: string): string {
  return `select ${COUNTED} from ${source} as e group by 1, 2, 3, 4`;
}

/** A row of countedDays. */
export type CountedRow = Cell &
  Pick<CountedDay, 'events' | 'first_stored_at' | 'last_stored_at' | 'last_epoch' | 'last_xid'> & {
    environment_id: number;
    first_epoch: number;
    first_xid: string;
  };

/** The events of a row within [from, to) of its day; without bounds, in the whole day. */
export function countedDay(
  { first_epoch, first_xid, environment_id: _, ...row }: CountedRow,
  { from, to }: { from?: string; to?: string } = {},
): CountedDay {
  // Transactions of two epochs cannot be compared.
  const first = first_epoch === row.last_epoch ? { epoch: first_epoch, xid: first_xid } : null;
  const ends_at = nextDay(row.day);
  return {
    ...row,
    first,
    starts_at: from !== undefined && from > row.day ? from : row.day,
    ends_at: to !== undefined && to < ends_at ? to : ends_at,
  };
}

const DAY_MS = 86_400_000;

/** The UTC day after one, by its first instant. */
export function nextDay(day: string): string {
  return new Date(Date.parse(day) + DAY_MS).toISOString();
}

/** The causes of all events of these days. Reads only the events of days that cannot be decided without them. */
export async function countCauses(db: Db, query: CausesQuery): Promise<Count[]> {
  const { environment_id, late_usage_days, days, judgements_max = JUDGEMENTS_MAX } = query;
  if (days.length === 0) return [];
  const scope: BillingScope = {
    environment_id,
    late_usage_days,
    customer_keys: [...new Set(days.map(({ customer_key }) => customer_key))],
    from: days.reduce((first, { starts_at }) => (starts_at < first ? starts_at : first), days[0]!.starts_at),
    to: days.reduce((last, { ends_at }) => (ends_at > last ? ends_at : last), days[0]!.ends_at),
  };
  const facts = await readSubscriptionFacts(db, scope);
  const numbersOf = await readNumbers(db, scope, facts);
  const decided: Count[] = [];
  const undecided: UndecidedCell[] = [];
  for (const day of days) {
    const { customer_key, event_name, events } = day;
    const subscriptions = facts.get(customer_key) ?? [];
    const cause = causeOfDay({ ...day, numbers: numbersOf(day) }, subscriptions);
    const cell = { customer_key, event_name, day: day.day };
    if (cause === null)
      undecided.push({ ...cell, judgements: events * chargesOf(subscriptions, event_name) });
    else decided.push({ ...cell, cause, events });
  }
  if (undecided.length === 0) return decided;
  const { source } = query;
  const positions = source === null ? await readPositions(db) : [];
  const sums = new Map<string, Count>();
  for (const part of judgedParts(undecided, judgements_max)) {
    const events =
      source === null ? rolledUpEventsOf(part.cells, positions) : eventsInCells(source, part.cells);
    const counts = await countEventCauses(db, scope, eventsOfPart(events, part));
    for (const count of counts) addCount(sums, count);
  }
  return [...decided, ...sums.values()];
}

/** The number of charges that judge an event of a name. */
function chargesOf(subscriptions: readonly SubscriptionFacts[], event_name: string): number {
  return subscriptions.flatMap(({ charges }) => charges.filter((charge) => charge.event_name === event_name))
    .length;
}

/** Adds a count to that of the same cell and cause. */
export function addCount(sums: Map<string, Count>, count: Count): void {
  const key = `${placeOf(count)} ${count.cause}`;
  const sum = sums.get(key);
  if (sum === undefined) sums.set(key, { ...count });
  else sum.events += count.events;
}

/** The causes of the events of a source, each read. An event of several charges counts once, under the first cause. */
async function countEventCauses(db: Db, scope: BillingScope, source: EventSource): Promise<Count[]> {
  const { values, parameter } = createParameters(billingParameters(scope));
  const causes = parameter(CAUSES);
  const { rows } = await db.query<Count>(
    `${eventBillings('true', source(parameter))},
     placed as (
       select customer_key, event_name, date_bin('1 day', timestamp, '2000-01-01Z') as day,
         min(array_position(${causes}::text[], cause)) as place
       from billing group by event_id, customer_key, event_name, timestamp
     )
     select customer_key, event_name, day, (${causes}::text[])[place] as cause, count(*)::integer as events
     from placed group by customer_key, event_name, day, place`,
    values,
  );
  return rows;
}

type NumbersRow = Cell & { property: string; last_epoch: number; last_xid: string };

/** Reads which properties have a number in each of a day's events, as far as the rollup knows and a charge asks. */
async function readNumbers(
  db: Db,
  { customer_keys, from, to }: BillingScope,
  facts: ReadonlyMap<string, readonly SubscriptionFacts[]>,
): Promise<(day: CountedDay) => string[]> {
  const all_charges = [...facts.values()].flat().flatMap(({ charges }) => charges);
  const properties = new Set<string>();
  for (const { aggregation } of all_charges)
    if (aggregation.type !== 'count') properties.add(aggregation.property);
  if (properties.size === 0) return () => [];
  const { rows } = await db.query<NumbersRow>(
    `select p.customer_key, p.event_name, p.day, p.property, p.last_epoch, p.last_xid::text
     from usage_days p
     join usage_days w on w.customer_key = p.customer_key and w.event_name = p.event_name and w.property = ''
       and w.day = p.day
     where p.customer_key = any($1) and p.event_name = any($2) and p.property = any($3)
       and p.day >= date_trunc('day', $4::timestamptz, 'UTC') and p.day < $5 and p.events = w.events
       and p.skipped_events = 0`,
    [customer_keys, [...new Set(all_charges.map(({ event_name }) => event_name))], [...properties], from, to],
  );
  const rows_by_place = new Map<string, NumbersRow[]>();
  for (const row of rows) rows_by_place.set(placeOf(row), [...(rows_by_place.get(placeOf(row)) ?? []), row]);
  return (day) =>
    (rows_by_place.get(placeOf(day)) ?? []).filter((row) => includes(row, day)).map((row) => row.property);
}

/** True if the rolled up row includes the event of these that was stored last, and so all of them. */
function includes(row: NumbersRow, { last_epoch, last_xid }: CountedDay): boolean {
  if (row.last_epoch !== last_epoch) return row.last_epoch > last_epoch;
  return BigInt(row.last_xid) >= BigInt(last_xid);
}

/** One text for a cell. */
export function placeOf({ customer_key, event_name, day }: Cell): string {
  return `${customer_key} ${day} ${event_name}`;
}
