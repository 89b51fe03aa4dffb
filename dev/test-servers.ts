import { existsSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { configAtStart } from '../src/settings/config.ts';
import { messageOf } from '../src/process/message-of.ts';
import { anyFreePort } from './ports.ts';
import { startPostgres, type Postgres } from './postgres.ts';
import { findTemporal } from './temporal-binary.ts';
import { startTemporal, type TemporalServer } from './temporal-server.ts';

/** Addresses of the servers of one process that runs test files. */
export type TestServers = {
  postgres: Pick<Postgres, 'url' | 'admin_url'>;
  temporal: Pick<TemporalServer, 'address' | 'ui_url'>;
};

/**
 * The variable in which each process of a run finds the servers of all of them, as a JSON list in the order of
 * MOCHA_WORKER_ID.
 */
export const TEST_SERVERS = 'TIDEMARK_TEST_SERVERS';

/**
 * The variable with the folder in which the processes of a run note what they send to the database; it is absent where
 * one process runs some files.
 */
export const SENT_STATEMENTS = 'TIDEMARK_SENT_STATEMENTS';

const TRIES_MAX = 5;

/** A folder that Linux keeps in memory: a copy of a database there costs a fifth of the processor time. */
const MEMORY = '/dev/shm';
/** Room that the databases of a run never fill: those of a file are removed after it. */
const ROOM_BYTES = 8 * 1024 ** 3;
/** The log of a test server, which has each block of a new database, is kept short. */
const WAL = { max_wal_size: '256MB', min_wal_size: '80MB' };

/**
 * Starts the servers of one process. Two processes share none: a transaction that a test holds open keeps the rollup of
 * every other database of the same PostgreSQL from going on, and a Temporal namespace belongs to one account at a time.
 */
export async function startTestServers(
  folder: string,
): Promise<{ servers: TestServers; stop: () => Promise<void> }> {
  const [postgres, temporal] = await Promise.all([startTestPostgres(folder), startTestTemporal(folder)]);
  return {
    servers: {
      postgres: { url: postgres.url, admin_url: postgres.admin_url },
      temporal: { address: temporal.address, ui_url: temporal.ui_url },
    },
    stop: async () => void (await Promise.all([postgres.stop(), temporal.stop()])),
  };
}

/** A PostgreSQL whose data need not survive a crash of the machine. */
export function startTestPostgres(data_dir: string): Promise<Postgres> {
  return startPostgres({ data_dir, durable: false, say: () => undefined, settings: WAL });
}

/** Where folders of tests may be. */
export const PLACES_OF_FOLDERS = [MEMORY, tmpdir()].filter((place) => existsSync(place));

/** The place for folders of test servers: memory if there is room, else that of temporary files. */
export function placeOfServers(): string {
  return PLACES_OF_FOLDERS.includes(MEMORY) && roomInMemory() > ROOM_BYTES ? MEMORY : tmpdir();
}

function roomInMemory(): number {
  const { bavail, bsize } = statfsSync(MEMORY);
  return Math.min(bavail * bsize, process.availableMemory());
}

/** A Temporal server that keeps everything in memory. Without a cached binary, it first downloads or builds one. */
export async function startTestTemporal(folder: string): Promise<TemporalServer> {
  const { temporal_cli, temporal_namespace: namespace } = configAtStart();
  const binary = await findTemporal(temporal_cli, console.log);
  const logs = join(folder, 'logs');
  for (let tries = 1; ; tries++) {
    try {
      const ui_port = await anyFreePort();
      return await startTemporal({ binary, namespace, db_file: null, port: null, ui_port, logs });
    } catch (error) {
      // Another process has taken the port since it was found to be free.
      if (tries === TRIES_MAX || !/address already in use/.test(messageOf(error))) throw error;
    }
  }
}
