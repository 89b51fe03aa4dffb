import { setTimeout as pause } from 'node:timers/promises';
import type { Json } from '../../support/servers/api.ts';
import { assertNewestIsGet, changesAfter } from '../../support/ledger/feed.ts';
import type { Request } from './session.ts';

/** Changes are numbered within a second; a busy machine may need longer. */
const TRIES_MAX = 40;
const REST_MS = 250;

/** Asserts that the newest change of each object of a customer has what GET answers (changes.md), once all are numbered. */
export async function compareFeed(request: Request, customer_id: string): Promise<void> {
  const read = async (path: string): Promise<Json> => (await request(path)).body;
  for (let tries = 1; ; tries++) {
    try {
      const changes = await changesAfter(read, 0, `customer_id=${customer_id}&limit=1000`);
      return await assertNewestIsGet(read, changes);
    } catch (error) {
      if (tries === TRIES_MAX) throw error;
      await pause(REST_MS);
    }
  }
}
