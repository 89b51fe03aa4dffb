import assert from 'node:assert/strict';
import { asyncLocalStorage, Context } from '@temporalio/activity';
import { reconcileSubscriptions } from '../../activities/reconcile.ts';
import { aLedger } from '../support/ledger/billing.ts';

const IDS_A_PAGE = 1000;
const PAGES = 3;

/** The context of an activity, as far as the reconciler uses it: its heartbeats are kept. */
function contextOf(heartbeats: unknown[]): Context {
  const unused = undefined as never;
  const never = new Promise<never>(() => undefined);
  const heartbeat = (details: unknown) => void heartbeats.push(details);
  const { signal } = new AbortController();
  return new Context(unused, never, signal, heartbeat, unused, unused, unused, unused);
}

describe('the reconciler', () => {
  it('sends a heartbeat for each page of the list of running workflows', async () => {
    const pool = await aLedger();
    const heartbeats: unknown[] = [];
    const seen: number[] = [];
    async function* runningIds() {
      for (let number = 1; number <= PAGES * IDS_A_PAGE; number++) {
        yield `sub_${number}`;
        if (number % IDS_A_PAGE === 0) seen.push(heartbeats.length);
      }
    }
    const reach = async () => 0;
    const temporal = {
      runningIds,
      rememberedNumbers: async () => [],
      nudge: reach,
      startEndpoints: reach,
      wakeEndpoints: reach,
      wakeMigrations: reach,
      wakeCollections: reach,
      runningCollections: async function* () {},
    };
    try {
      await asyncLocalStorage.run(contextOf(heartbeats), () => reconcileSubscriptions({ pool, temporal }));
    } finally {
      await pool.end();
    }
    assert.deepEqual(seen, [1, 2, 3]);
  });
});
