import type { Figure } from '../figure.ts';
import { authorization, BATCH_CONNECTIONS, openIngest, SINGLE_CONNECTIONS, TIMES } from '../ingest.ts';
import { runLoad, type LoadResult } from '../load.ts';
import { processorTime, processorTimeLacks } from '../processor-time.ts';
import { startOther } from '../programs.ts';
import { batchRequest, singleRequest } from '../requests.ts';
import type { Place } from '../servers.ts';

export const batchProcessorTime = processorTimeFigure({
  name: 'T16a',
  title: "the API's processor time for an event in a batch of 1,000",
  floor: 6,
  goal: 4,
  connections: BATCH_CONNECTIONS,
  request: batchRequest,
});

/** T16c holds its floor. */
export const singleProcessorTime = processorTimeFigure({
  name: 'T16b',
  for_the_record: true,
  title: "the API's processor time for an event in a POST of its own, on 64 connections",
  floor: 40,
  goal: 23,
  connections: SINGLE_CONNECTIONS,
  request: singleRequest,
});

/**
 * T16b independent of the machine: floor and goal are those of T16b divided by the 12.5 microseconds of a bare server on the
 * reference machine.
 */
export const singleAgainstBare: Figure = {
  kind: 'ratio',
  name: 'T16c',
  title:
    "the API's processor time for an event in a POST of its own / a bare node:http server's, which stores nothing",
  unit: 'microseconds',
  floor: 40 / 12.5,
  goal: 23 / 12.5,
  lacks: processorTimeLacks,
  async open(place) {
    const { api, measure } = await openIngest(place);
    const bare = await startOther(place, 'Bare');
    const load = { connections: SINGLE_CONNECTIONS, prepare: () => singleRequest(authorization(api)) };
    const ours = { ...load, port: api.port, meter: () => processorTime(api.pid) };
    const theirs = { ...load, ...TIMES, port: bare.port, meter: () => processorTime(bare.pid) };
    return {
      ours: async () => said(place, 'ours', await measure('events', ours)),
      theirs: async () => said(place, 'bare', await runLoad(theirs)),
    };
  },
};

type Row = Pick<Figure, 'name' | 'title' | 'floor' | 'goal' | 'for_the_record'> & {
  connections: number;
  request: typeof singleRequest;
};

function processorTimeFigure({ connections, request, ...row }: Row): Figure {
  return {
    kind: 'value',
    ...row,
    unit: 'microseconds',
    lacks: processorTimeLacks,
    async open(place) {
      const { api, measure } = await openIngest(place);
      const load = {
        port: api.port,
        connections,
        prepare: () => request(authorization(api)),
        meter: () => processorTime(api.pid),
      };
      return {
        ours: async () => said(place, 'ours', await measure('events', load)),
      };
    },
  };
}

/** Prints the rate of the measurement, and returns the processor time per event. */
function said({ say }: Place, whose: 'ours' | 'bare', load: LoadResult): number {
  say(`        ${whose} at ${Math.round(load.events_per_second)} events/s`);
  return load.metered_per_event;
}
