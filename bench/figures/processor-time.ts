import type { Figure } from '../figure.ts';
import { authorization, BATCH_CONNECTIONS, openIngest, SINGLE_CONNECTIONS, TIMES } from '../ingest.ts';
import { runLoad, type LoadResult } from '../load.ts';
import { processorTime, processorTimeLacks } from '../processor-time.ts';
import { startOther } from '../programs.ts';
import { batchRequest, singleRequest } from '../requests.ts';
import type { Place } from '../servers.ts';

type Events = {
  /** In words, after "an event". */
  sent: string;
  connections: number;
  request: typeof singleRequest;
  /** Microseconds of the API. */
  floor: number;
  goal: number;
  /** Of the bare server on the machine that floor and goal were found on, had it run Node 26 (decision 19). */
  bare: number;
};

const IN_BATCHES: Events = {
  sent: 'in a batch of 1,000',
  connections: BATCH_CONNECTIONS,
  request: batchRequest,
  floor: 6,
  goal: 4,
  bare: 0.462,
};

const SINGLY: Events = {
  sent: `in a POST of its own, on ${SINGLE_CONNECTIONS} connections`,
  connections: SINGLE_CONNECTIONS,
  request: singleRequest,
  floor: 40,
  goal: 23,
  bare: 9.4,
};

export const batchProcessorTime = ofTheApi('T16a', IN_BATCHES);
export const singleProcessorTime = ofTheApi('T16b', SINGLY);
export const singleAgainstBare = againstBare('T16c', SINGLY);
export const batchAgainstBare = againstBare('T16d', IN_BATCHES);

function ofTheApi(name: string, { sent, connections, request, floor, goal }: Events): Figure {
  return {
    kind: 'value',
    name,
    title: `the API's processor time for an event ${sent}`,
    unit: 'microseconds',
    floor,
    goal,
    for_the_record: true,
    lacks: processorTimeLacks,
    async open(place) {
      const { api, measure } = await openIngest(place);
      const load = {
        port: api.port,
        connections,
        prepare: () => request(authorization(api)),
        meter: () => processorTime(api.pid),
      };
      return { ours: async () => said(place, 'ours', await measure('events', load)) };
    },
  };
}

/** The same on any machine: beside a server that only reads and parses, with floor and goal as parts of what that one took. */
function againstBare(name: string, { sent, connections, request, floor, goal, bare }: Events): Figure {
  return {
    kind: 'ratio',
    name,
    title: `the API's processor time for an event ${sent} / a bare node:http server's, which stores nothing`,
    unit: 'microseconds',
    floor: Number((floor / bare).toPrecision(3)),
    goal: Number((goal / bare).toPrecision(3)),
    lacks: processorTimeLacks,
    async open(place) {
      const { api, measure } = await openIngest(place);
      const other = await startOther(place, 'Bare');
      const load = { connections, prepare: () => request(authorization(api)) };
      const ours = { ...load, port: api.port, meter: () => processorTime(api.pid) };
      const theirs = { ...load, ...TIMES, port: other.port, meter: () => processorTime(other.pid) };
      return {
        ours: async () => said(place, 'ours', await measure('events', ours)),
        theirs: async () => said(place, 'bare', await runLoad(theirs)),
      };
    },
  };
}

/** Says the rate at which it was measured, and returns the processor time of an event. */
function said({ say }: Place, whose: 'ours' | 'bare', load: LoadResult): number {
  say(`        ${whose} at ${Math.round(load.events_per_second)} events/s`);
  return load.metered_per_event;
}
