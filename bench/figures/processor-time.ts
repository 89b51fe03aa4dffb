import type { Figure } from '../figure.ts';
import { authorization, BATCH_CONNECTIONS, openIngest, SINGLE_CONNECTIONS } from '../ingest.ts';
import { processorTime, processorTimeLacks } from '../processor-time.ts';
import { batchRequest, singleRequest } from '../requests.ts';

export const batchProcessorTime = processorTimeFigure({
  name: 'T16a',
  title: "the API's processor time for an event in a batch of 1,000",
  floor: 6,
  goal: 4,
  connections: BATCH_CONNECTIONS,
  request: batchRequest,
});

export const singleProcessorTime = processorTimeFigure({
  name: 'T16b',
  title: "the API's processor time for an event in a POST of its own, on 64 connections",
  floor: 40,
  goal: 23,
  connections: SINGLE_CONNECTIONS,
  request: singleRequest,
});

type Row = Pick<Figure, 'name' | 'title' | 'floor' | 'goal'> & {
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
        async ours() {
          const { metered_per_event, events_per_second } = await measure('events', load);
          place.say(`        at ${Math.round(events_per_second)} events/s`);
          return metered_per_event;
        },
      };
    },
  };
}
