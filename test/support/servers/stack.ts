import { bundleWorkflows, startWorker } from '../../../worker/main.ts';
import { composeApi, type Api } from '../../../api/compose.ts';
import { routes } from '../../../api/routes.ts';
import { createApiServer } from '../../../api/server.ts';
import { readConfig, type Config, type Settings } from '../../../src/settings/config.ts';
import { seedAccount } from '../../../src/db/account/accounts.ts';
import { createPool, SHORT_STATEMENT_MS, type Pool } from '../../../src/db/connection/pool.ts';
import { connectTemporal, type Temporal } from '../../../src/temporal/temporal.ts';
import { send } from './api.ts';
import { createDatabase } from './cluster.ts';
import { inTurn, PROCESSES } from './processes.ts';
import { assertSound } from '../ledger/sound.ts';
import { quietRuntime } from './quiet-runtime.ts';
import { freeNamespace, useTemporal } from './temporal.ts';
import { untilInTime } from './until-in-time.ts';

export type Responded<Body> = { status: number; headers: Headers; body: Body };

export type Stack = {
  pool: Pool;
  temporal: Temporal;
  /** URL of the API: with several APIs, each read returns the next one's address. */
  readonly api_url: string;
  test_key: string;
  live_key: string;
  /** Does `work` while no worker runs. */
  whileAway: <T>(work: () => Promise<T>) => Promise<T>;
  /** Sends a request and parses the JSON response, whatever its status. */
  call: <Body>(key: string, method: string, path: string, body?: object) => Promise<Responded<Body>>;
  /** Sends a request as `call` does, whose response must be 2xx: returns its body, else throws. */
  done: <Body>(key: string, method: string, path: string, body?: object) => Promise<Body>;
};

type Stop = () => Promise<void>;

/** Workflow code, bundled once for all stacks of the run. */
let bundle: ReturnType<typeof bundleWorkflows> | null = null;

/**
 * Starts, within a describe, an API and a worker on a new database and the run's Temporal server. Afterwards the database must be sound.
 */
export function useStack(settings: Settings = {}): () => Stack {
  const address = useTemporal();
  let stack: Stack | null = null;
  const stops: Stop[] = [];
  before(async function () {
    stack = await startStack({ ...settings, TEMPORAL_ADDRESS: address() }, stops);
  });
  after(async () => {
    try {
      if (stack !== null) await assertSound(stack.pool);
    } finally {
      for (let stop = stops.pop(); stop !== undefined; stop = stops.pop()) await stop();
    }
  });
  return () => stack!;
}

/**
 * PROCESSES APIs and as many workers in this process, by default on a new database. Adds their stops to `stops`, to be called in
 * reverse order.
 */
export async function startStack(settings: Settings, stops: Stop[]): Promise<Stack> {
  const database_url = settings['DATABASE_URL'] ?? (await createDatabase());
  const defaults = {
    DATABASE_URL: database_url,
    RATE_LIMIT: 'off',
    LOG_LEVEL: 'warn',
    TIDEMARK_SECRET: 'secret of a test',
    // The whole database is checked at the end, by assertSound; the sweep need not take the processors of the tests.
    CHECK_SHARE_PERCENT: '1',
  };
  const config = readConfig({ ...defaults, ...settings });
  quietRuntime();
  const keys = await seedAccount(database_url, null);
  const pool = createPool(database_url, 10, { is_prepared: true });
  const temporal = connectTemporal(config);
  stops.push(
    () => pool.end(),
    () => temporal.close(),
  );
  await freeNamespace(temporal);
  const api_urls = [];
  const workers: Stop[] = [];
  const startWorkers = async () => {
    for (let i = 0; i < PROCESSES; i++) workers.push(await startWorkerOf(config, database_url));
  };
  const stopWorkers = async () => void (await Promise.all(workers.splice(0).map((stop) => stop())));
  for (let i = 0; i < PROCESSES; i++) {
    // Prepared as in startApi.
    const api_pool = createPool(database_url, 10, { statement_ms: SHORT_STATEMENT_MS, is_prepared: true });
    stops.push(() => api_pool.end());
    const api = composeApi({
      config,
      pool: api_pool,
      standby_pool: null,
      secrets: config.secrets!,
      nudge: temporal.nudge,
      wakeEndpoints: temporal.wakeEndpoints,
      wakeMigrations: temporal.wakeMigrations,
      wakeCollections: temporal.wakeCollections,
    });
    api_urls.push(await startApiServer(api, stops));
  }
  stops.push(stopWorkers);
  await startWorkers();
  const nextUrl = inTurn(api_urls);
  return {
    pool,
    temporal,
    get api_url() {
      return nextUrl();
    },
    ...keys,
    whileAway: async (work) => {
      await stopWorkers();
      return work().finally(startWorkers);
    },
    ...callsOf(nextUrl),
  };
}

async function startApiServer(api: Api, stops: Stop[]): Promise<string> {
  const server = createApiServer(api, routes, { validate_responses: true });
  stops.push(
    () => api.ingest.close(),
    () => server.close(),
  );
  return `http://127.0.0.1:${await server.listen(0, '127.0.0.1')}`;
}

async function startWorkerOf(config: Config, database_url: string): Promise<Stop> {
  const workflowBundle = await (bundle ??= bundleWorkflows());
  const worker = await startWorker(config, { database_url, workflowBundle });
  return async () => {
    worker.stop();
    await worker.done;
  };
}

function callsOf(nextUrl: () => string): Pick<Stack, 'call' | 'done'> {
  const call = async <Body>(
    key: string,
    method: string,
    path: string,
    body?: object,
  ): Promise<Responded<Body>> => {
    const sent = body === undefined ? { key, method } : { key, method, body };
    return send(nextUrl() + path, sent);
  };
  return {
    call,
    done: async <Body>(key: string, method: string, path: string, body?: object) => {
      const answer = await untilInTime(() => call<Body>(key, method, path, body));
      if (answer.status < 300) return answer.body;
      throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    },
  };
}
