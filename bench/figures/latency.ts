import type { Figure } from '../figure.ts';
import { authorization, openIngest, SINGLE_CONNECTIONS } from '../ingest.ts';
import type { LoadResult } from '../load.ts';
import { startOther } from '../programs.ts';
import { singleRequest } from '../requests.ts';

export const latency: Figure = {
  kind: 'ratio',
  name: 'T7',
  title: '99th percentile of a single POST on 64 connections / that of a Koa service that inserts it',
  unit: 'ms',
  floor: 0.5,
  goal: 0.3,
  async open(place) {
    const { api, measure } = await openIngest(place);
    const naive = await startOther(place, 'Naive');
    const ours = { port: api.port, prepare: () => singleRequest(authorization(api)) };
    const theirs = { port: naive.port, prepare: () => singleRequest({}) };
    const say = (side: string, { p50_ms, events_per_second }: LoadResult) =>
      place.say(`        ${side}: median ${p50_ms.toFixed(2)} ms, ${Math.round(events_per_second)} events/s`);
    return {
      async ours() {
        const result = await measure('events', { ...ours, connections: SINGLE_CONNECTIONS });
        say('ours', result);
        return result.p99_ms;
      },
      async theirs() {
        const result = await measure('naive_events', { ...theirs, connections: SINGLE_CONNECTIONS });
        say('other', result);
        return result.p99_ms;
      },
    };
  },
};
