import { CAUSES, statusOfCause, type BillingStatus, type Cause } from '../../domain/usage/billing-cause.ts';
import { createParameters } from '../connection/parameters.ts';
import type { Db } from '../connection/pool.ts';
import { readAdditions, readAdditionsByDay, type ReportScope } from './report-additions.ts';
import { daysOf, type Range } from './report-range.ts';
import { inReportTime } from './report-time.ts';

export const REPORT_GROUPS = ['day', 'event_name', 'customer'] as const;
export type ReportGroup = (typeof REPORT_GROUPS)[number];

/** Number of events accepted, and of these the number in each billing status; the statuses sum to `accepted`. */
export type StatusCounts = Record<BillingStatus, number> & { accepted: number };

/**
 * Events by one group: midnight UTC of a day, an event name, or the key of a customer, whose external id is
 * `customer_id`.
 */
export type ReportRow = { key: string; customer_id: string | null; counts: StatusCounts };

export type ReportQuery = ReportScope & {
  group_by: ReportGroup;
  /** Key of the last row of the page before; null for the first page. */
  after: string | null;
  limit: number;
};

/**
 * A page of a report: days in order, those without events too; names in order; or customers, the newest first. `as_of`:
 * the instant as of which it is exact. Throws invalid_request `too_large` if it takes too long.
 */
export function readUsageReport(db: Db, query: ReportQuery): Promise<{ rows: ReportRow[]; as_of: string }> {
  return inReportTime(db, query, (limited) => readPage(limited, query));
}

/**
 * The events of a range by status, of all its days, names and customers together, as a report counts them. Throws
 * invalid_request `too_large` if it takes too long.
 */
export function readStatusCounts(db: Db, scope: ReportScope): Promise<StatusCounts> {
  return inReportTime(db, scope, async (limited) => {
    const { counts, days } = await readAdditions(limited, scope);
    const sums = noCounts();
    for (const count of [...(await readStoredCauses(limited, scope, days)), ...counts]) addTo(sums, count);
    return sums;
  });
}

async function readStoredCauses(
  db: Db,
  scope: ReportScope,
  days: Range | null,
): Promise<{ cause: Cause; events: number }[]> {
  if (days === null) return [];
  const { values, parameter } = createParameters();
  const { rows } = await db.query<{ cause: Cause; events: string }>(
    `select d.cause, sum(d.events)::text as events from ${storedIn(scope, days, parameter)} group by 1`,
    values,
  );
  return rows.map(({ cause, events }) => ({ cause, events: Number(events) }));
}

async function readPage(db: Db, query: ReportQuery): Promise<{ rows: ReportRow[]; as_of: string }> {
  const by_day = query.group_by === 'day';
  const { counts, days, as_of } = await (by_day ? readAdditionsByDay : readAdditions)(db, query);
  const added = counts.map((count) => ({ ...count, key: keyOf(query.group_by, count) }));
  const keys = await keysOf(db, query, days, [...new Set(added.map(({ key }) => key))]);
  const external_ids =
    query.group_by === 'customer' ? await externalIdsOf(db, keys) : new Map<string, string>();
  const rows = new Map(
    keys.map((key) => [key, { key, customer_id: external_ids.get(key) ?? null, counts: noCounts() }]),
  );
  for (const count of [...(await readStoredCounts(db, query, days, keys)), ...added]) {
    const row = rows.get(count.key);
    if (row !== undefined) addTo(row.counts, count);
  }
  return { rows: [...rows.values()], as_of };
}

function noCounts(): StatusCounts {
  return { accepted: 0, pending: 0, billed: 0, late: 0, too_late: 0, trial: 0, unrated: 0 };
}

function addTo(counts: StatusCounts, { cause, events }: { cause: Cause; events: number }): void {
  counts.accepted += events;
  counts[statusOfCause(cause).status] += events;
}

function keyOf(group: ReportGroup, of: { day: string; event_name: string; customer_key: string }): string {
  switch (group) {
    case 'day':
      return of.day;
    case 'event_name':
      return of.event_name;
    case 'customer':
      return of.customer_key;
  }
}

/** The keys of the page, of stored counts and of `added` ones, in their order. */
async function keysOf(
  db: Db,
  query: ReportQuery,
  days: Range | null,
  added: readonly string[],
): Promise<string[]> {
  const { group_by, after, limit } = query;
  if (group_by === 'day')
    return daysOf(query)
      .filter((day) => after === null || day > after)
      .slice(0, limit);
  const stored =
    days === null ? [] : await (group_by === 'customer' ? storedCustomers : storedNames)(db, query, days);
  const compare = group_by === 'customer' ? newestFirst : byText;
  const rest = added.filter((key) => after === null || compare(after, key) < 0);
  return [...new Set([...stored, ...rest])].sort(compare).slice(0, limit);
}

/** Keys of customers rise with their creation. */
function newestFirst(a: string, b: string): number {
  return Number(BigInt(b) - BigInt(a));
}

/** Compares in the order of the collation "C", which is that of the bytes of UTF-8. */
function byText(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

/** SQL: stored counts `d` of whole days; those of one customer from its own rows, else from the sums of all. */
function storedIn(query: ReportScope, days: Range, parameter: (value: unknown) => string): string {
  const conditions = [
    query.customer_key === null
      ? // Every cause is listed, because the index of an environment's days begins with it.
        `d.environment_id = ${parameter(query.environment_id)} and d.cause = any(${parameter(CAUSES)})`
      : `d.customer_key = ${parameter(query.customer_key)}`,
    `d.day >= ${parameter(days.from)} and d.day < ${parameter(days.to)}`,
  ];
  if (query.event_name !== null) conditions.push(`d.event_name = ${parameter(query.event_name)}`);
  return `${query.customer_key === null ? 'report_days' : 'billing_days'} d where ${conditions.join(' and ')}`;
}

async function storedNames(db: Db, query: ReportQuery, days: Range): Promise<string[]> {
  const { values, parameter } = createParameters();
  const { rows } = await db.query<{ key: string }>(
    `select distinct d.event_name as key from ${storedIn(query, days, parameter)}
       and coalesce(d.event_name > ${parameter(query.after)}::text, true)
     order by key limit ${parameter(query.limit)}`,
    values,
  );
  return rows.map(({ key }) => key);
}

async function storedCustomers(db: Db, query: ReportQuery, days: Range): Promise<string[]> {
  const { environment_id, customer_key, event_name, after, limit } = query;
  const { rows } = await db.query<{ key: string }>(
    `select c.key from customers c
     where c.environment_id = $1 and ($2::bigint is null or c.key = $2) and ($3::bigint is null or c.key < $3)
       and exists (
       select from billing_days d
       where d.customer_key = c.key and d.day >= $4 and d.day < $5 and ($6::text is null or d.event_name = $6))
     order by c.key desc limit $7`,
    [environment_id, customer_key, after, days.from, days.to, event_name, limit],
  );
  return rows.map(({ key }) => key);
}

async function externalIdsOf(db: Db, keys: readonly string[]): Promise<Map<string, string>> {
  const { rows } = await db.query<{ key: string; external_id: string }>(
    'select key, external_id from customers where key = any($1)',
    [keys],
  );
  return new Map(rows.map(({ key, external_id }) => [key, external_id]));
}

type KeyedCount = { key: string; cause: Cause; events: number };

async function readStoredCounts(
  db: Db,
  query: ReportQuery,
  days: Range | null,
  keys: readonly string[],
): Promise<KeyedCount[]> {
  if (days === null || keys.length === 0) return [];
  const { values, parameter } = createParameters();
  const from =
    query.group_by === 'customer'
      ? ofCustomers(query, days, { keys, parameter })
      : storedIn(query, days, parameter);
  const column = { day: 'd.day', event_name: 'd.event_name', customer: 'd.customer_key::text' }[
    query.group_by
  ];
  const ofPage = query.group_by === 'event_name' ? `and d.event_name = any(${parameter(keys)})` : '';
  const { rows } = await db.query<Omit<KeyedCount, 'events'> & { events: string }>(
    `select ${column} as key, d.cause, sum(d.events)::text as events from ${from} ${ofPage} group by 1, 2`,
    values,
  );
  return rows.map((row) => ({ ...row, events: Number(row.events) }));
}

function ofCustomers(
  { event_name }: ReportQuery,
  days: Range,
  { keys, parameter }: { keys: readonly string[]; parameter: (value: unknown) => string },
): string {
  const name = event_name === null ? '' : `and d.event_name = ${parameter(event_name)}`;
  return `billing_days d where d.customer_key = any(${parameter(keys)}) and d.day >= ${parameter(days.from)}
    and d.day < ${parameter(days.to)} ${name}`;
}
