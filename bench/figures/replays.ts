import type { Figure } from '../figure.ts';
import { authorization, BATCH_CONNECTIONS, openIngest, TIMES } from '../ingest.ts';
import { runLoad } from '../load.ts';
import { batchRequest, fixedNumbers } from '../requests.ts';

/** Number of events, far above what is in flight at once, stored within seconds. */
const STORED_EVENTS = 100_000;
const STORE_LIMIT_MS = 60_000;

export const replays: Figure = {
  kind: 'ratio',
  name: 'T8',
  title: 'batches of 1,000 events that are all stored already / batches of new ones',
  unit: 'events/s',
  floor: 0.9,
  goal: 1.2,
  async open(place) {
    const { api, tables, measure } = await openIngest(place);
    const headers = authorization(api);
    const service = { port: api.port, connections: BATCH_CONNECTIONS };
    return {
      async ours() {
        await tables.empty();
        const { once, again } = fixedNumbers(STORED_EVENTS);
        const storing = { ...service, prepare: () => batchRequest(headers, once) };
        await runLoad({ ...storing, warm_up_ms: 0, window_ms: STORE_LIMIT_MS });
        await tables.check('events', STORED_EVENTS);
        const replaying = { ...service, prepare: () => batchRequest(headers, again) };
        const { events_per_second } = await runLoad({ ...replaying, ...TIMES });
        await tables.check('events', STORED_EVENTS);
        return events_per_second;
      },
      async theirs() {
        const result = await measure('events', { ...service, prepare: () => batchRequest(headers) });
        return result.events_per_second;
      },
    };
  },
};
