import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { seedAccount } from '../../src/db/account/accounts.ts';
import { createPool, type Pool } from '../../src/db/connection/pool.ts';
import { anyFreePort, isOk, LOOPBACK } from '../../dev/ports.ts';
import { waitUntilReady, type Launched } from '../../dev/processes.ts';
import { startService } from '../../dev/services.ts';
import { send } from '../support/servers/api.ts';
import { createDatabase } from '../support/servers/cluster.ts';
import { aFolder } from '../support/servers/folder.ts';
import { startLoad } from './load.ts';
import { isInstalled, PROXIES, startProxy, type ProxyName } from './proxies.ts';

/**
 * `npm run production -- rolling-restart --restarts N --drain SECONDS --proxy NAME`: two API processes behind haproxy, then behind nginx,
 * with the files of deploy/. Under load, each is restarted in turn by SIGTERM. No request may fail, and each acknowledged event must be stored.
 */
const { values } = parseArgs({
  options: {
    restarts: { type: 'string', default: '10' },
    drain: { type: 'string', default: '10' },
    proxy: { type: 'string', multiple: true, default: [...PROXIES] },
  },
});

const START_LIMIT_MS = 300_000;
/** Time in which the proxy uses a process again. */
const PROXY_NOTICES_MS = 3000;
const SHOWN = 10;

type Place = { database_url: string; key: string; customer_id: string; pool: Pool };
type Slot = { port: number; logs: string; process: Launched };

function environmentOf(database_url: string, port: number): Record<string, string> {
  return {
    NODE_ENV: 'production',
    DATABASE_URL: database_url,
    TEMPORAL_ADDRESS: `${LOOPBACK}:1`,
    TIDEMARK_SECRET: 'secret of a rolling restart',
    TRUSTED_PROXIES: LOOPBACK,
    DRAIN_SECONDS: values.drain,
    RATE_LIMIT: 'off',
    METRICS_PORT: '0',
    PORT: `${port}`,
  };
}

async function launchOn({ database_url }: Place, port: number, logs: string): Promise<Launched> {
  const launched = await startService('API', { logs, environment: environmentOf(database_url, port) });
  await waitUntilReady(launched, START_LIMIT_MS, () => isOk(`http://${LOOPBACK}:${port}/readyz`));
  return launched;
}

async function openSlot(place: Place): Promise<Slot> {
  const [port, logs] = [await anyFreePort(), join(await aFolder(), 'logs')];
  return { port, logs, process: await launchOn(place, port, logs) };
}

async function restart(place: Place, slot: Slot): Promise<void> {
  slot.process.child.kill('SIGTERM');
  const how = await slot.process.exited;
  if (how !== 'exit code 0') throw new Error(`an API ended with ${how}; ${slot.process.lastLines()}`);
  slot.process = await launchOn(place, slot.port, slot.logs);
  await pause(PROXY_NOTICES_MS);
}

async function tryBehind(name: ProxyName, place: Place): Promise<boolean> {
  const slots: [Slot, Slot] = [await openSlot(place), await openSlot(place)];
  const proxy = await startProxy(name, [slots[0].port, slots[1].port]);
  const load = startLoad({ ...place, url: proxy.url, run: name });
  try {
    for (let number = 0; number < Number(values.restarts); number++) {
      await restart(place, slots[number % 2]!);
      console.log(
        `${name}: restart ${number + 1}, ${load.tally.requests} requests, ${load.tally.failed.length} failed`,
      );
    }
  } finally {
    await load.stop();
    await proxy.stop();
    await Promise.all(slots.map(({ process }) => process.stop()));
  }
  const { failed, events } = load.tally;
  const missing = events - (await storedEvents(place, name));
  if (missing > 0) console.log(`${name}: ${missing} acknowledged events are not stored`);
  for (const line of failed.slice(0, SHOWN)) console.log(line);
  return failed.length === 0 && missing <= 0;
}

async function storedEvents({ pool }: Place, run: string): Promise<number> {
  const text = 'select count(*)::integer as events from events where starts_with(idempotency_key, $1)';
  const { rows } = await pool.query<{ events: number }>(text, [`${run}-`]);
  return rows[0]!.events;
}

async function prepare(): Promise<Place> {
  const database_url = await createDatabase();
  const { live_key: key } = await seedAccount(database_url, null);
  const place = { database_url, key, customer_id: 'acme', pool: createPool(database_url, 2) };
  const slot = await openSlot(place);
  const url = `http://${LOOPBACK}:${slot.port}/v1/customers`;
  await send(url, { method: 'POST', body: { external_id: place.customer_id }, key });
  await slot.process.stop();
  return place;
}

/** Restarts two APIs behind each proxy under load; rejects if a request failed. */
export async function run(): Promise<void> {
  const place = await prepare();
  const failed: string[] = [];
  try {
    for (const name of PROXIES.filter((proxy) => values.proxy.includes(proxy))) {
      if (!isInstalled(name))
        console.log(`${name} is not installed, so it is skipped: apt-get install ${name}`);
      else if (!(await tryBehind(name, place))) failed.push(name);
    }
  } finally {
    await place.pool.end();
  }
  if (failed.length > 0) throw new Error(`requests failed behind ${failed.join(' and ')}`);
}
