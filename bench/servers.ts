import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { readConfig } from '../src/settings/config.ts';
import { prepareDatabase } from '../src/db/connection/prepare.ts';
import { startPostgres } from '../dev/postgres.ts';
import { removeHome } from '../dev/postgres-home.ts';
import type { Running } from '../dev/processes.ts';
import { withProgress, type Say } from '../dev/progress.ts';
import { findTemporal } from '../dev/temporal-binary.ts';
import { startTemporal } from '../dev/temporal-server.ts';
import { createStops, type Stops } from './stops.ts';

export const NAMESPACE = 'billing';

/** The environment in which one figure is measured: servers with the settings of the one-command stack, in a temporary folder. */
export type Place = Sizes & {
  /** Log folder for the processes that the figure starts. */
  logs: string;
  /** The figure's own database, migrated and empty. */
  database_url: string;
  /** Address of the figure's own Temporal server, because a namespace belongs to one account (decision 25); the first call starts it. */
  temporal: () => Promise<string>;
  /** Address of a database that all figures of the run share; the first call fills it. */
  shared: (name: string, fill: (database_url: string) => Promise<void>) => Promise<string>;
  say: Say;
  /** Functions that run after the figure is measured, or on exit. */
  stops: Stops;
};

export type Sizes = {
  /** How many subscriptions end at once in the figures of period ends. */
  subscriptions: number;
  /** How many events are in the large table. */
  events: number;
  /** How many invoices the reports on money are about. */
  invoices: number;
};

export type Servers = {
  version: string;
  settings: string;
  place: (figure_name: string, sizes: Sizes) => Promise<Place>;
};

const SETTINGS = [
  'synchronous_commit',
  'fsync',
  'full_page_writes',
  'shared_buffers',
  'max_wal_size',
  'checkpoint_timeout',
] as const;

/** Starts PostgreSQL with the settings of the one-command stack. `stops` gets its stop and the removal of its folder. */
export async function startServers(stops: Stops, say: Say): Promise<Servers> {
  const folder = mkdtempSync(join(tmpdir(), 'tidemark-bench-'));
  stops.add(() => removeHome(folder));
  const starting = startPostgres({ data_dir: folder, durable: true, say });
  stops.add(() => stopOnce(starting));
  // Figures run checkpoints, which an ordinary role may not.
  const { admin_url: url } = await withProgress('Starting PostgreSQL', starting, say);
  const shared = new Map<string, Promise<string>>();
  return {
    ...(await describe(url)),
    place: async (figure_name, { subscriptions, events, invoices }) => {
      const logs = join(folder, 'logs', figure_name);
      const stops_of_figure = createStops();
      let temporal: Promise<string> | null = null;
      return {
        logs,
        database_url: await createDatabase(url, figure_name.toLowerCase()),
        temporal: () => (temporal ??= openTemporal(logs, stops_of_figure, say)),
        shared: (name, fill) => {
          const known = shared.get(name) ?? createFilled(url, name, fill);
          shared.set(name, known);
          return known;
        },
        subscriptions,
        events,
        invoices,
        say,
        stops: stops_of_figure,
      };
    },
  };
}

async function openTemporal(logs: string, stops: Stops, say: Say): Promise<string> {
  const starting = startTemporal({
    binary: await findTemporal(readConfig().temporal_cli, say),
    namespace: NAMESPACE,
    db_file: join(logs, 'temporal.db'),
    port: null,
    ui_port: null,
    logs,
    low_priority: true,
  });
  stops.add(() => stopOnce(starting));
  const temporal = await withProgress('Starting Temporal', starting, say);
  return temporal.address;
}

/** Stops a server; if it is still starting, as soon as it runs. */
async function stopOnce(starting: Promise<Running>): Promise<void> {
  const started = await starting.catch(() => null);
  await started?.stop();
}

async function describe(url: string): Promise<{ version: string; settings: string }> {
  return connected(url, async (client) => {
    const { rows } = await client.query<Record<string, string>>(
      `select split_part(current_setting('server_version'), ' ', 1) as version,
         ${SETTINGS.map((name) => `current_setting('${name}') as ${name}`).join(', ')}`,
    );
    const { version, ...settings } = rows[0]!;
    const said = Object.entries(settings).map(([name, value]) => `${name} ${value}`);
    return { version: version!, settings: said.join(', ') };
  });
}

async function createDatabase(url: string, name: string): Promise<string> {
  await connected(url, (client) => client.query(`create database ${name}`));
  const address = new URL(url);
  address.pathname = `/${name}`;
  await prepareDatabase(address.href);
  return address.href;
}

async function createFilled(
  url: string,
  name: string,
  fill: (database_url: string) => Promise<void>,
): Promise<string> {
  const database_url = await createDatabase(url, name);
  await fill(database_url);
  return database_url;
}

async function connected<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
