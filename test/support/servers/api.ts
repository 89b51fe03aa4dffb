import { composeApi, type Api } from '../../../api/compose.ts';
import { routes } from '../../../api/routes.ts';
import { createApiServer, type ServerOptions } from '../../../api/server.ts';
import { newApiKey } from '../../../src/keys/api-key.ts';
import { inheritedEnvironment, readConfig } from '../../../src/settings/config.ts';
import { insertAccount, seedAccount } from '../../../src/db/account/accounts.ts';
import { insertKey } from '../../../src/db/account/api-keys.ts';
import { createPool, SHORT_STATEMENT_MS, type Pool } from '../../../src/db/connection/pool.ts';
import { openStandby } from '../../../src/db/account/standby.ts';
import { atEnd } from './at-end.ts';
import { createDatabase } from './cluster.ts';
import { inTurn, PROCESSES } from './processes.ts';
import { watchedPool } from '../ledger/watched-pool.ts';

export type Sent = {
  method?: string;
  /** Body, sent as JSON, except strings and bytes, which are sent as they are. */
  body?: unknown;
  headers?: Readonly<Record<string, string>>;
  /** Default: the test key. Null sends none. */
  key?: string | null;
};

/** `body` is the parsed JSON, or the text if it is no JSON. */
export type Received = { status: number; headers: Headers; body: Json };
// Untyped: a test reads a response without checking its shape first, and a wrong path is a failed assertion.
export type Json = ReturnType<typeof JSON.parse>;

export type TestApi = Api & {
  url: string;
  port: number;
  pool: Pool;
  test_key: string;
  live_key: string;
  /** A test key of a second account in the same database. */
  other_key: string;
  events_only_key: string;
  request: (path: string, sent?: Sent) => Promise<Received>;
  post: (path: string, body: unknown, sent?: Sent) => Promise<Received>;
  drain: () => void;
  close: () => Promise<void>;
};

export type ApiOptions = ServerOptions & {
  settings?: Readonly<Record<string, string>>;
  database_url?: string;
  /** Is called before each statement of the pool of requests, with its text. */
  before_statement?: (text: string) => Promise<void>;
  /** The number 1 for tests of state that a single process holds. */
  processes?: 1;
};

type Server = Api & Pick<TestApi, 'url' | 'port' | 'pool' | 'drain' | 'close'>;

/**
 * Starts the API on its own port and database, as production runs it, without Temporal. Responses are validated against their
 * schemas. With several processes the requests go to each in turn; all other members belong to the first one.
 */
export async function startApi(options: ApiOptions = {}): Promise<TestApi> {
  const database_url = options.database_url ?? (await createDatabase());
  const keys = await seedAccount(database_url, null);
  const starting = Array.from({ length: options.processes ?? PROCESSES }, () =>
    startServer(database_url, options),
  );
  const servers = await Promise.all(starting);
  const nextServer = inTurn(servers);
  const request = (path: string, sent: Sent = {}) =>
    send(nextServer().url + path, { key: keys.test_key, ...sent });
  const post = (path: string, body: unknown, sent: Sent = {}) =>
    request(path, { method: 'POST', body, ...sent });
  const close = async () => void (await Promise.all(servers.map((server) => server.close())));
  const [first] = servers;
  const [other_key, events_only_key] = await otherKeys(first!.pool);
  return { ...first!, ...keys, other_key, events_only_key, request, post, close };
}

async function startServer(
  database_url: string,
  { before_statement, ...options }: ApiOptions,
): Promise<Server> {
  // A test sends a statement often, to small tables. The first five times it is planned as in production, which prepares none of the API.
  const own_pool = createPool(database_url, 8, { statement_ms: SHORT_STATEMENT_MS, is_prepared: true });
  const pool = before_statement === undefined ? own_pool : watchedPool(own_pool, before_statement);
  const settings = {
    DATABASE_URL: database_url,
    // LOG_LEVEL=error npm test -- FILE prints the cause of a 500.
    LOG_LEVEL: inheritedEnvironment()['LOG_LEVEL'] ?? 'silent',
    RATE_LIMIT: 'off',
    ...options.settings,
  };
  const config = readConfig(settings);
  const standby_pool = await openStandby(config, pool);
  const api = composeApi({
    config,
    pool,
    standby_pool,
    secrets: config.secrets ?? ['secret of a test'],
    nudge: () => Promise.resolve(0),
    wakeEndpoints: () => Promise.resolve(0),
    wakeMigrations: () => Promise.resolve(0),
    wakeCollections: () => Promise.resolve(0),
  });
  const server = createApiServer(api, routes, { validate_responses: true, ...options });
  const port = await server.listen(0, '127.0.0.1');
  let closing: Promise<void> | null = null;
  const close = () =>
    (closing ??= (async () => {
      await server.close();
      await api.ingest.close();
      await pool.end();
      await standby_pool?.end();
    })());
  atEnd(close);
  return { url: `http://127.0.0.1:${port}`, port, pool, ...api, drain: server.drain, close };
}

async function otherKeys(pool: Pool): Promise<[string, string]> {
  const other = await insertAccount(pool, { name: 'Other', currency: 'EUR' });
  return [await makeKey(pool, other.test), await makeKey(pool, 1, { kind: 'events_only' })];
}

/** A new test key of an environment; returns the secret. */
export async function makeKey(
  pool: Pool,
  environment_id: number,
  options: { kind?: 'full' | 'events_only'; expires_at?: string } = {},
): Promise<string> {
  const secret = newApiKey(false);
  await insertKey(pool, environment_id, { secret, name: 'Test', kind: 'full', ...options });
  return secret;
}

/** Sends a request, with the key that is named, and reads the answer, whatever its status. */
export async function send(
  url: string,
  { method = 'GET', body, headers = {}, key = null }: Sent,
): Promise<Received> {
  const is_raw = typeof body === 'string' || body instanceof Uint8Array;
  const response = await fetch(url, {
    method,
    headers: {
      ...(key === null ? {} : { Authorization: `Bearer ${key}` }),
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: is_raw ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: parsed(text) };
}

function parsed(text: string): Json {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
