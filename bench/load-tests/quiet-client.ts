import { on, once } from 'node:events';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { median } from '../figure.ts';
import { authorization } from '../ingest.ts';
import type { Api } from '../programs.ts';
import { singleRequest } from '../requests.ts';
import type { Stops } from '../stops.ts';
import { numbersBelow } from '../waiting.ts';
import { runOpenLoop } from './open-loop.ts';

/* A client that sends little, in its own thread: in a shared thread it would wait for the other client's sending and reading. */

type Client = { key: Api; ports: readonly number[] };

/** Few connections, because each second opens new ones. */
const SECOND = { per_second: 100, connections: 32, seconds: 1 };

/** Returns a function that lets the client send for some seconds; resolves with the median of the seconds' 99th percentiles in ms. */
export function startQuietClient(client: Client, stops: Stops): (seconds: number) => Promise<number> {
  const thread = new Worker(new URL(import.meta.url), { workerData: client });
  stops.add(async () => void (await thread.terminate()));
  return async (seconds) => {
    thread.postMessage(seconds);
    const [usual_p99_ms] = (await once(thread, 'message')) as [number];
    return usual_p99_ms;
  };
}

/** The disk stalls a few times a minute, which affects one or two of the seconds: the median ignores them. */
async function usualSecond({ key, ports }: Client, seconds: number): Promise<number> {
  const p99s: number[] = [];
  for (const _ of numbersBelow(seconds)) {
    const prepare = () => singleRequest(authorization(key));
    const { durations } = await runOpenLoop({ ...SECOND, ports, prepare });
    p99s.push(durations.quantile(0.99));
  }
  return median(p99s);
}

if (!isMainThread)
  for await (const [seconds] of on(parentPort!, 'message'))
    parentPort!.postMessage(await usualSecond(workerData as Client, seconds as number));
