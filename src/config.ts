import { BlockList } from 'node:net';
import { join } from 'node:path';
import { parseDatabaseUrl, withPassword } from './database-address.ts';
import { messageOf } from './message-of.ts';
import { networksOf } from './networks.ts';
import { readTemporalProfile, type TemporalConnection } from './temporal-profile.ts';

/** The settings. This file alone reads process.env; README's table of settings has one row for each name here. */
export const SETTINGS = {
  PORT: 'Port of the API and the dashboard. Default 3000, or the next free port if 3000 is in use.',
  HOST: 'Address on which the API listens. Default 127.0.0.1.',
  PUBLIC_URL: 'Address of the dashboard for its users, such as https://billing.example.com. Default none.',
  METRICS_PORT:
    'Port of /metrics in production; it serves nothing else. Default 9464. Outside production, /metrics is at PORT.',
  TRUSTED_PROXIES:
    'Networks of the proxies in front of the API, such as 10.0.0.0/8,fd00::/8. The API trusts their X-Forwarded-For. Default none.',
  WORKER_HEALTH_PORT:
    'Port on 127.0.0.1 for /healthz of a worker. Default none; npm start chooses a free port.',
  TIDEMARK_DATA_DIR:
    'Folder for the data of the embedded servers, the secrets and stack.json. Default .tidemark.',
  DATABASE_URL:
    'URL of a PostgreSQL database, version 16 or newer, to use instead of the embedded PostgreSQL.',
  DATABASE_PASSWORD:
    'Password for DATABASE_URL if the URL has none. No character of it needs to be percent-encoded.',
  DATABASE_ADMIN_URL:
    'URL with a superuser of the same PostgreSQL, only for the command give-database. The role of DATABASE_URL owns its database and is not a superuser.',
  DATABASE_ADMIN_PASSWORD: 'The same for DATABASE_ADMIN_URL.',
  DATABASE_POOL_SIZE: 'Database connections of one process, except those for ingest. Default 10.',
  TEMPORAL_ADDRESS: 'Address of a Temporal server to use instead of the embedded Temporal.',
  TEMPORAL_NAMESPACE: 'Temporal namespace of the workflows. Default billing.',
  TEMPORAL_API_KEY: 'API key of Temporal Cloud. It turns TLS on.',
  TEMPORAL_TLS:
    'If set to true, connections to Temporal use TLS. A key, a certificate or an authority turns it on too.',
  TEMPORAL_TLS_SERVER_CA_CERT_PATH:
    'File with the authority of the certificate of Temporal. Default: those that Node trusts.',
  TEMPORAL_TLS_SERVER_NAME:
    'Host name in the certificate of Temporal, if it is not the one of TEMPORAL_ADDRESS.',
  TEMPORAL_TLS_CLIENT_CERT_PATH: 'File with the certificate that Temporal requires of its clients.',
  TEMPORAL_TLS_CLIENT_KEY_PATH: 'File with the key of that certificate.',
  TEMPORAL_CONFIG_FILE:
    'Configuration file of Temporal clients (TOML) with the values of these settings. Default none.',
  TEMPORAL_PROFILE:
    'Profile in that file, or in the default file of the user. Default: the profile default, if a file is set.',
  TEMPORAL_CLI: 'Path of the temporal command that starts the embedded server.',
  TEMPORAL_UI_PORT: 'Port of the embedded Temporal UI. Default 8233, or the next free port.',
  TEMPORAL_UI_URL: 'Address of the Temporal UI in links. Default: the embedded Temporal UI.',
  GRACE_PERIOD:
    'Time for which a live draft is held for late events: a number with s, m, h or d. Default 1h.',
  LATE_USAGE_DAYS:
    'Days after the end of a period in which late events are billed automatically. Default 35.',
  RATE_LIMIT: 'Requests per second for each key, over all API processes together, or off. Default 1000.',
  RECEIVE_MEMORY: 'Maximum memory for incoming request bodies in one API process, in megabytes. Default 256.',
  UNRATED_ALARM_PERCENT:
    'Percentage of unrated events in 30 days above which Home shows an alarm. Default 5.',
  LOG_LEVEL: 'debug, info, warn, error or silent. Default info.',
  TIDEMARK_SECRET:
    'Secret that signs cursors; use the same value in every API process. Default: generated once and stored in the data directory.',
  TIDEMARK_URL:
    'Address of the API for the command line. Default: the API of the stack in the data directory.',
  TIDEMARK_KEY:
    'API key for the command line. Default: the key of the stack, sent only to the address of the stack.',
  NODE_ENV: 'If set to production, npm start does not start embedded PostgreSQL and Temporal servers.',
} as const;

export type Settings = { readonly [name: string]: string | undefined };

export type Config = {
  port: number;
  port_was_asked_for: boolean;
  host: string;
  public_url: string | null;
  /** Null: /metrics is served at the port of the API. */
  metrics_port: number | null;
  trusted_proxies: BlockList;
  /** Null: the worker has no health port. */
  worker_health_port: number | null;
  data_dir: string;
  /** With its password. */
  database_url: string | null;
  database_admin_url: string | null;
  database_pool_size: number;
  temporal_address: string | null;
  temporal_namespace: string;
  temporal_connection: TemporalConnection;
  temporal_cli: string | null;
  temporal_ui_port: number;
  temporal_ui_port_was_asked_for: boolean;
  temporal_ui_url: string | null;
  grace_period_ms: number;
  late_usage_days: number;
  /** Requests per second and key; null is no limit. */
  rate_limit: number | null;
  receive_memory_bytes: number;
  unrated_alarm_percent: number;
  log_level: 'debug' | 'info' | 'warn' | 'error' | 'silent';
  /** Null: not set, so the one-command stack makes one. */
  secret: string | null;
  tidemark_url: string | null;
  tidemark_key: string | null;
  is_production: boolean;
};

/** Reads every setting once. Throws an Error, one sentence, that names the variable and its fault. */
export function readConfig(settings: Settings = process.env): Config {
  refuseEmpty(settings);
  const is_production = settings.NODE_ENV === 'production';
  const temporal = readTemporalProfile(settings);
  return {
    port: integerOf(settings, 'PORT', 3000, 0, 65_535),
    port_was_asked_for: settings.PORT !== undefined,
    host: settings.HOST ?? '127.0.0.1',
    public_url: settings.PUBLIC_URL ?? null,
    metrics_port: is_production ? integerOf(settings, 'METRICS_PORT', 9464, 0, 65_535) : null,
    trusted_proxies: proxiesOf(settings.TRUSTED_PROXIES),
    worker_health_port:
      settings.WORKER_HEALTH_PORT !== undefined
        ? integerOf(settings, 'WORKER_HEALTH_PORT', 0, 1, 65_535)
        : null,
    data_dir: settings.TIDEMARK_DATA_DIR ?? join(process.cwd(), '.tidemark'),
    database_url: databaseUrlOf(settings, 'DATABASE_URL', 'DATABASE_PASSWORD'),
    database_admin_url: databaseUrlOf(settings, 'DATABASE_ADMIN_URL', 'DATABASE_ADMIN_PASSWORD'),
    database_pool_size: integerOf(settings, 'DATABASE_POOL_SIZE', 10, 1, 1000),
    temporal_address: temporal.address,
    temporal_namespace: temporal.namespace ?? 'billing',
    temporal_connection: temporal.connection,
    temporal_cli: settings.TEMPORAL_CLI ?? null,
    temporal_ui_port: integerOf(settings, 'TEMPORAL_UI_PORT', 8233, 0, 65_535),
    temporal_ui_port_was_asked_for: settings.TEMPORAL_UI_PORT !== undefined,
    temporal_ui_url: settings.TEMPORAL_UI_URL ?? null,
    grace_period_ms: durationOf(settings.GRACE_PERIOD ?? '1h'),
    late_usage_days: integerOf(settings, 'LATE_USAGE_DAYS', 35, 0, 3650),
    rate_limit: settings.RATE_LIMIT === 'off' ? null : integerOf(settings, 'RATE_LIMIT', 1000, 1, 1_000_000),
    receive_memory_bytes: integerOf(settings, 'RECEIVE_MEMORY', 256, 8, 65_536) * 1024 * 1024,
    unrated_alarm_percent: integerOf(settings, 'UNRATED_ALARM_PERCENT', 5, 0, 100),
    log_level: logLevelOf(settings.LOG_LEVEL ?? 'info'),
    secret: settings.TIDEMARK_SECRET ?? null,
    tidemark_url: settings.TIDEMARK_URL ?? null,
    tidemark_key: settings.TIDEMARK_KEY ?? null,
    is_production,
  };
}

/** The settings at program start. If one is wrong, prints the reason in one sentence and exits with 2. */
export function configAtStart(): Config {
  try {
    return readConfig();
  } catch (error) {
    return refuseToStart(messageOf(error));
  }
}

/** Prints the sentence and exits with 2. */
export function refuseToStart(sentence: string): never {
  console.error(sentence);
  process.exit(2);
}

/** The whole environment, for a child process to inherit. */
export function inheritedEnvironment(): NodeJS.ProcessEnv {
  return process.env;
}

/** An empty value was probably meant to be set: refuse it instead of guessing the default. */
function refuseEmpty(settings: Settings): void {
  for (const name of Object.keys(SETTINGS))
    if (settings[name] === '') throw new Error(`${name} is empty; set a value or remove the setting`);
}

function databaseUrlOf(
  settings: Settings,
  name: keyof typeof SETTINGS,
  password_name: keyof typeof SETTINGS,
): string | null {
  const { [name]: url, [password_name]: password } = settings;
  if (url === undefined) return null;
  try {
    parseDatabaseUrl(url);
    return password === undefined ? url : withPassword(url, password);
  } catch (error) {
    throw new Error(`${name} ${messageOf(error)}`);
  }
}

function proxiesOf(value: string | undefined): BlockList {
  try {
    return value === undefined ? new BlockList() : networksOf(value);
  } catch (error) {
    throw new Error(`TRUSTED_PROXIES: ${messageOf(error)}`);
  }
}

function integerOf(
  settings: Settings,
  name: keyof typeof SETTINGS,
  fallback: number,
  low: number,
  high: number,
): number {
  const value = settings[name];
  if (value === undefined) return fallback;
  const number = Number(value);
  if (!Number.isInteger(number) || number < low || number > high) {
    throw new Error(`${name} must be a whole number from ${low} to ${high}, not "${value}"`);
  }
  return number;
}

const UNIT_MS = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

function durationOf(value: string): number {
  const match = /^(\d{1,6})([smhd])$/.exec(value);
  if (match === null) throw new Error(`GRACE_PERIOD must be a number with s, m, h or d, not "${value}"`);
  return Number(match[1]) * UNIT_MS[match[2] as keyof typeof UNIT_MS];
}

function logLevelOf(value: string): Config['log_level'] {
  const levels = ['debug', 'info', 'warn', 'error', 'silent'] as const;
  const level = levels.find((name) => name === value);
  if (level === undefined) throw new Error(`LOG_LEVEL must be one of ${levels.join(', ')}, not "${value}"`);
  return level;
}
