import type { Figure } from '../figure.ts';
import { authorization, openIngest } from '../ingest.ts';
import { startNaiveService } from '../programs.ts';
import { batchRequest } from '../requests.ts';

const EVENTS = 1000;
const CONNECTIONS = 8;

export const batchIngest: Figure = {
  kind: 'ratio',
  name: 'T2',
  title:
    'durable HTTP ingest in batches of 1,000 / a Koa service that inserts event by event in one transaction',
  unit: 'events/s',
  floor: 5,
  goal: 8,
  async open(place) {
    const { api, measure } = await openIngest(place);
    const naive_port = await startNaiveService(place);
    const ours = { port: api.port, prepare: () => batchRequest(authorization(api), EVENTS) };
    const theirs = { port: naive_port, prepare: () => batchRequest({}, EVENTS) };
    return {
      ours: () => measure('events', { ...ours, connections: CONNECTIONS }),
      theirs: () => measure('naive_events', { ...theirs, connections: CONNECTIONS }),
    };
  },
};
