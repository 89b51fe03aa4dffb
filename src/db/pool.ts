import pg from 'pg';
import { setTimeout as pause } from 'node:timers/promises';
import { pulseOf } from './pulse.ts';
import { sessionOptions, watchConnection, withLimit } from './session.ts';

/** A pool, or a client inside transaction(). Every query function takes one first. */
export type Db = Pick<pg.Pool, 'query'>;
export type Pool = pg.Pool;

/**
 * Postgres prints `2026-01-31 12:00:00.5+00` (our sessions are in UTC), everything outside the database reads
 * `2026-01-31T12:00:00.500Z`. Cut and not parsed: a list has hundreds of these.
 */
function parseInstant(text: string): string {
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${text.slice(20, -3).padEnd(3, '0')}Z`;
}
pg.types.setTypeParser(pg.types.builtins.TIMESTAMPTZ, parseInstant);

/** Of what somebody waits for: with the second until its connection is given up it is answered within ten. */
export const SHORT_STATEMENT_MS = 8000;
/** Of reports, and of bills that a request makes. */
export const LONG_STATEMENT_MS = 60_000;
const CONNECT_MS = 5000;

/**
 * Dates and decimals arrive as strings, bigints too: no double touches a price. A statement is cut off after `statement_ms`, and a
 * second later its connection is given up. With `is_prepared` each is planned once a connection: not for lists, whose filters may be
 * null, so that one plan does not suit all.
 */
export function createPool(
  url: string,
  size: number,
  { statement_ms = LONG_STATEMENT_MS, is_prepared = false } = {},
): Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: size,
    connectionTimeoutMillis: CONNECT_MS,
    idleTimeoutMillis: 30_000,
    ...sessionOptions(statement_ms),
  });
  const pulse = pulseOf(url);
  // Without a listener, an idle connection that the server closes ends the process.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => watchConnection(client, statement_ms, pulse.answered));
  if (is_prepared) pool.on('connect', prepareStatements);
  const connect = pool.connect.bind(pool) as (...args: unknown[]) => unknown;
  const asking = (...args: unknown[]) => {
    pulse.asked();
    return connect(...args);
  };
  pool.connect = asking as typeof pool.connect;
  return pool;
}

/** Of statements, by their texts. All texts are constants of this program, so there are some hundred of them. */
const names = new Map<string, string>();

/** To plan a short statement again costs more than to run it. Those without parameters are begin, commit and the like. */
function prepareStatements(client: pg.PoolClient): void {
  const query = client.query.bind(client) as (...sent: unknown[]) => unknown;
  const prepared = (text: unknown, values: unknown, ...rest: unknown[]) =>
    typeof text === 'string' && Array.isArray(values)
      ? query({ name: nameOf(text), text, values }, ...rest)
      : query(text, values, ...rest);
  client.query = prepared as typeof client.query;
}

function nameOf(text: string): string {
  let name = names.get(text);
  if (name === undefined) names.set(text, (name = `statement ${names.size}`));
  return name;
}

const TRIES_MAX = 5;
const SERIALIZATION_FAILURE = '40001';
const DEADLOCK_DETECTED = '40P01';

/** `statement_ms`: another limit for the statements of this transaction than that of its pool. */
export type Patience = { statement_ms?: number };

/** Runs work in a transaction that is taken back whatever happens, and returns what it returns. */
export async function dryRun<T>(
  pool: Pool,
  work: (db: pg.PoolClient) => Promise<T>,
  patience: Patience = {},
): Promise<T> {
  return inTransaction(pool, work, { begin: 'begin', end: 'rollback', ...patience });
}

/** Runs work that only reads, all of it in one snapshot. */
export async function readOnly<T>(
  pool: Pool,
  work: (db: pg.PoolClient) => Promise<T>,
  patience: Patience = {},
): Promise<T> {
  const begin = 'begin isolation level repeatable read read only';
  return inTransaction(pool, work, { begin, end: 'commit', ...patience });
}

/** Runs work in one transaction and returns what it returns. Deadlocks and serialization failures are tried again, five times in all. */
export async function transaction<T>(
  pool: Pool,
  work: (db: pg.PoolClient) => Promise<T>,
  patience: Patience = {},
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await inTransaction(pool, work, { begin: 'begin', end: 'commit', ...patience });
    } catch (error) {
      if (attempt === TRIES_MAX || !isTransient(error)) throw error;
      await pause(Math.random() * 20 * attempt);
    }
  }
}

/**
 * Runs a part of a transaction. Where it fails for what its rows hold, it alone is taken back, and the error is returned; null where
 * it is done. Throws whatever else ends it.
 */
export async function attempt(db: Db, part: () => Promise<void>): Promise<Error | null> {
  await db.query('savepoint part');
  try {
    await part();
  } catch (error) {
    if (!isOfItsRows(error)) throw error;
    await db.query('rollback to savepoint part');
    return error;
  }
  await db.query('release savepoint part');
  return null;
}

/**
 * Whether an error comes from the rows that a statement meets: values, constraints, limits of size, damage, a lock that somebody
 * holds. Others may go well.
 */
export function isOfItsRows(error: unknown): error is pg.DatabaseError {
  return error instanceof pg.DatabaseError && /^(22|23|54|XX|55P03)/.test(error.code ?? '');
}

/**
 * Runs work on one connection, outside any transaction, and returns what it returns. Where anything but the server's own word ends
 * it the connection is closed, because nobody knows what it still does.
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

type How = Patience & { begin: string; end: 'commit' | 'rollback' };

async function inTransaction<T>(
  pool: Pool,
  work: (db: pg.PoolClient) => Promise<T>,
  { begin, end, statement_ms }: How,
): Promise<T> {
  const client = await pool.connect();
  const withoutLimit = statement_ms === undefined ? null : withLimit(client, statement_ms);
  const limit = statement_ms === undefined ? '' : `; set local statement_timeout = ${statement_ms}`;
  let broken: Error | undefined;
  try {
    await client.query(begin + limit);
    const result = await work(client);
    await client.query(end);
    return result;
  } catch (error) {
    // Where the connection is lost this fails at once.
    await client.query('rollback').catch((fault: Error) => {
      broken = fault;
    });
    throw error;
  } finally {
    withoutLimit?.();
    client.release(broken);
  }
}

function isTransient(error: unknown): boolean {
  return (
    error instanceof pg.DatabaseError &&
    (error.code === SERIALIZATION_FAILURE || error.code === DEADLOCK_DETECTED)
  );
}
