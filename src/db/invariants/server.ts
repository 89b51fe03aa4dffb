import { bySql } from './invariant.ts';

/** Name of the session in the transaction of a check, so that no check reports itself or another check. */
export const APPLICATION_NAME = 'tidemark invariants';

const DURABLE = ['fsync', 'full_page_writes', 'synchronous_commit'];
const LIMITED = ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout'];

const listOf = (names: readonly string[]) => names.map((name) => `'${name}'`).join(', ');

/** Durability and limits of the server: commits are flushed, and nothing blocks the database. */
export const SERVER_INVARIANTS = [
  bySql(
    'I30',
    'Commits are flushed to disk, sessions use UTC, and statements, transactions and lock waits have time limits.',
    {
      database: [
        `select format('setting %s', name) as "row", 'is off' as what
       from unnest(array[${listOf(DURABLE)}]) as name where current_setting(name) = 'off'`,
        `select 'setting TimeZone' as "row", format('is %s', current_setting('TimeZone')) as what
       where current_setting('TimeZone') <> 'UTC'`,
        `select format('setting %s', name) as "row", 'is 0, which is no limit' as what
       from unnest(array[${listOf(LIMITED)}]) as name where current_setting(name) = '0'`,
      ],
    },
  ),
  // Leaves out dumps, which read one long snapshot as checks do.
  bySql(
    'I31',
    'No transaction is older than 60 seconds, and no process waits for a lock for more than 10 seconds.',
    {
      database: [
        `select format('process %s, %s', pid, coalesce(nullif(application_name, ''), 'unnamed')) as "row",
         format('is in a transaction since %s, %s', xact_start, state) as what
       from pg_stat_activity
       where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()
         and application_name not in ('${APPLICATION_NAME}', 'pg_dump')
         and xact_start < clock_timestamp() - interval '60 seconds'`,
        `select format('process %s', l.pid) as "row", format('has waited for a lock since %s', l.waitstart) as what
       from pg_locks l join pg_stat_activity a on a.pid = l.pid and a.datname = current_database()
       where not l.granted and l.waitstart < clock_timestamp() - interval '10 seconds'`,
      ],
    },
  ),
];
