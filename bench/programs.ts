import { fileURLToPath } from 'node:url';
import { seedAccount } from '../src/db/account/accounts.ts';
import { LOOPBACK, anyFreePort, isOk } from '../dev/ports.ts';
import { announced, launch, waitUntilReady } from '../dev/processes.ts';
import { startService } from '../dev/services.ts';
import type { Place } from './servers.ts';

/** One of our API processes, with a live key of full access. */
export type Api = { url: string; port: number; pid: number; live_key: string };

const START_LIMIT_MS = 60_000;

/** Signs the cursors of all APIs of a run. */
export const SECRET = 'signs the cursors of a benchmark';

/** Address at which nothing listens: a figure without Temporal must not find one that happens to run. */
const NO_TEMPORAL = `${LOOPBACK}:1`;

/** Starts the API as the one-command stack does, by default without a rate limit. Each has its own key. */
export async function startApi(
  place: Place,
  { temporal_address = NO_TEMPORAL, rate_limit = 'off' } = {},
): Promise<Api> {
  const { live_key } = await seedAccount(place.database_url, null);
  const port = await anyFreePort();
  const url = `http://${LOOPBACK}:${port}`;
  const environment = { ...environmentOf(place, port, temporal_address), RATE_LIMIT: rate_limit };
  const launched = await startService('API', { logs: place.logs, environment });
  place.stops.add(launched.stop);
  await waitUntilReady(launched, START_LIMIT_MS, () => isOk(`${url}/readyz`));
  return { url, port, pid: launched.pid, live_key };
}

/** Starts a worker that issues invoices without a grace period; resolves with its pid. */
export async function startWorker(place: Place, temporal_address: string): Promise<number> {
  const environment = { ...environmentOf(place, 0, temporal_address), GRACE_PERIOD: '0s' };
  const launched = await startService('Worker', { logs: place.logs, environment });
  place.stops.add(launched.stop);
  await waitUntilReady(launched, START_LIMIT_MS, announced(launched));
  return launched.pid;
}

/** Services to compare with. */
const OTHERS = {
  Naive: import.meta.resolve('./naive-service.ts'),
  Bare: import.meta.resolve('./bare-service.ts'),
};

/** Starts a service to compare with. */
export async function startOther(
  place: Place,
  name: keyof typeof OTHERS,
): Promise<{ port: number; pid: number }> {
  const port = await anyFreePort();
  const launched = await launch({
    name,
    command: process.execPath,
    args: ['--import', import.meta.resolve('tsx'), fileURLToPath(OTHERS[name])],
    environment: environmentOf(place, port, NO_TEMPORAL),
    channel: true,
    logs: place.logs,
    stop_steps: [['SIGTERM', 5000]],
  });
  place.stops.add(launched.stop);
  await waitUntilReady(launched, START_LIMIT_MS, announced(launched));
  return { port, pid: launched.pid };
}

function environmentOf({ database_url }: Place, port: number, temporal_address: string) {
  return {
    DATABASE_URL: database_url,
    TEMPORAL_ADDRESS: temporal_address,
    HOST: LOOPBACK,
    PORT: `${port}`,
    TIDEMARK_SECRET: SECRET,
  };
}
