import pg from 'pg';

/** Idle time before TCP keepalive probes start, on both sides. */
const KEEPALIVE_IDLE_MS = 10_000;

/** Limits of a session; times are in milliseconds, and 0 is none. */
export type SessionLimits = {
  statement_ms: number;
  lock_ms?: number;
  /**
   * True where every read is by an index, whatever size the planner assumes for a table: a plan that is kept since the
   * partition of a month was empty would read the whole of it for each event.
   */
  by_index?: boolean;
};

const LOCK_MS = 30_000;

/** The settings that a session must have, whatever lies between this process and the server. */
export function sessionSettings({ statement_ms, lock_ms = LOCK_MS, by_index = false }: SessionLimits) {
  return {
    TimeZone: 'UTC',
    statement_timeout: `${statement_ms}`,
    lock_timeout: `${lock_ms}`,
    idle_in_transaction_session_timeout: '30000',
    synchronous_commit: 'on',
    enable_seqscan: by_index ? 'off' : 'on',
  } as const;
}

/**
 * Settings by which the server, after 20 seconds without a response from the client, drops the connection and rolls its
 * transaction back.
 */
const NETWORK_SETTINGS = {
  tcp_keepalives_idle: KEEPALIVE_IDLE_MS / 1000,
  tcp_keepalives_interval: 5,
  tcp_keepalives_count: 2,
  tcp_user_timeout: 20_000,
};

/** Connection options of sessions with these limits. */
export function sessionOptions(limits: SessionLimits) {
  const settings = Object.entries({ ...sessionSettings(limits), ...NETWORK_SETTINGS });
  return {
    options: settings.map(([name, value]) => `-c ${name}=${value}`).join(' '),
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEPALIVE_IDLE_MS,
  };
}

/** Slack between the server's statement timeout and ours. Without a response by then, the connection is dead. */
const RESPONSE_SLACK_MS = 1000;

const limits = new WeakMap<pg.ClientBase, { limit_ms: number }>();

/** Callback on every response of the server. */
type OnResponse = () => void;

/**
 * Watches a connection until it closes. The error listener only prevents a crash: the running query rejects with the
 * loss of the connection. If a query has no response one second after its statement timeout, destroys the connection,
 * because any further statement, `rollback` too, would wait as long. Without a statement timeout it waits for ever.
 */
export function watchConnection(client: pg.PoolClient, statement_ms: number, onAnswer: OnResponse): void {
  client.on('error', () => undefined);
  if (!(client instanceof pg.Client)) return;
  const { connection } = client;
  const limit = { limit_ms: statement_ms };
  limits.set(client, limit);
  let timer: NodeJS.Timeout | undefined;
  const stop = () => {
    clearTimeout(timer);
    timer = undefined;
  };
  const start = () => {
    stop();
    if (limit.limit_ms === 0) return;
    const wait_ms = limit.limit_ms + RESPONSE_SLACK_MS;
    timer = setTimeout(() => connection.stream.destroy(noAnswer(wait_ms)), wait_ms);
  };
  const query = client.query.bind(client) as (...parameters: unknown[]) => unknown;
  const watched = (...parameters: unknown[]) => {
    if (timer === undefined) start();
    return query(...parameters);
  };
  client.query = watched as typeof client.query;
  connection.on('readyForQuery', () => {
    onAnswer();
    if (timer !== undefined) start();
  });
  client.on('drain', stop);
  client.on('end', stop);
}

/**
 * Sets another statement timeout in the watch of a connection until the returned function is called. The caller must
 * also set it on the server.
 */
export function withLimit(client: pg.ClientBase, statement_ms: number): () => void {
  const limit = limits.get(client);
  if (limit === undefined) return () => undefined;
  const before = limit.limit_ms;
  limit.limit_ms = statement_ms;
  return () => void (limit.limit_ms = before);
}

function noAnswer(wait_ms: number): Error {
  return Object.assign(new Error(`PostgreSQL did not answer within ${wait_ms} ms`), { code: 'ETIMEDOUT' });
}
