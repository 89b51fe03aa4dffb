import { call, forEvery } from './client.ts';
import { openEventTables, type EventTable } from './event-tables.ts';
import { runLoad, type Load, type LoadResult } from './load.ts';
import { rollingUp } from './rolling-up.ts';
import type { Place } from './servers.ts';
import { startApi, type Api } from './programs.ts';
import { CUSTOMERS, customerId } from './requests.ts';

/** Connections that send batches, and connections that send single events. */
export const BATCH_CONNECTIONS = 8;
export const SINGLE_CONNECTIONS = 64;

export const TIMES = { warm_up_ms: 1000, window_ms: 4000 };

/** Common setup of the ingest figures: an API with customers, and event tables that each measurement finds empty. */
export async function openIngest(place: Place) {
  const api = await startApi(place);
  const numbers = Array.from({ length: CUSTOMERS }, (_, number) => number);
  await forEvery(numbers, (number) => call(api, 'customers', { external_id: customerId(number) }));
  const tables = await openEventTables(place);
  return {
    api,
    tables,
    /** Sends new events to the service on the port, which stores them in `table`. While our own table fills, it is rolled up. */
    async measure(table: EventTable, load: Omit<Load, keyof typeof TIMES>): Promise<LoadResult> {
      await tables.empty();
      const run = () => runLoad({ ...load, ...TIMES });
      const result = table === 'events' ? await rollingUp(place.database_url, run) : await run();
      await tables.check(table, result.acknowledged);
      return result;
    },
  };
}

/** The request header with the API's live key. */
export function authorization({ live_key }: Api): Record<string, string> {
  return { authorization: `Bearer ${live_key}` };
}
