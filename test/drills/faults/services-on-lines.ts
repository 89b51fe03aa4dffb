import assert from 'node:assert/strict';
import { join } from 'node:path';
import { seedAccount } from '../../../src/db/account/accounts.ts';
import { createPool, type Pool } from '../../../src/db/connection/pool.ts';
import { anyFreePort, isOk } from '../../../dev/ports.ts';
import { announced, waitUntilReady, type Launched } from '../../../dev/processes.ts';
import { startService } from '../../../dev/services.ts';
import { findTemporal } from '../../../dev/temporal-binary.ts';
import { startTemporal } from '../../../dev/temporal-server.ts';
import { readConfig } from '../../../src/settings/config.ts';
import { newRequestId } from '../../../src/keys/ids.ts';
import { atEnd } from '../../support/servers/at-end.ts';
import { createDatabase } from '../../support/servers/cluster.ts';
import { aFolder } from '../../support/servers/folder.ts';
import { assertSound } from '../../support/ledger/sound.ts';
import { layLine, type Line } from './faulty-line.ts';

/** Long: the machine may run other tests. */
const START_LIMIT_MS = 300_000;

export type Asked = {
  method?: string;
  body?: object;
  key?: string;
  headers?: Readonly<Record<string, string>>;
};
/** `body` is null for a response without a body, and for a request without a response. */
export type Answered = { status: number; headers: Headers; body: Answer };
// Any type: a test that reads a wrong path of the body fails in its assertion.
type Answer = ReturnType<typeof JSON.parse>;

/** An API and a worker as processes, each with its own proxy (`Line`) to Postgres. `pool` uses no proxy. */
export type Services = {
  api: Launched;
  worker: Launched;
  api_line: Line;
  worker_line: Line;
  pool: Pool;
  ask: (path: string, asked?: Asked) => Promise<Answered>;
  /** Asks as `ask` does, but the response must be a 2xx. */
  done: (path: string, body?: object) => Promise<Answered>;
  stop: () => Promise<void>;
};

/** Starts in a `describe` such services on a new database. After the tests, all invariants of the database must hold. */
export function useServices(): () => Services {
  let services: Services | null = null;
  before(async () => void (services = await startServices()));
  after(async () => {
    try {
      if (services !== null) await assertSound(services.pool);
    } finally {
      await services?.stop();
    }
  });
  return () => services!;
}

/** Creates a customer; returns its external_id. */
export async function aCustomer({ done }: Services): Promise<string> {
  return (await done('/v1/customers', { external_id: newRequestId() })).body.external_id;
}

/** Creates a monthly plan with one charge for `call`; returns its id. */
export async function aPlan({ done }: Services, pricing: object): Promise<string> {
  const charges = [{ event_name: 'call', ...pricing }];
  return (await done('/v1/pricing-plans', { name: 'Plan', charges })).body.id;
}

export async function startServices(place: { database_url?: string; logs?: string } = {}): Promise<Services> {
  const database_url = place.database_url ?? (await createDatabase());
  const { live_key } = await seedAccount(database_url, null);
  const pool = createPool(database_url, 4);
  const endPool = () => (pool.ending ? undefined : pool.end());
  atEnd(endPool);
  const logs = place.logs ?? join(await aFolder(), 'logs');
  const { temporal_cli, temporal_namespace: namespace } = readConfig();
  const binary = await findTemporal(temporal_cli, console.log);
  const temporal = await startTemporal({ binary, namespace, db_file: null, port: null, ui_port: null, logs });
  const [api_line, worker_line] = [await layLine(database_url), await layLine(database_url)];
  const port = await anyFreePort();
  const environment = {
    TEMPORAL_ADDRESS: temporal.address,
    PORT: `${port}`,
    TIDEMARK_SECRET: 'secret of a test',
    GRACE_PERIOD: '0s',
    RATE_LIMIT: 'off',
  };
  const placeOn = (line: Line) => ({ logs, environment: { ...environment, DATABASE_URL: line.url } });
  const [api, worker] = await Promise.all([
    startService('API', placeOn(api_line)),
    startService('Worker', placeOn(worker_line)),
  ]);
  // If they do not become ready, nothing else stops them.
  for (const { stop } of [temporal, api, worker]) atEnd(stop);
  const url = `http://127.0.0.1:${port}`;
  await Promise.all([
    waitUntilReady(api, START_LIMIT_MS, () => isOk(`${url}/readyz`)),
    waitUntilReady(worker, START_LIMIT_MS, announced(worker)),
  ]);
  const askApi: Services['ask'] = (path, asked = {}) => ask(url + path, { key: live_key, ...asked });
  return {
    api,
    worker,
    api_line,
    worker_line,
    pool,
    ask: askApi,
    done: async (path, body) => {
      const answer = await askApi(path, body === undefined ? {} : { body });
      assert.ok(answer.status < 300, `${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
      return answer;
    },
    stop: async () => {
      api_line.close();
      worker_line.close();
      await Promise.all([api.stop(), worker.stop()]);
      await temporal.stop();
      await endPool();
    },
  };
}

async function ask(url: string, { method, body, key, headers }: Asked & { key: string }): Promise<Answered> {
  const response = await fetch(url, {
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const answer: Answer = text === '' ? null : JSON.parse(text);
  return {
    status: response.status,
    headers: response.headers,
    body: answer,
  };
}

/** True while a launched process is running. */
export function runsOn({ child }: Launched): boolean {
  return child.exitCode === null && child.signalCode === null;
}
