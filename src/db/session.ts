import pg from 'pg';

/** From when a peer that is silent is asked whether it is there, by either side. */
const KEEPALIVE_IDLE_MS = 10_000;

/** The server gives up a client whose packets are lost after 20 seconds, and takes back what it had begun. */
const SERVER_SETTINGS = {
  timezone: 'UTC',
  lock_timeout: 30_000,
  idle_in_transaction_session_timeout: 30_000,
  synchronous_commit: 'on',
  tcp_keepalives_idle: KEEPALIVE_IDLE_MS / 1000,
  tcp_keepalives_interval: 5,
  tcp_keepalives_count: 2,
  tcp_user_timeout: 20_000,
};

/** How sessions are opened whose statements the server cuts off after `statement_ms`. */
export function sessionOptions(statement_ms: number) {
  const settings = Object.entries({ ...SERVER_SETTINGS, statement_timeout: statement_ms });
  return {
    options: settings.map(([name, value]) => `-c ${name}=${value}`).join(' '),
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEPALIVE_IDLE_MS,
  };
}

/** How much later than the server's own limit the connection is given up: then nobody answers on it any more. */
const ANSWER_SLACK_MS = 1000;

const limits = new WeakMap<pg.ClientBase, { limit_ms: number }>();

/** What a watched connection tells. */
type Heard = () => void;

/**
 * Watches a connection for as long as it lives. That it is lost is what its query rejects with: without a listener it would end the
 * process. Where a query has no answer a second after the limit of its statement the connection is destroyed: whatever would be
 * sent on it, `rollback` too, would wait as long.
 */
export function watchConnection(client: pg.PoolClient, statement_ms: number, onAnswer: Heard): void {
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
    const wait_ms = limit.limit_ms + ANSWER_SLACK_MS;
    timer = setTimeout(() => connection.stream.destroy(noAnswer(wait_ms)), wait_ms);
  };
  const query = client.query.bind(client) as (...sent: unknown[]) => unknown;
  const watched = (...sent: unknown[]) => {
    if (timer === undefined) start();
    return query(...sent);
  };
  client.query = watched as typeof client.query;
  connection.on('readyForQuery', () => {
    onAnswer();
    if (timer !== undefined) start();
  });
  client.on('drain', stop);
  client.on('end', stop);
}

/** Gives the statements of a connection another limit until the returned function is called. The server must be told besides. */
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
