import { join } from 'node:path';
import type { Config } from '../src/settings/config.ts';
import { parseDatabaseUrl } from '../src/settings/database-address.ts';
import { seedAccount, type SeededKeys } from '../src/db/account/accounts.ts';
import { prepareDatabase } from '../src/db/connection/prepare.ts';
import { createPool } from '../src/db/connection/pool.ts';
import { dashboardUrlOf } from '../src/settings/public-url.ts';
import { newSignInLink } from '../src/db/account/sign-in-link.ts';
import { buildDashboard, isDashboardBuilt } from './dashboard.ts';
import { claimDataDir, readSecrets, writeSecrets, writeStackFile, type StackFile } from './data-dir.ts';
import { LOOPBACK, anyFreePort, choosePort, isOk } from './ports.ts';
import { startPostgres } from './postgres.ts';
import { announced, stopLeftovers, waitUntilReady } from './processes.ts';
import { withProgress, type Say } from './progress.ts';
import { startService, type ServicePlace } from './services.ts';
import { supervise } from './supervise.ts';
import { findTemporal } from './temporal-binary.ts';
import { startTemporal } from './temporal-server.ts';

const TEMPORAL_PORT = 7233;
/** The worker and Temporal give way to all other programs, so that on a busy machine they start slowly. */
const SERVICE_START_LIMIT_MS = 180_000;
/**
 * Three requests in a row are three minutes: at the lowest priority and with many due timers, Temporal may be slow for
 * long.
 */
const TEMPORAL_ASK_MS = 60_000;
/** The port that a debugger asks first, and the next. */
export const INSPECTOR_PORTS = { API: 9229, Worker: 9230 } as const;

type Stop = () => Promise<void>;
type Stack = {
  readonly config: Config;
  readonly logs: string;
  readonly say: Say;
  readonly for_development: boolean;
  foundations: Stop[];
  services: Stop[];
};
type Temporal = { address: string; ui_url: string | null };

/** Addresses and keys of the stack, and a one-time sign-in link. */
export type Started = StackFile & { sign_in_url: string };

/**
 * The one-command stack of a configuration whose data directory is absolute. start() resolves with the addresses once
 * everything answers; from then on a part that ends is started again. Call stop() once, at any time. For development
 * the API and the worker have inspectors, and may stand at a breakpoint.
 */
export function createStack(
  config: Config,
  say: Say,
  { for_development = false }: { for_development?: boolean } = {},
): { start: () => Promise<Started>; stop: Stop } {
  const logs = join(config.data_dir, 'logs');
  const stack: Stack = { config, logs, say, for_development, foundations: [], services: [] };
  return {
    start: () => startStack(stack),
    stop: async () => {
      await Promise.all(stack.services.map((stop) => stop()));
      await Promise.all(stack.foundations.map((stop) => stop()));
    },
  };
}

async function startStack(stack: Stack): Promise<Started> {
  const { config, say } = stack;
  refuseToEmbedInProduction(config);
  if (config.tls_files !== null)
    throw new Error('npm start serves plain http: remove TLS_CERT_FILE and TLS_KEY_FILE');
  claimDataDir(config.data_dir);
  await stopLeftovers(stack.logs);
  const [database_url, temporal] = await Promise.all([
    openDatabase(stack),
    openTemporal(stack),
    openDashboard(stack),
  ]);
  await withProgress('Preparing the database', prepareDatabase(database_url), say);
  const { secret, keys } = await openSecrets(config, database_url);
  const api_port = { what: 'the API', setting: 'PORT', host: config.host, port: config.port };
  const port = await choosePort({ ...api_port, was_asked_for: config.port_was_asked_for }, say);
  const api_url = `http://${reachable(config.host)}:${port}`;
  const worker_port = config.worker_port ?? (await anyFreePort(config.worker_host));
  const environment = environmentOf(config, { database_url, temporal, port, worker_port, secret });
  const worker_url = `http://${reachable(config.worker_host)}:${worker_port}`;
  const health_urls = { API: `${api_url}/healthz`, Worker: `${worker_url}/healthz` };
  // At a breakpoint a process answers nobody, and it is not to be ended for that.
  const watched = stack.for_development ? { inspector_ports: INSPECTOR_PORTS } : { health_urls };
  await withProgress(
    'Starting the API and the worker',
    startServices(stack, { environment, logs: stack.logs, ...watched }, api_url),
    say,
  );
  const file: StackFile = {
    api_url,
    dashboard_url: dashboardUrlOf({ public_url: null, host: config.host, port }),
    temporal_address: temporal.address,
    temporal_ui_url: temporal.ui_url,
    database_url,
    ...keys,
    pid: process.pid,
  };
  writeStackFile(config.data_dir, file);
  return { ...file, sign_in_url: await signInLink(file) };
}

async function openDashboard({ say }: Stack): Promise<void> {
  if (!isDashboardBuilt()) await withProgress('Building the dashboard', buildDashboard(), say);
}

async function signInLink({ database_url, dashboard_url }: StackFile): Promise<string> {
  const pool = createPool(database_url, 1);
  // Never null: the account has just been created.
  return newSignInLink(pool, dashboard_url)
    .finally(() => pool.end())
    .then((link) => link!);
}

function refuseToEmbedInProduction({ is_production, database_url, temporal_address }: Config): void {
  if (!is_production || (database_url !== null && temporal_address !== null)) return;
  throw new Error(
    'NODE_ENV is production: set DATABASE_URL and TEMPORAL_ADDRESS, because the embedded servers are only for development',
  );
}

async function openDatabase({ config, say, foundations }: Stack): Promise<string> {
  if (config.database_url !== null) return config.database_url;
  const options = { data_dir: config.data_dir, durable: true, say };
  const postgres = await withProgress('Starting PostgreSQL', startPostgres(options), say);
  foundations.push(supervise(postgres, () => startPostgres({ ...options, port: postgres.port }), { say }));
  return postgres.url;
}

async function openTemporal({ config, logs, say, foundations }: Stack): Promise<Temporal> {
  const { temporal_address, temporal_ui_url: ui_url } = config;
  if (temporal_address !== null) return { address: temporal_address, ui_url };
  if (config.temporal_connection.tls)
    throw new Error(
      'TEMPORAL_API_KEY or TEMPORAL_TLS is set, but the embedded Temporal has neither: set TEMPORAL_ADDRESS as well, or remove them',
    );
  const binary = await findTemporal(config.temporal_cli, say);
  const options = {
    binary,
    namespace: config.temporal_namespace,
    db_file: join(config.data_dir, 'temporal.db'),
    ...(await temporalPorts(config, say)),
    logs,
    low_priority: true,
  };
  const temporal = await withProgress('Starting Temporal', startTemporal(options), say);
  foundations.push(supervise(temporal, () => startTemporal(options), { say, ask_ms: TEMPORAL_ASK_MS }));
  return { address: temporal.address, ui_url: ui_url ?? temporal.ui_url };
}

async function temporalPorts({ temporal_ui_port, temporal_ui_port_was_asked_for }: Config, say: Say) {
  const server = {
    what: 'Temporal',
    setting: 'TEMPORAL_ADDRESS',
    host: LOOPBACK,
    port: TEMPORAL_PORT,
    was_asked_for: false,
  };
  const ui = { what: 'the Temporal UI', setting: 'TEMPORAL_UI_PORT', host: LOOPBACK, port: temporal_ui_port };
  return {
    port: await choosePort(server, say),
    ui_port: await choosePort({ ...ui, was_asked_for: temporal_ui_port_was_asked_for }, say),
  };
}

async function openSecrets(
  config: Config,
  database_url: string,
): Promise<{ secret: string; keys: SeededKeys }> {
  const secrets = readSecrets(config.data_dir);
  const keys = await seedAccount(database_url, secrets.keys);
  writeSecrets(config.data_dir, { secret: secrets.secret, keys });
  return { secret: config.secrets?.join(',') ?? secrets.secret, keys };
}

type Found = {
  database_url: string;
  temporal: Temporal;
  port: number;
  worker_port: number;
  secret: string;
};

function environmentOf(
  config: Config,
  { database_url, temporal, port, worker_port, secret }: Found,
): Record<string, string> {
  const { password } = parseDatabaseUrl(database_url);
  return {
    DATABASE_URL: database_url,
    // One that was set for another database is not to be inherited.
    ...(password === '' ? {} : { DATABASE_PASSWORD: password }),
    TEMPORAL_ADDRESS: temporal.address,
    TEMPORAL_NAMESPACE: config.temporal_namespace,
    ...(temporal.ui_url === null ? {} : { TEMPORAL_UI_URL: temporal.ui_url }),
    HOST: config.host,
    PORT: `${port}`,
    WORKER_PORT: `${worker_port}`,
    WORKER_HOST: config.worker_host,
    TIDEMARK_SECRET: secret,
    TIDEMARK_DATA_DIR: config.data_dir,
    // No proxy is in front, and Ctrl-C is to be quick.
    DRAIN_SECONDS: '0',
  };
}

async function startServices({ say, services }: Stack, place: ServicePlace, api_url: string): Promise<void> {
  const [api, worker] = await Promise.all([startService('API', place), startService('Worker', place)]);
  services.push(api.stop, worker.stop);
  await Promise.all([
    waitUntilReady(api, SERVICE_START_LIMIT_MS, () => isOk(`${api_url}/readyz`)),
    waitUntilReady(worker, SERVICE_START_LIMIT_MS, announced(worker)),
  ]);
  services.push(supervise(api, () => startService('API', place), { say }));
  services.push(supervise(worker, () => startService('Worker', place), { say }));
}

function reachable(host: string): string {
  if (host === '0.0.0.0') return LOOPBACK;
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}
