import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inheritedEnvironment, readConfig } from '../../../src/settings/config.ts';
import type { StackFile } from '../../../dev/data-dir.ts';
import { anyFreePort } from '../../../dev/ports.ts';
import { startPostgres, type Postgres } from '../../../dev/postgres.ts';
import { findTemporal } from '../../../dev/temporal-binary.ts';
import { startTemporal, type TemporalServer } from '../../../dev/temporal-server.ts';
import { atEnd } from '../../support/servers/at-end.ts';
import { eventually } from '../../support/servers/eventually.ts';
import { aFolder } from '../../support/servers/folder.ts';

const MAIN = fileURLToPath(new URL('../../../dev/main.ts', import.meta.url));

/** The complete service: the one-command stack with API and worker, on a Postgres and a Temporal server of its own. */
export type Service = {
  stack: StackFile;
  stopPostgres: () => Promise<void>;
  startPostgres: () => Promise<void>;
  stopTemporal: () => Promise<void>;
  startTemporal: () => Promise<void>;
  /** Stops Temporal, deletes its database and starts it again. */
  loseTemporal: () => Promise<void>;
  /** Sends SIGKILL to the API or the worker; the stack restarts it. */
  kill: (name: 'api' | 'worker') => void;
};

export async function startService(): Promise<Service> {
  const folder = await aFolder();
  const postgres_options = { data_dir: join(folder, 'postgres'), durable: true, say: () => undefined };
  let postgres: Postgres = await startPostgres(postgres_options);
  atEnd(() => postgres.stop());
  const { temporal_cli, temporal_namespace: namespace } = readConfig();
  const temporal_options = {
    binary: await findTemporal(temporal_cli, console.log),
    namespace,
    db_file: join(folder, 'temporal.db'),
    ui_port: null,
    port: await anyFreePort(),
    logs: join(folder, 'temporal-logs'),
  };
  let temporal: TemporalServer = await startTemporal(temporal_options);
  atEnd(() => temporal.stop());
  const data_dir = join(folder, 'stack');
  const stack = await startStack(data_dir, {
    DATABASE_URL: postgres.url,
    TEMPORAL_ADDRESS: temporal.address,
  });
  return {
    stack,
    stopPostgres: () => postgres.stop(),
    startPostgres: async () =>
      void (postgres = await startPostgres({ ...postgres_options, port: postgres.port })),
    stopTemporal: () => temporal.stop(),
    startTemporal: async () => void (temporal = await startTemporal(temporal_options)),
    loseTemporal: async () => {
      await temporal.stop();
      for (const suffix of ['', '-wal', '-shm']) rmSync(temporal_options.db_file + suffix, { force: true });
      temporal = await startTemporal(temporal_options);
    },
    kill: (name) => process.kill(pidOf(data_dir, name), 'SIGKILL'),
  };
}

async function startStack(data_dir: string, settings: Record<string, string>): Promise<StackFile> {
  const port = `${await anyFreePort()}`;
  const environment = {
    ...inheritedEnvironment(),
    ...settings,
    PORT: port,
    GRACE_PERIOD: '0s',
    RATE_LIMIT: 'off',
  };
  const child = spawn(process.execPath, [MAIN, '--data-dir', data_dir], {
    env: environment,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  atEnd(() => ended(child));
  const file = join(data_dir, 'stack.json');
  await eventually(async () => existsSync(file), Boolean);
  return JSON.parse(readFileSync(file, 'utf8')) as StackFile;
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  child.kill('SIGTERM');
  await new Promise((resolve) => child.once('exit', resolve));
}

function pidOf(data_dir: string, name: string): number {
  return Number.parseInt(readFileSync(join(data_dir, 'logs', `${name}.pid`), 'utf8'), 10);
}
