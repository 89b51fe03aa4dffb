import { readdir } from 'node:fs/promises';
import { parse } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runner } from 'node-pg-migrate';
import type { PoolClient } from 'pg';
import { createPool, onConnection, transaction, type Db } from './pool.ts';
import { Refusal } from '../../settings/refusal.ts';
import { asRefusal } from './refusals.ts';

const MIGRATIONS = fileURLToPath(new URL('../../../migrations', import.meta.url));

/** A migration that only builds before 0.1.0, the first release, had. */
const OF_EARLIER_BUILDS = '0002_corrections';

/**
 * Migrates the database, then enters the cluster's epoch. Returns the names of the migrations that it applied. Every
 * process calls it at start; advisory locks serialize concurrent calls. Throws a Refusal if a setting, the role or the
 * server is wrong.
 */
export async function prepareDatabase(database_url: string): Promise<string[]> {
  try {
    const applied = await migrate(database_url);
    await enterEpochOf(database_url);
    return applied;
  } catch (error) {
    throw asRefusal(error);
  }
}

async function enterEpochOf(database_url: string): Promise<void> {
  const pool = createPool(database_url, 1);
  try {
    await transaction(pool, enterEpoch);
  } finally {
    await pool.end();
  }
}

/** A migration may take long, and another process waits for its lock as long. */
const UNLIMITED = { statement_ms: 0, lock_ms: 0 };

async function migrate(database_url: string): Promise<string[]> {
  const pool = createPool(database_url, 1, UNLIMITED);
  try {
    return await onConnection(pool, async (dbClient) => {
      if ((await appliedMigrations(dbClient)).has(OF_EARLIER_BUILDS)) throw new Refusal(EARLIER_BUILD);
      const failures = failuresOf(dbClient);
      const running = runner({
        dbClient,
        dir: MIGRATIONS,
        migrationsTable: 'migrations',
        direction: 'up',
        advisoryLockMode: 'wait',
        log: () => undefined,
      });
      const applied = await running.catch((error: unknown) => {
        throw failures[0] ?? error;
      });
      return applied.map(({ name }) => name);
    });
  } finally {
    await pool.end();
  }
}

const EARLIER_BUILD =
  'the database is of a build before 0.1.0, the first release, which cannot read it: export what you need with that build, ' +
  'then set DATABASE_URL to an empty database or, for npm start, delete the data folder';

/** Collects the errors of a connection's statements: some that node-pg-migrate throws have no cause and no code. */
function failuresOf(client: PoolClient): unknown[] {
  const failures: unknown[] = [];
  const query = client.query.bind(client) as (...parameters: unknown[]) => Promise<unknown>;
  const collected = (...parameters: unknown[]) =>
    query(...parameters).catch((error: unknown) => {
      failures.push(error);
      throw error;
    });
  client.query = collected as typeof client.query;
  return failures;
}

/** Names of the migrations that this build has and the database lacks. */
export async function missingMigrations(db: Db): Promise<string[]> {
  const applied = await appliedMigrations(db);
  const known = (await readdir(MIGRATIONS)).filter((file) => file.endsWith('.sql')).sort();
  return known.map((file) => parse(file).name).filter((name) => !applied.has(name));
}

async function appliedMigrations(db: Db): Promise<Set<string>> {
  const { rows: tables } = await db.query<{ is_there: boolean }>(
    `select to_regclass('migrations') is not null as is_there`,
  );
  const { rows } = tables[0]!.is_there
    ? await db.query<{ name: string }>('select name from migrations')
    : { rows: [] };
  return new Set(rows.map(({ name }) => name));
}

/**
 * Begins a new epoch if the cluster is new. After a logical restore, transaction ids restart, so rows of older epochs
 * count as visible to every cut-off of the new epoch (ARCHITECTURE.md, invariant 6). The default of the column sets the
 * epoch of new events at no cost per row.
 */
async function enterEpoch(db: Db): Promise<void> {
  await db.query(`select pg_advisory_xact_lock(hashtext('tidemark.epoch'))`);
  const { rows } = await db.query<{ system_identifier: string; epoch: number | null; known: string | null }>(
    `select system_identifier::text, (select max(epoch) from epochs) as epoch,
       (select e.system_identifier from epochs e order by e.epoch desc limit 1) as known
     from pg_control_system()`,
  );
  const current = rows[0]!;
  if (current.known === current.system_identifier) return;
  const epoch = (current.epoch ?? 0) + 1;
  await db.query('insert into epochs (epoch, system_identifier) values ($1, $2)', [
    epoch,
    current.system_identifier,
  ]);
  await db.query(`alter table events alter column epoch set default ${epoch}`);
  await db.query(`alter table row_changes alter column epoch set default ${epoch}`);
}
