import pg from 'pg';
import { Refusal } from '../../settings/refusal.ts';
import { sessionOptions, sessionSettings, withLimit, type SessionLimits } from './session.ts';

/** The oldest major version of PostgreSQL. */
export const VERSION_MIN = 16;
const CHECK_MS = 4000;
/** SQLSTATE of a write on a standby. */
const READ_ONLY = '25006';

const SEE = 'see "Database settings and poolers" in docs/operations.md';

type Session = {
  pid: number;
  version: number;
  takes_writes: boolean;
  TimeZone: string;
  statement_timeout: string;
  lock_timeout: string;
  idle_in_transaction_session_timeout: string;
  synchronous_commit: string;
  enable_seqscan: string;
  has_citus: boolean;
};

/** Timeouts in milliseconds, whatever unit the server prints. */
const millisecondsOf = (name: string) =>
  `(extract(epoch from current_setting('${name}')::interval) * 1000)::bigint::text as ${name}`;

const SELECT_SESSION = `select pg_backend_pid() as pid,
  current_setting('server_version_num')::integer / 10000 as version,
  not pg_is_in_recovery() and current_setting('transaction_read_only') = 'off' as takes_writes,
  current_setting('TimeZone') as "TimeZone", current_setting('synchronous_commit') as synchronous_commit,
  current_setting('enable_seqscan') as enable_seqscan,
  exists (select from pg_extension where extname = 'citus') as has_citus,
  ${millisecondsOf('statement_timeout')}, ${millisecondsOf('lock_timeout')},
  ${millisecondsOf('idle_in_transaction_session_timeout')}`;

type Checking = { url: string; limits: SessionLimits; must_be_writable: boolean; may_be_node: boolean };

/**
 * Checks a new connection once, before its first use: the version of the server, and that the session has the settings
 * it was asked for. A pooler may have dropped them: in session mode they are set again. Throws a Refusal that
 * names the setting or the pooler's mode, or for a node of a cluster unless `may_be_node`; throws another Error if the
 * server takes no writes and `must_be_writable`, because another host may.
 */
export async function checkSession(
  client: pg.ClientBase,
  { url, limits, must_be_writable, may_be_node }: Checking,
): Promise<void> {
  const withoutLimit = withLimit(client, CHECK_MS);
  try {
    const wanted_settings = sessionSettings(limits);
    let session = await read(client);
    if (session.version < VERSION_MIN)
      throw new Refusal(
        `PostgreSQL ${session.version} is too old: Tidemark needs PostgreSQL ${VERSION_MIN} or newer`,
      );
    if (must_be_writable && !session.takes_writes)
      throw Object.assign(new Error('this PostgreSQL server takes no writes'), { code: READ_ONLY });
    if (isPooled(client, session)) {
      await assertSessionMode(url);
      if (faultOf(session, wanted_settings) !== null) {
        await set(client, wanted_settings);
        session = await read(client);
      }
    }
    const fault = faultOf(session, wanted_settings);
    if (fault !== null) throw new Refusal(fault);
    if (session.has_citus && !may_be_node) await assertNoNode(client);
  } finally {
    withoutLimit();
  }
}

/** Refuses a node. Without Citus there is no such table, so this is a statement of its own; the coordinator is 0. */
async function assertNoNode(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query('select from pg_dist_local_group where groupid <> 0');
  if (rows.length > 0) throw new Refusal(OF_NODE);
}

const OF_NODE =
  'this PostgreSQL server is a node of a cluster, and what is written through it has transaction ids of the node: name the coordinator in DATABASE_URL';

async function read(client: pg.ClientBase): Promise<Session> {
  const { rows } = await client.query<Session>(SELECT_SESSION);
  return rows[0]!;
}

type Wanted = ReturnType<typeof sessionSettings>;

async function set(client: pg.ClientBase, wanted_settings: Wanted): Promise<void> {
  const settings = Object.entries(wanted_settings);
  await client.query(
    `select set_config(name, value, false) from unnest($1::text[], $2::text[]) as setting (name, value)`,
    [settings.map(([name]) => name), settings.map(([, value]) => value)],
  );
}

function faultOf(session: Session, wanted_settings: Wanted): string | null {
  for (const [name, value] of Object.entries(wanted_settings)) {
    const actual = String(Reflect.get(session, name));
    if (actual !== value)
      return `the session of PostgreSQL has ${name} = ${actual} in place of ${value}: something between this process and the server, or options in DATABASE_URL, changes it; ${SEE}`;
  }
  return null;
}

/**
 * A pooler gives its clients a key of its own for the cancellation of statements, with a process id that is not the
 * server's.
 */
function isPooled(client: pg.ClientBase, { pid }: Session): boolean {
  return Reflect.get(client, 'processID') !== pid;
}

const TRANSACTION_MODE = `DATABASE_URL leads to a pooler that gives each transaction another session, such as PgBouncer with pool_mode = transaction, which Tidemark does not support: use pool_mode = session or a direct connection; ${SEE}`;

/** Error codes of a named statement that is not in the session, or is there already: another session answers. */
const OF_ANOTHER_SESSION = ['26000', '42P05'];

/** The Refusal for an error of a prepared statement that shows a pooler in transaction mode, else null. */
export function ofAnotherSession(error: unknown): Refusal | null {
  const is_one = error instanceof pg.DatabaseError && OF_ANOTHER_SESSION.includes(error.code ?? '');
  return is_one ? new Refusal(TRANSACTION_MODE, { cause: error }) : null;
}

/** Results by URL: the mode of a pooler does not change while a process runs, except by its administrator. */
const in_session_mode = new Map<string, Promise<void>>();

function assertSessionMode(url: string): Promise<void> {
  let known = in_session_mode.get(url);
  if (known === undefined) {
    in_session_mode.set(url, (known = compareSessions(url)));
    known.catch(() => in_session_mode.delete(url));
  }
  return known;
}

const ROUNDS = 3;

/**
 * Two connections ask for the process of the server in turn. In session mode each keeps its own; in transaction mode
 * the second gets the one that the first has just left, or either changes.
 */
async function compareSessions(url: string): Promise<void> {
  const clients = [1, 2].map(
    () =>
      new pg.Client({
        connectionString: url,
        connectionTimeoutMillis: CHECK_MS,
        query_timeout: CHECK_MS,
        ...sessionOptions({ statement_ms: CHECK_MS }),
      }),
  );
  const pids = clients.map(() => new Set<number>());
  try {
    for (const client of clients) {
      client.on('error', () => undefined);
      await client.connect();
    }
    for (let round = 0; round < ROUNDS; round++)
      for (const [index, client] of clients.entries()) pids[index]!.add((await read(client)).pid);
  } catch {
    // A pool without a second free session keeps the second client waiting, which only session mode does.
  } finally {
    await Promise.allSettled(clients.map((client) => client.end()));
  }
  const [first, second] = pids;
  const is_shared = pids.some(({ size }) => size > 1) || [...first!].some((pid) => second!.has(pid));
  if (is_shared) throw new Refusal(TRANSACTION_MODE);
}
