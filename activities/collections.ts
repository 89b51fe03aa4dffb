import { providerWaitMs } from '../src/domain/collection/backoff.ts';
import { collectNext, type Charger, type InvoiceKey } from '../src/collection/collect.ts';
import { withHeartbeat } from './heartbeat.ts';

/** How often the provider is asked about a charge that takes days. */
const PROCESSING_READ_MS = 3_600_000;

export type CollectionActivities = ReturnType<typeof createCollectionActivities>;

/** The activity of collections. Histories store the name, so it is never renamed. It is safe to run twice. */
export function createCollectionActivities(charger: Charger) {
  return {
    /** `wait_ms` null: there is nothing to wait for. `failures` are those of the provider in a row. */
    collectNext: async ({ failures, ...key }: InvoiceKey & { failures: number }) => {
      const { next_in_ms, ...collected } = await withHeartbeat(collectNext(charger, key));
      switch (collected.state) {
        case 'idle':
        case 'scheduled':
        case 'paused':
        case 'charging':
          return { ...collected, wait_ms: next_in_ms, failures: 0 };
        case 'processing':
          return { ...collected, wait_ms: PROCESSING_READ_MS, failures: 0 };
        case 'waits_for_provider':
          return { ...collected, wait_ms: providerWaitMs(failures + 1), failures: failures + 1 };
      }
    },
  };
}
