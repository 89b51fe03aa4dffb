import type { Figure } from '../figure.ts';
import { authorization, openIngest } from '../ingest.ts';
import { runLoad } from '../load.ts';
import { residentMegabytes } from '../load-tests/memory.ts';
import { runOpenLoop } from '../load-tests/open-loop.ts';
import { failuresOf, type Tally } from '../load-tests/tally.ts';
import { processorTimeLacks } from '../processor-time.ts';
import { BATCH_EVENTS, batchRequest, singleRequest, type PreparedRequest } from '../requests.ts';

const TIMES_CAPACITY = 3;
const SECONDS = 60;
const WARM_UP_MS = 2000;
/** How long the capacity is measured; the load is a multiple of it. */
const CAPACITY_SECONDS = 8;
/** The normal load before and after, as a share of the capacity. */
const NORMAL = { part: 0.4, seconds: 5 };

export const singleOverload = overloadFigure({
  name: 'overload',
  requests: 'single POSTs',
  prepare: singleRequest,
  capacity_connections: 256,
  // Just below the server's limit of connections.
  connections: 4500,
});

export const batchOverload = overloadFigure({
  name: 'batch_overload',
  requests: `batches of ${BATCH_EVENTS}`,
  prepare: (headers) => batchRequest(headers),
  capacity_connections: 8,
  connections: 200,
});

type Load = {
  name: string;
  requests: string;
  prepare: (headers: Record<string, string>) => PreparedRequest;
  capacity_connections: number;
  connections: number;
};

/**
 * Load generator, API and Postgres share the processors, so the capacity is that of all three, and a busy generator reduces it.
 * Requests are due at three times the capacity, whether or not earlier ones are answered; a request that finds all connections
 * waiting is not sent. The server therefore sees many connections that each send again soon after a response, not every request
 * that was due; a line of the round says how many were sent. Both sides start with an empty table and run for the same time,
 * because throughput falls as a table grows.
 */
function overloadFigure({ name, requests, prepare, capacity_connections, connections }: Load): Figure {
  return {
    kind: 'ratio',
    name,
    title: `${requests} offered at ${TIMES_CAPACITY} times what a closed loop reaches, for ${SECONDS} s / in that closed loop, as long`,
    unit: 'requests/s',
    floor: 0.8,
    goal: 0.95,
    rounds: 1,
    lacks: processorTimeLacks,
    async open(place) {
      const { api, tables } = await openIngest(place);
      const load = { port: api.port, prepare: () => prepare(authorization(api)) };
      const closed = async (seconds: number): Promise<number> => {
        await tables.empty();
        const times = { warm_up_ms: WARM_UP_MS, window_ms: 1000 * seconds };
        const result = await runLoad({ ...load, ...times, connections: capacity_connections });
        return result.events_per_second / load.prepare().events;
      };
      const offer = async (
        when: string,
        { per_second, seconds }: { per_second: number; seconds: number },
      ) => {
        const tally = await runOpenLoop({ ...load, ports: [api.port], connections, per_second, seconds });
        for (const line of linesOf(tally)) place.say(`  ${when}: ${line}`);
        place.say(`  ${when}: the API holds ${residentMegabytes(api.pid)} MB`);
        if (tally.failed.size > 0 || tally.refused_without_time > 0)
          throw new Error(
            `${when} the overload, requests were neither taken nor refused with a time to come back`,
          );
        return tally.accepted / seconds;
      };
      await closed(CAPACITY_SECONDS);
      return {
        async ours() {
          const capacity = await closed(CAPACITY_SECONDS);
          await tables.empty();
          const normal = { per_second: capacity * NORMAL.part, seconds: NORMAL.seconds };
          await offer('before', normal);
          const goodput = await offer('during', { per_second: TIMES_CAPACITY * capacity, seconds: SECONDS });
          await offer('at once after', normal);
          await offer(`${NORMAL.seconds} s after`, normal);
          return goodput;
        },
        theirs: () => closed(SECONDS),
      };
    },
  };
}

function linesOf(tally: Tally): string[] {
  const { offered, unsent, accepted, refused, refused_without_time } = tally;
  return [
    `${offered} due, ${offered - unsent} sent, ${accepted} taken, ${refused} refused`,
    `${refused_without_time} refused without Retry-After, failed: ${failuresOf(tally)}`,
    tally.durations.inWords(),
  ];
}
