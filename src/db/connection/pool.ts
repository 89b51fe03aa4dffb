import pg from 'pg';
import { setTimeout as pause } from 'node:timers/promises';
import { Refusal } from '../../settings/refusal.ts';
import { hostsOf, trying } from './hosts.ts';
import { poolHealthOf } from './pool-health.ts';
import { checkSession, ofAnotherSession } from './session-check.ts';
import { sessionOptions, watchConnection, withLimit, type SessionLimits } from './session.ts';
import { tracePool } from './trace-pool.ts';
import { againIfNodeLost, isNodeLost } from './unavailable.ts';
import { inSpan } from '../../telemetry/tracing.ts';

/** A pool, or a client inside transaction(). First parameter of every query function. */
export type Db = Pick<pg.Pool, 'query'>;
export type Pool = pg.Pool;

/**
 * Converts Postgres's `2026-01-31 12:00:00.5+00` (our sessions are in UTC) to `2026-01-31T12:00:00.500Z`. Slices the
 * text instead of parsing it, because a list has hundreds of instants.
 */
function parseInstant(text: string): string {
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${text.slice(20, -3).padEnd(3, '0')}Z`;
}
pg.types.setTypeParser(pg.types.builtins.TIMESTAMPTZ, parseInstant);

/**
 * Statement timeout of short requests: with one second of slack until the connection is destroyed, the response comes
 * within ten.
 */
export const SHORT_STATEMENT_MS = 8000;
/** Statement timeout of reports, and of requests that make bills. */
export const LONG_STATEMENT_MS = 60_000;
const CONNECT_MS = 5000;

type PoolOptions = Partial<SessionLimits> & {
  is_prepared?: boolean;
  /** True for reads that may be some seconds old: a server that takes no writes is good enough. */
  may_be_standby?: boolean;
  /** True for the commands that make a server a node of a cluster, and look after it. */
  may_be_node?: boolean;
  /** Is called if a connection can never be used: its queries have rejected, and the process should end. */
  onRefusal?: (refusal: Refusal) => void;
};

/**
 * Creates a pool that returns dates, decimals and bigints as strings: no double touches a price. The server cancels a
 * statement after `statement_ms`; one second later its connection is destroyed. With `is_prepared`, each connection
 * plans a statement once. Do not use that for lists: their filters may be null, so no single plan fits all parameters.
 * Each new connection is checked (checkSession). With several hosts in the URL, the first that takes writes is used.
 */
export function createPool(
  url: string,
  size: number,
  {
    is_prepared = false,
    may_be_standby = false,
    may_be_node = false,
    onRefusal = () => undefined,
    statement_ms = LONG_STATEMENT_MS,
    ...more
  }: PoolOptions = {},
): Pool {
  const limits = { statement_ms, ...more };
  const hosts = hostsOf(url);
  const pool = new pg.Pool({
    connectionString: url,
    max: size,
    connectionTimeoutMillis: CONNECT_MS,
    idleTimeoutMillis: 30_000,
    ...sessionOptions(limits),
    Client: hosts.Client,
    verify: (client, done) => {
      const must_be_writable = hosts.must_be_writable && !may_be_standby;
      checkSession(client, { url: hosts.current(), limits, must_be_writable, may_be_node }).then(
        () => done(),
        (error: Error) => {
          if (error instanceof Refusal) onRefusal(error);
          done(error);
        },
      );
    },
  });
  const health = poolHealthOf(url);
  // Without a listener, the process crashes when the server closes an idle connection.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => watchConnection(client, statement_ms, health.answered));
  if (is_prepared) pool.on('connect', (client) => prepareStatements(client, onRefusal));
  const connect = trying(hosts, pool.connect.bind(pool)) as (...args: unknown[]) => unknown;
  const asking = (...args: unknown[]) => {
    health.asked();
    return connect(...args);
  };
  pool.connect = asking as typeof pool.connect;
  tracePool(pool);
  return pool;
}

/**
 * Names of prepared statements by text. All texts are constants of this program, so the map stays at a few hundred
 * entries.
 */
const names = new Map<string, string>();

/**
 * Prepares statements with parameters, because planning a short statement costs more than running it. Statements
 * without parameters are begin, commit and the like.
 */
function prepareStatements(client: pg.PoolClient, onRefusal: (refusal: Refusal) => void): void {
  const query = client.query.bind(client) as (...parameters: unknown[]) => Promise<unknown>;
  const translated = (error: unknown) => {
    const refusal = ofAnotherSession(error);
    if (refusal !== null) onRefusal(refusal);
    return refusal ?? error;
  };
  const prepared = (text: unknown, values: unknown, callback?: Answered) => {
    if (typeof text !== 'string' || !Array.isArray(values)) return query(text, values, callback);
    const statement = { name: nameOf(text), text, values };
    if (callback !== undefined)
      return query(statement, (error: unknown, result: unknown) => callback(translated(error), result));
    return query(statement).catch((error: unknown) => {
      throw translated(error);
    });
  };
  client.query = prepared as typeof client.query;
}

type Answered = (error: unknown, result: unknown) => void;

function nameOf(text: string): string {
  let name = names.get(text);
  if (name === undefined) names.set(text, (name = `statement ${names.size}`));
  return name;
}

/** Who acts, `key_...`, `usr_...` or `command_line`, by which request, from which address. */
export type Act = { actor?: string; request_id?: string; address?: string };

const TRIES_MAX = 5;
const SERIALIZATION_FAILURE = '40001';
const DEADLOCK_DETECTED = '40P01';

/**
 * `statement_ms` replaces the pool's statement timeout for this transaction. With `is_snapshot`, all its statements
 * read one snapshot, and it fails, to be retried, where it would change a row that another has changed since. `act` is
 * for the log of changed rows and the audit log.
 */
export type TransactionLimits = { statement_ms?: number; is_snapshot?: boolean; act?: Act };

/** Dry run: runs `work` in a transaction that is always rolled back, and returns its result. */
export async function dryRun<T>(
  pool: Pool,
  work: (db: pg.PoolClient) => Promise<T>,
  patience: TransactionLimits = {},
): Promise<T> {
  return inTransaction(pool, work, { begin: 'begin', end: 'rollback', ...patience });
}

/** Runs `work` in a read-only transaction with one snapshot, once more if a node was lost. */
export async function readOnly<T>(
  pool: Pool,
  work: (db: pg.PoolClient) => Promise<T>,
  patience: TransactionLimits = {},
): Promise<T> {
  const begin = 'begin isolation level repeatable read read only';
  return againIfNodeLost(() => inTransaction(pool, work, { begin, end: 'commit', ...patience }));
}

/**
 * Runs `work` in a transaction and returns its result. Retries deadlocks, serialization failures and transactions that
 * lost a node; at most five attempts.
 */
export async function transaction<T>(
  pool: Pool,
  work: (db: pg.PoolClient) => Promise<T>,
  patience: TransactionLimits = {},
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      const begin = patience.is_snapshot === true ? 'begin isolation level repeatable read' : 'begin';
      return await inTransaction(pool, work, { begin, end: 'commit', ...patience });
    } catch (error) {
      if (attempt === TRIES_MAX || !isTransient(error)) throw error;
      await pause(Math.random() * 20 * attempt);
    }
  }
}

/**
 * Runs a part of a transaction in a savepoint. Returns null on success. Rolls the part back and returns the error if
 * the rows caused it (isOfItsRows); rethrows any other error.
 */
export async function attempt(db: Db, part: () => Promise<void>): Promise<Error | null> {
  await db.query('savepoint part');
  try {
    await part();
  } catch (error) {
    if (!isCausedByRows(error)) throw error;
    await db.query('rollback to savepoint part');
    return error;
  }
  await db.query('release savepoint part');
  return null;
}

/** Runs a part of a transaction in a savepoint that is rolled back, and returns its result. */
export async function rolledBack<T>(db: Db, part: () => Promise<T>): Promise<T> {
  await db.query('savepoint part');
  const result = await part();
  await db.query('rollback to savepoint part');
  return result;
}

/**
 * True if the rows of a statement caused the error: invalid values, constraints, size limits, corruption, a lock held
 * elsewhere. The same statement may succeed for other rows.
 */
export function isCausedByRows(error: unknown): error is pg.DatabaseError {
  if (!(error instanceof pg.DatabaseError) || isNodeLost(error)) return false;
  return /^(22|23|54|XX|55P03)/.test(error.code ?? '');
}

/**
 * Runs `work` on one connection outside a transaction. After any error but one that the server reported, closes the
 * connection, because its state is unknown.
 */
export async function onConnection<T>(pool: Pool, work: (db: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let is_broken = false;
  try {
    return await work(client);
  } catch (error) {
    is_broken = !(error instanceof pg.DatabaseError);
    throw error;
  } finally {
    client.release(is_broken);
  }
}

type How = TransactionLimits & { begin: string; end: 'commit' | 'rollback' };

function inTransaction<T>(pool: Pool, work: (db: pg.PoolClient) => Promise<T>, how: How): Promise<T> {
  return inSpan({ name: 'transaction' }, () => attemptTransaction(pool, work, how));
}

async function attemptTransaction<T>(
  pool: Pool,
  work: (db: pg.PoolClient) => Promise<T>,
  { begin, end, statement_ms, act }: How,
): Promise<T> {
  const client = await pool.connect();
  const withoutLimit = statement_ms === undefined ? null : withLimit(client, statement_ms);
  const limit = statement_ms === undefined ? '' : `; set local statement_timeout = ${statement_ms}`;
  const by = act === undefined ? '' : settingsOf(act);
  let broken: Error | undefined;
  try {
    await client.query(begin + limit + by);
    const result = await work(client);
    await client.query(end);
    return result;
  } catch (error) {
    // Fails at once if the connection is lost.
    await client.query('rollback').catch((fault: Error) => {
      broken = fault;
    });
    throw error;
  } finally {
    withoutLimit?.();
    client.release(broken);
  }
}

/** The settings that the triggers of both logs read. */
function settingsOf(act: Act): string {
  return Object.entries(act)
    .map(([name, value]) => `; set local tidemark.${name} = ${pg.escapeLiteral(value)}`)
    .join('');
}

function isTransient(error: unknown): boolean {
  if (!(error instanceof pg.DatabaseError)) return false;
  return error.code === SERIALIZATION_FAILURE || error.code === DEADLOCK_DETECTED || isNodeLost(error);
}
