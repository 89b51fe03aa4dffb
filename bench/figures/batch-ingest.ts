import { openCopy } from '../copy.ts';
import type { Figure, Measure } from '../figure.ts';
import { authorization, BATCH_CONNECTIONS, openIngest } from '../ingest.ts';
import { startOther } from '../programs.ts';
import { batchRequest } from '../requests.ts';

const OURS = 'durable HTTP ingest in batches of 1,000';

export const batchAgainstCopy: Figure = {
  kind: 'ratio',
  name: 'T1',
  title: `${OURS} / COPY from server-side files by two backends into the same table`,
  unit: 'events/s',
  floor: 0.35,
  goal: 0.6,
  async open(place) {
    const ingest = await openIngest(place);
    const copy = await openCopy(place);
    return {
      ours: oursOf(ingest),
      async theirs() {
        await ingest.tables.empty();
        const per_second = await copy.run();
        await ingest.tables.check('naive_events', copy.rows);
        return per_second;
      },
    };
  },
};

export const batchAgainstLoop: Figure = {
  kind: 'ratio',
  name: 'T2',
  title: `${OURS} / a Koa service that inserts event by event in one transaction`,
  unit: 'events/s',
  floor: 5,
  goal: 8,
  async open(place) {
    const ingest = await openIngest(place);
    const { port } = await startOther(place, 'Naive');
    const theirs = { port, connections: BATCH_CONNECTIONS, prepare: () => batchRequest({}) };
    return {
      ours: oursOf(ingest),
      theirs: async () => (await ingest.measure('naive_events', theirs)).events_per_second,
    };
  },
};

function oursOf({ api, measure }: Awaited<ReturnType<typeof openIngest>>): Measure {
  const load = {
    port: api.port,
    connections: BATCH_CONNECTIONS,
    prepare: () => batchRequest(authorization(api)),
  };
  return async () => (await measure('events', load)).events_per_second;
}
