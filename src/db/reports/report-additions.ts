import { oldestPending, pendingWithin } from './pending-days.ts';
import { readLateUsageDays } from './report-settings.ts';
import { invalid } from '../../domain/money/errors.ts';
import { createParameters } from '../connection/parameters.ts';
import type { Db } from '../connection/pool.ts';
import { withinTime } from '../connection/time-limited.ts';
import { countChangedDays, countDifference } from './billing-days.ts';
import { countCauses, countedDay, countedDays, type Count, type CountedRow } from './counted-causes.ts';
import { eventsNotRolledUp, readPositions, type EventSource, type Position } from '../events/rollup.ts';
import { eventsBetween, eventsOfCustomerBetween } from './event-sources.ts';
import { divideByShorterParts, divideRange, type Range } from './report-range.ts';
import { tooLarge } from './report-time.ts';

/** The events that a report is about. */
export type ReportScope = Range & {
  environment_id: number;
  /** Null means all customers. */
  customer_key: string | null;
  /** Null means all names. */
  event_name: string | null;
};

/**
 * The counts that a report adds to the stored counts of `days`, which are whole, and the instant as of which both
 * together are exact.
 */
export type Additions = { counts: Count[]; days: Range | null; as_of: string };

/**
 * Limits of what a report adds; `days` are those of customers by event name. Beyond them it is exact as of an earlier
 * instant, or refused if its range cuts days.
 */
const LIMITS = { changed_customers: 500, not_rolled_up: 100_000, days: 100_000 };
/** Time limit of each of the two additions. */
const ADDITION_MS = 2500;

/**
 * Reads what the stored counts do not have: customers with changes that are not counted, events that are not rolled up,
 * and the parts of days that the range cuts. All in one snapshot. Throws invalid_request `too_large` if a part of a day
 * has too many customers and names.
 */
export async function readAdditions(db: Db, scope: ReportScope, limits = LIMITS): Promise<Additions> {
  return (await readDivided(db, { ...scope, limits }, { ...divideRange(scope), less: [] }))!;
}

/**
 * Reads the additions for a report by day. Of a day of which the range has the longer part, the stored counts are read
 * and the rest is subtracted: counts may be below zero. Not while the stored counts cannot be brought up to now: the
 * rest may hold events that they lack.
 */
export async function readAdditionsByDay(db: Db, scope: ReportScope, limits = LIMITS): Promise<Additions> {
  const divided = divideByShorterParts(scope);
  const additions = divided.less.length === 0 ? null : await readDivided(db, { ...scope, limits }, divided);
  return additions ?? readAdditions(db, scope, limits);
}

/** Null if `less` is to be subtracted from counts that are not exact as of now. */
async function readDivided(
  db: Db,
  limited_scope: ReportScope & { limits: typeof LIMITS },
  { days, parts, less }: ReturnType<typeof divideByShorterParts>,
): Promise<Additions | null> {
  const scope: Scope = { ...limited_scope, late_usage_days: await readLateUsageDays(db) };
  const now = await readNow(db);
  const counts: Count[] = [];
  const instants: string[] = [];
  if (days !== null) {
    const whole = { ...scope, ...days };
    for (const { counts: more, as_of } of [await changed(db, whole), await notRolledUp(db, whole)]) {
      counts.push(...more);
      if (as_of !== null) instants.push(as_of);
    }
  }
  if (less.length > 0 && instants.length > 0) return null;
  for (const part of parts) counts.push(...(await countPart(db, scope, part)));
  for (const part of less)
    for (const count of await countPart(db, scope, part)) counts.push({ ...count, events: -count.events });
  const { event_name } = scope;
  return {
    counts: event_name === null ? counts : counts.filter((count) => count.event_name === event_name),
    days,
    as_of: [now, ...instants].sort()[0]!,
  };
}

type Scope = ReportScope & { late_usage_days: number; limits: typeof LIMITS };
type Added = { counts: Count[]; as_of: string | null };

/** Reads the present instant; on a standby, the instant up to which it has the changes of the primary. */
async function readNow(db: Db): Promise<string> {
  const { rows } = await db.query<{ now: string }>(
    `select date_trunc('milliseconds', case
         when pg_is_in_recovery() and pg_last_wal_receive_lsn() is distinct from pg_last_wal_replay_lsn()
         then coalesce(pg_last_xact_replay_timestamp(), now()) else now() end) as now`,
  );
  return rows[0]!.now;
}

/** Customers with changes that are not counted: what their stored counts are wrong by. */
async function changed(
  db: Db,
  { environment_id, customer_key, from, to, late_usage_days, limits }: Scope,
): Promise<Added> {
  const within = { environment_id, customer_key, from, to, limit: limits.changed_customers };
  const pending = await pendingWithin(db, within);
  if (pending === null) return { counts: [], as_of: await oldestPending(db, environment_id) };
  const ready = pending.filter(({ is_set_aside }) => !is_set_aside);
  const query = { environment_id, late_usage_days, changed: ready };
  const read = async (limited: Db) =>
    (await countChangedDays(limited, ready, limits.days + 1)) > limits.days
      ? null
      : countDifference(limited, query);
  const counts = ready.length === 0 ? [] : await withinTime(db, ADDITION_MS, read);
  const rest = counts === null ? pending : pending.filter(({ is_set_aside }) => is_set_aside);
  return { counts: counts ?? [], as_of: rest.map(({ noted_at }) => noted_at).sort()[0] ?? null };
}

async function notRolledUp(db: Db, scope: Scope): Promise<Added> {
  const { not_rolled_up: limit } = scope.limits;
  const positions = await readPositions(db);
  const count = await countNotRolledUp(db, positions, limit + 1);
  if (count === 0) return { counts: [], as_of: null };
  const counts =
    count > limit
      ? null
      : await withinTime(db, ADDITION_MS, (limited) =>
          countSource(limited, scope, eventsNotRolledUp(positions, limit)),
        );
  return counts === null
    ? { counts: [], as_of: await oldestNotRolledUp(db, positions) }
    : { counts, as_of: null };
}

async function countNotRolledUp(db: Db, positions: readonly Position[], limit: number): Promise<number> {
  const { values, parameter } = createParameters();
  const { rows } = await db.query<{ count: number }>(
    `select count(*)::integer as count from ${eventsNotRolledUp(positions, limit)(parameter)} as e`,
    values,
  );
  return rows[0]!.count;
}

async function oldestNotRolledUp(db: Db, positions: readonly Position[]): Promise<string> {
  const { values, parameter } = createParameters();
  const { rows } = await db.query<{ as_of: string }>(
    `select min(created_at) as as_of from ${eventsNotRolledUp(positions, 1)(parameter)} as e`,
    values,
  );
  return rows[0]!.as_of;
}

/**
 * The events of a part of a day, rolled up or not. Throws invalid_request `too_large` if it has too many customers and
 * names.
 */
async function countPart(db: Db, scope: Scope, part: Range): Promise<Count[]> {
  const { environment_id, customer_key, limits } = scope;
  const part_scope = { ...scope, ...part };
  await refuseArchivedPart(db, part_scope);
  const source =
    customer_key === null ? eventsBetween(environment_id, part) : eventsOfCustomerBetween(customer_key, part);
  const counts = await countSource(db, part_scope, source);
  if (counts === null)
    throw tooLarge(scope, `read more than ${limits.days} customers and event names of a part of a day`);
  return counts;
}

/**
 * Whole days are read from counts, which stay; the events of a part of a day may have left. Throws invalid_request
 * `archived`.
 */
async function refuseArchivedPart(db: Db, { environment_id, customer_key, from }: Scope): Promise<void> {
  const { rows } = await db.query<{ archived_to: string | null }>(
    `select max(archived_to) as archived_to from customers
     where environment_id = $1 and archived_to > $2 and coalesce(key = $3::bigint, true)`,
    [environment_id, from, customer_key],
  );
  const { archived_to } = rows[0]!;
  if (archived_to === null) return;
  const message = `from and to must be the beginnings of days (UTC) before ${archived_to}: the events before it are archived`;
  throw invalid('from', 'archived', message);
}

/** The causes of the events of a source that are in scope; null if there are too many customers, names and days. */
async function countSource(db: Db, scope: Scope, source: EventSource): Promise<Count[] | null> {
  const { environment_id, late_usage_days, limits } = scope;
  const inScope: EventSource = (parameter) => `(
    select e.* from ${source(parameter)} as e
    where e.environment_id = ${parameter(environment_id)} and e.timestamp >= ${parameter(scope.from)}
      and e.timestamp < ${parameter(scope.to)}
      and coalesce(e.customer_key = ${parameter(scope.customer_key)}::bigint, true)
      and coalesce(e.event_name = ${parameter(scope.event_name)}::text, true))`;
  const { values, parameter } = createParameters();
  const counted = `${countedDays(inScope(parameter))} limit ${parameter(limits.days + 1)}`;
  const { rows } = await db.query<CountedRow>(counted, values);
  if (rows.length > limits.days) return null;
  const days = rows.map((row) => countedDay(row, scope));
  return countCauses(db, { environment_id, late_usage_days, days, source: inScope });
}
