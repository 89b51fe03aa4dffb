import { BillingError, conflict } from '../../domain/money/errors.ts';
import { HALT, type Counter, type LastNumber } from '../../domain/invoice/numbering.ts';
import type { Db } from '../connection/pool.ts';

const ENVIRONMENTS_MAX = 1000;

/**
 * SQL: true if an environment may give invoice numbers. A live one must not be halted. If its count was ever compared,
 * it must have been compared since the last start of the server; a new environment may start without a comparison.
 */
export const MAY_NUMBER = `(not livemode or numbering_halt is null and coalesce(numbering_run = server_run(), true))`;

/**
 * The reason why an environment gives no numbers now; null if it does. A pending comparison is a retryable error, since
 * a worker will make it.
 */
export async function numberingRefusal(db: Db, environment_id: number): Promise<BillingError | null> {
  const { rows } = await db.query<{ may_number: boolean; halt: string | null }>(
    `select ${MAY_NUMBER} as may_number, numbering_halt as halt from environments where id = $1`,
    [environment_id],
  );
  const { may_number, halt } = rows[0]!;
  if (may_number) return null;
  return halt === null ? notCompared() : conflict(null, 'invalid_state', halt);
}

const COMPARED_WITHIN_SECONDS = 5;

function notCompared(): BillingError {
  const message = `${HALT}: PostgreSQL was restarted, and no worker has compared the last invoice number with Temporal yet`;
  const detail = { param: null, reason: 'invalid_state', message } as const;
  return new BillingError('conflict', [detail], COMPARED_WITHIN_SECONDS);
}

/** True if some environment's count was not compared since the last start of the server. */
export async function isComparisonDue(db: Db): Promise<boolean> {
  const { rows } = await db.query<{ is_due: boolean }>(
    'select exists (select from environments where numbering_run is distinct from server_run()) as is_due',
  );
  return rows[0]!.is_due;
}

/** `given` and `given_credit_note` are the numbers that were remembered when the count was halted. */
type LockedCounter = LastNumber &
  Omit<Counter, 'remembered' | 'remembered_credit_note'> & {
    livemode: boolean;
    given: string | null;
    given_credit_note: string | null;
  };

/**
 * Locks and reads the counters of at most 1,000 environments, first those not compared since the last start of the
 * server.
 */
export async function lockCounters(db: Db): Promise<LockedCounter[]> {
  const { rows } = await db.query<LockedCounter>(
    `select account_id, id as environment_id, livemode, last_invoice_number as last_number, numbering_halt as halt,
       coalesce((select last_sequence from feeds f where f.environment_id = environments.id), 0)::text as last_sequence,
       last_credit_note_number, numbering_given as given, numbering_given_credit_note as given_credit_note,
       coalesce(numbering_epoch <> (${EPOCH}) or numbering_timeline <> ${TIMELINE}, false) as is_restored
     from environments order by numbering_run is distinct from server_run() desc, id limit $1 for no key update`,
    [ENVIRONMENTS_MAX],
  );
  return rows;
}

const EPOCH = 'select max(epoch) from epochs';

/**
 * SQL: timeline of the current WAL. Not from the control file, which lags until the first checkpoint after a promotion.
 */
const TIMELINE = 'left(pg_walfile_name(pg_current_wal_lsn()), 8)';

/** Stores that an environment's count was compared since the last start of the server, and the halt, if any. */
export async function setCompared(
  db: Db,
  environment_id: number,
  {
    halt,
    given,
    given_credit_note,
  }: { halt: string | null; given: string | null; given_credit_note: string | null },
): Promise<void> {
  await db.query(
    `update environments set numbering_run = server_run(), numbering_epoch = (${EPOCH}),
       numbering_timeline = ${TIMELINE}, numbering_halt = $2, numbering_given = $3, numbering_given_credit_note = $4
     where id = $1`,
    [environment_id, halt, given, given_credit_note],
  );
}

/** The last numbers of an environment; null while they are not to be trusted. */
export type CountedNumbers = Pick<LastNumber, 'account_id' | 'environment_id'> & {
  last_number: string | null;
  last_credit_note_number: string | null;
  last_sequence: string | null;
};

/**
 * Last numbers of at most 1,000 environments; null for an environment that is halted or not compared since the last
 * start.
 */
export async function listLastNumbers(db: Db): Promise<CountedNumbers[]> {
  const { rows } = await db.query<CountedNumbers>(
    `select account_id, id as environment_id,
       case when numbering_halt is null and numbering_run = server_run() then last_invoice_number end as last_number,
       case when numbering_halt is null and numbering_run = server_run() then last_credit_note_number end
         as last_credit_note_number,
       case when numbering_run = server_run() then coalesce(
         (select last_sequence from feeds f where f.environment_id = environments.id), 0)::text end as last_sequence
     from environments order by id limit $1`,
    [ENVIRONMENTS_MAX],
  );
  return rows;
}

/** Number of accounts whose live invoices get no number now. */
export async function countWithoutNumbering(db: Db): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    `select count(*)::integer as count from environments where not ${MAY_NUMBER}`,
  );
  return rows[0]!.count;
}

/** Whether the environment has issued an invoice. */
export async function hasIssued(db: Db, environment_id: number): Promise<boolean> {
  const { rows } = await db.query<{ has_issued: boolean }>(
    'select exists (select from invoices where environment_id = $1 and number is not null) as has_issued',
    [environment_id],
  );
  return rows[0]!.has_issued;
}

/** How many invoice numbers were given in all accounts, by environment. */
export async function countNumbers(db: Db): Promise<{ test: number; live: number }> {
  const { rows } = await db.query<{ test: number; live: number }>(
    `select coalesce(sum(last_invoice_number) filter (where not livemode), 0)::float as test,
       coalesce(sum(last_invoice_number) filter (where livemode), 0)::float as live
     from environments`,
  );
  return rows[0]!;
}

/** The reason why the live invoices of the environment's account wait; null if they do not. */
export async function findHalt(db: Db, environment_id: number): Promise<string | null> {
  const { rows } = await db.query<{ halt: string | null }>(
    `select l.numbering_halt as halt from environments n
     join environments l on l.account_id = n.account_id and l.livemode where n.id = $1`,
    [environment_id],
  );
  return rows[0]?.halt ?? null;
}

type NextNumber = { environment_id: number; last_number: string; reason: string };

/** Skips numbers of invoices (skipNumbers) and of credit notes, and ends a halt. */
export async function continueNumbers(
  db: Db,
  { last_credit_note_number, ...next }: NextNumber & { last_credit_note_number: string },
): Promise<void> {
  await skipNumbers(db, next);
  await db.query(
    `insert into credit_note_number_gaps (environment_id, number_from, number_to, reason)
     select id, last_credit_note_number + 1, $2, $3 from environments where id = $1 and last_credit_note_number < $2`,
    [next.environment_id, last_credit_note_number, next.reason],
  );
  await db.query('update environments set last_credit_note_number = $2 where id = $1', [
    next.environment_id,
    last_credit_note_number,
  ]);
  await setCompared(db, next.environment_id, { halt: null, given: null, given_credit_note: null });
}

/**
 * The environment's next invoice gets the number after `last_number`, which must not be below the last number given.
 * Stores the numbers between as a gap with its reason.
 */
export async function skipNumbers(
  db: Db,
  { environment_id, last_number, reason }: NextNumber,
): Promise<void> {
  await db.query(
    `insert into invoice_number_gaps (environment_id, number_from, number_to, reason)
     select id, last_invoice_number + 1, $2, $3 from environments where id = $1 and last_invoice_number < $2`,
    [environment_id, last_number, reason],
  );
  await db.query('update environments set last_invoice_number = $2 where id = $1', [
    environment_id,
    last_number,
  ]);
}

/**
 * Unparks at most `limit` subscriptions that were parked by a halt which is now over. The caller must still signal
 * their workflows.
 */
export async function unparkCounted(
  db: Db,
  limit: number,
): Promise<{ environment_id: number; subscription_id: string }[]> {
  const { rows } = await db.query<{ environment_id: number; subscription_id: string }>(
    `update subscriptions s set attention = null
     from (
       select w.environment_id, w.id from subscriptions w join environments n on n.id = w.environment_id
       where starts_with(w.attention, $1) and n.numbering_halt is null limit $2
     ) as waiting
     where s.environment_id = waiting.environment_id and s.id = waiting.id
     returning s.environment_id, s.id as subscription_id`,
    [HALT, limit],
  );
  return rows;
}

const COUNT_DIGITS_MAX = 18;

/** The ids of invoices by number, in any case, or by its count alone: 17 is INV-000017. */
export async function findNumbered(db: Db, environment_id: number, number: string): Promise<string[]> {
  // The digits at its end are the count: no prefix ends in a digit.
  const count = /\d+$/.exec(number)?.[0] ?? '';
  if (count === '' || count.length > COUNT_DIGITS_MAX) return [];
  const { rows } = await db.query<{ id: string }>(
    `select id from invoices
     where environment_id = $1 and number = $2 and ($3::boolean or lower(full_number) = lower($4))`,
    [environment_id, count, count === number, number],
  );
  return rows.map(({ id }) => id);
}
