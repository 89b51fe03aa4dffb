import { BlockList } from 'node:net';
import { join } from 'node:path';
import { parseDatabaseUrl, withPassword } from './database-address.ts';
import { messageOf } from '../process/message-of.ts';
import { emailSettingsOf, type EmailSettings } from './email-settings.ts';
import { networksOf } from './networks.ts';
import { oidcSettingsOf, type OidcSettings } from './oidc-settings.ts';
import { publicUrlOf } from './public-url.ts';
import { fileSettingOf, SECRETS, withSecretFiles } from './secret-files.ts';
import { durationOf, integerOf, logLevelOf, type LogLevel } from './setting-values.ts';
import { stripeApiUrlOf } from './stripe-api-url.ts';
import { signingSecretsOf, type SigningSecrets } from './signing-secrets.ts';
import { readTemporalProfile, type TemporalConnection } from './temporal-profile.ts';

/** The settings. This file alone reads process.env; docs/settings.md has one row for each name here. */
export const SETTINGS = {
  PORT: 'Port of the API and the dashboard. Default 3000, or the next free port if 3000 is in use.',
  HOST: 'Address on which the API listens. Default 127.0.0.1.',
  PUBLIC_URL:
    'Address by which browsers and clients reach the API, such as https://billing.example.com; for links and cookies. Default none.',
  TLS_CERT_FILE:
    'Path of a certificate with its chain, in PEM form: with it, the API serves https at PORT. A changed file is read within seconds.',
  TLS_KEY_FILE: 'Path of the private key of TLS_CERT_FILE, in PEM form.',
  ALLOW_PLAIN_HTTP:
    '1 allows plain http at a HOST that others reach, in production without TLS_CERT_FILE and TRUSTED_PROXIES. Default 0.',
  METRICS_PORT:
    'Port of /metrics in production; it serves nothing else. Default 9464. Outside production, /metrics is at PORT.',
  METRICS_HOST: 'Address on which METRICS_PORT listens. Default 127.0.0.1.',
  TRUSTED_PROXIES:
    'Networks of the proxies in front of the API, such as 10.0.0.0/8,fd00::/8. The API trusts their X-Forwarded-For. Default none.',
  DRAIN_SECONDS:
    'Seconds for which a stopping API goes on serving, so that proxies notice. Default 10 in production, else 0; npm start always uses 0.',
  WORKER_PORT:
    'Port of /healthz, /readyz and /metrics of a worker. Default 9465 in production, else none; npm start chooses a free port.',
  WORKER_HOST: 'Address on which WORKER_PORT listens. Default 127.0.0.1.',
  TIDEMARK_DATA_DIR:
    'Folder for the data of the embedded servers, the secrets and stack.json. Default .tidemark.',
  DATABASE_URL:
    'URL of a PostgreSQL database, version 16 or newer, to use instead of the embedded PostgreSQL.',
  DATABASE_PASSWORD:
    'Password for DATABASE_URL if the URL has none. No character of it needs to be percent-encoded.',
  DATABASE_READ_URL:
    'URL of a standby of the same database, for the usage report; not with a cluster. DATABASE_PASSWORD is valid for it too. Default: DATABASE_URL.',
  DATABASE_ADMIN_URL:
    'URL with a superuser of the same PostgreSQL, only for the commands give-database and cluster. The role of DATABASE_URL owns its database and is not a superuser.',
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
  FEED_KEPT_DAYS: 'Days for which the feed of changes is kept. Default 90, at least 7.',
  WEBHOOK_ALLOWED_NETWORKS:
    'Private networks to which webhooks may go, such as 10.1.0.0/16,fd00::/8. Default none: public addresses alone.',
  SMTP_URL:
    'Address of the mail server that takes emails to payers, such as smtp://user@smtp.example.com:587, or smtps:// for TLS from the start. Needs EMAIL_FROM and, in production, PUBLIC_URL. Default none: no email leaves.',
  SMTP_PASSWORD: 'Password of the user in SMTP_URL.',
  EMAIL_FROM: 'Sender of emails, such as Acme <billing@acme.com>.',
  EMAIL_RATE: 'Emails per second in all. Default 10.',
  STRIPE_API_URL: 'Address in place of that of Stripe, for tests with a stand-in. Refused in production.',
  RATE_LIMIT: 'Requests per second for each key, over all API processes together, or off. Default 1000.',
  RECEIVE_MEMORY: 'Maximum memory for incoming request bodies in one API process, in megabytes. Default 256.',
  UNRATED_ALARM_PERCENT:
    'Percentage of unrated events in 30 days above which Home shows an alarm. Default 5.',
  CHECK_SHARE_PERCENT:
    "Percentage of one processor's time that the continuous check of all data may take; what is new is checked besides. Default 5.",
  LOG_LEVEL: 'debug, info, warn, error or silent. Default info.',
  OTEL_EXPORTER_OTLP_ENDPOINT:
    'URL of an OpenTelemetry collector, such as http://127.0.0.1:4318, to which traces are sent by OTLP over HTTP. Default none: no traces.',
  TIDEMARK_SECRET:
    'Secret that signs cursors and encrypts the secrets of webhook endpoints and payment providers, at least 16 characters; the same in every API process and worker. Two values, separated by a comma: the first signs, both are valid. Default: generated once and stored in the data directory.',
  OIDC_ISSUER:
    'Address of an OpenID Connect provider with which people sign in, such as https://login.example.com. Needs OIDC_CLIENT_ID, OIDC_CLIENT_SECRET and, in production, PUBLIC_URL.',
  OIDC_CLIENT_ID: 'Id of Tidemark at the provider.',
  OIDC_CLIENT_SECRET: 'Secret of Tidemark at the provider.',
  OIDC_ALLOWED_DOMAINS:
    'Domains whose email addresses sign in without an invitation, as viewers, such as example.com,example.org. Default none.',
  OIDC_ROLE_CLAIM:
    'Claim of the provider that decides on the role at each sign-in, such as groups. Default: an admin decides.',
  OIDC_ROLES:
    'Roles by values of that claim, such as billing-admins=admin,fin=finance. Default: viewer, support, finance and admin by their names.',
  OIDC_TRUST_EMAIL:
    '1 for a provider that verifies every email address but does not say so, such as Entra ID. Default 0.',
  TIDEMARK_URL:
    'Address of the API for the command line. Default: the API of the stack in the data directory.',
  TIDEMARK_KEY:
    'API key for the command line. Default: the key of the stack, sent only to the address of the stack.',
  NODE_ENV: 'If set to production, npm start does not start embedded PostgreSQL and Temporal servers.',
} as const;

/** Paths of a certificate and of its private key. */
export type TlsFiles = { cert_file: string; key_file: string };

export type Settings = { readonly [name: string]: string | undefined };

export type Config = {
  port: number;
  port_was_asked_for: boolean;
  host: string;
  /** An origin such as `https://billing.example.com`. */
  public_url: string | null;
  /** Null: the API serves plain http. */
  tls_files: TlsFiles | null;
  allow_plain_http: boolean;
  /** Null: /metrics is served at the port of the API. */
  metrics_port: number | null;
  metrics_host: string;
  trusted_proxies: BlockList;
  /** Time between the signal to stop and the end of serving. */
  drain_ms: number;
  /** Null: the worker opens no port. */
  worker_port: number | null;
  worker_host: string;
  data_dir: string;
  /** URL of the database with its password. */
  database_url: string | null;
  /** Null: everything is read from database_url. */
  database_read_url: string | null;
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
  feed_kept_days: number;
  webhook_allowed_networks: BlockList;
  /** Null: no email leaves. */
  email: EmailSettings | null;
  /** Null: Stripe itself. */
  stripe_api_url: string | null;
  /** Requests per second and key; null is no limit. */
  rate_limit: number | null;
  receive_memory_bytes: number;
  unrated_alarm_percent: number;
  check_share_percent: number;
  log_level: LogLevel;
  /** Null: no traces. */
  otlp_endpoint: string | null;
  /** Null: not set, so the one-command stack makes one. */
  secrets: SigningSecrets | null;
  /** Null: nobody signs in with a provider. */
  oidc: OidcSettings | null;
  tidemark_url: string | null;
  tidemark_key: string | null;
  is_production: boolean;
};

const LOOPBACK = '127.0.0.1';
const WORKER_PORT_IN_PRODUCTION = 9465;

/** Reads every setting once. Throws an Error, one sentence, that names the variable and its fault. */
export function readConfig(environment: Settings = process.env): Config {
  refuseEmpty(environment);
  const settings = withSecretFiles(environment);
  const is_production = settings.NODE_ENV === 'production';
  const temporal = readTemporalProfile(settings);
  return {
    port: integerOf(settings, 'PORT', { fallback: 3000, low: 0, high: 65_535 }),
    port_was_asked_for: settings.PORT !== undefined,
    host: settings.HOST ?? LOOPBACK,
    public_url: settings.PUBLIC_URL === undefined ? null : publicUrlOf(settings.PUBLIC_URL),
    tls_files: tlsFilesOf(settings),
    allow_plain_http: integerOf(settings, 'ALLOW_PLAIN_HTTP', { fallback: 0, low: 0, high: 1 }) === 1,
    metrics_port: is_production
      ? integerOf(settings, 'METRICS_PORT', { fallback: 9464, low: 0, high: 65_535 })
      : null,
    metrics_host: settings.METRICS_HOST ?? LOOPBACK,
    trusted_proxies: networksSetting(settings, 'TRUSTED_PROXIES'),
    drain_ms:
      integerOf(settings, 'DRAIN_SECONDS', { fallback: is_production ? 10 : 0, low: 0, high: 300 }) * 1000,
    worker_port: workerPortOf(settings, is_production),
    worker_host: settings.WORKER_HOST ?? LOOPBACK,
    data_dir: settings.TIDEMARK_DATA_DIR ?? join(process.cwd(), '.tidemark'),
    database_url: databaseUrlOf(settings, 'DATABASE_URL', 'DATABASE_PASSWORD'),
    database_read_url: databaseUrlOf(settings, 'DATABASE_READ_URL', 'DATABASE_PASSWORD'),
    database_admin_url: databaseUrlOf(settings, 'DATABASE_ADMIN_URL', 'DATABASE_ADMIN_PASSWORD'),
    database_pool_size: integerOf(settings, 'DATABASE_POOL_SIZE', { fallback: 10, low: 1, high: 1000 }),
    temporal_address: temporal.address,
    temporal_namespace: temporal.namespace ?? 'billing',
    temporal_connection: temporal.connection,
    temporal_cli: settings.TEMPORAL_CLI ?? null,
    temporal_ui_port: integerOf(settings, 'TEMPORAL_UI_PORT', { fallback: 8233, low: 0, high: 65_535 }),
    temporal_ui_port_was_asked_for: settings.TEMPORAL_UI_PORT !== undefined,
    temporal_ui_url: settings.TEMPORAL_UI_URL ?? null,
    grace_period_ms: durationOf(settings.GRACE_PERIOD ?? '1h'),
    late_usage_days: integerOf(settings, 'LATE_USAGE_DAYS', { fallback: 35, low: 0, high: 3650 }),
    feed_kept_days: integerOf(settings, 'FEED_KEPT_DAYS', { fallback: 90, low: 7, high: 3650 }),
    webhook_allowed_networks: networksSetting(settings, 'WEBHOOK_ALLOWED_NETWORKS'),
    email: emailSettingsOf(settings),
    stripe_api_url: stripeApiUrlOf(settings),
    rate_limit:
      settings.RATE_LIMIT === 'off'
        ? null
        : integerOf(settings, 'RATE_LIMIT', { fallback: 1000, low: 1, high: 1_000_000 }),
    receive_memory_bytes:
      integerOf(settings, 'RECEIVE_MEMORY', { fallback: 256, low: 8, high: 65_536 }) * 1024 * 1024,
    unrated_alarm_percent: integerOf(settings, 'UNRATED_ALARM_PERCENT', { fallback: 5, low: 0, high: 100 }),
    check_share_percent: integerOf(settings, 'CHECK_SHARE_PERCENT', { fallback: 5, low: 1, high: 100 }),
    log_level: logLevelOf(settings.LOG_LEVEL ?? 'info'),
    otlp_endpoint: settings.OTEL_EXPORTER_OTLP_ENDPOINT ?? null,
    secrets: settings.TIDEMARK_SECRET === undefined ? null : signingSecretsOf(settings.TIDEMARK_SECRET),
    oidc: oidcSettingsOf(settings),
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

/**
 * The environment of this process, `base`, with these settings changed, for a child process to inherit. A changed
 * secret is no longer read from its file.
 */
export function inheritedEnvironment(
  changed: Settings = {},
  base: Settings = process.env,
): NodeJS.ProcessEnv {
  const environment = { ...base, ...changed };
  for (const name of SECRETS) if (name in changed) delete environment[fileSettingOf(name)];
  return environment;
}

/** An empty value was probably meant to be set: refuse it instead of guessing the default. */
function refuseEmpty(settings: Settings): void {
  for (const name of Object.keys(SETTINGS))
    if (settings[name] === '') throw new Error(`${name} is empty; set a value or remove the setting`);
}

function workerPortOf(settings: Settings, is_production: boolean): number | null {
  if (settings.WORKER_PORT === undefined) return is_production ? WORKER_PORT_IN_PRODUCTION : null;
  return integerOf(settings, 'WORKER_PORT', { fallback: WORKER_PORT_IN_PRODUCTION, low: 1, high: 65_535 });
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

function networksSetting(settings: Settings, name: keyof typeof SETTINGS): BlockList {
  const { [name]: value } = settings;
  try {
    return value === undefined ? new BlockList() : networksOf(value);
  } catch (error) {
    throw new Error(`${name}: ${messageOf(error)}`);
  }
}

function tlsFilesOf({ TLS_CERT_FILE: cert_file, TLS_KEY_FILE: key_file }: Settings): TlsFiles | null {
  if (cert_file !== undefined && key_file !== undefined) return { cert_file, key_file };
  if (cert_file === undefined && key_file === undefined) return null;
  const [set, missing] = cert_file === undefined ? ['KEY', 'CERT'] : ['CERT', 'KEY'];
  throw new Error(`TLS_${set}_FILE is set without TLS_${missing}_FILE; set both or neither`);
}
