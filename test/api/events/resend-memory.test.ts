import assert from 'node:assert/strict';
import { postBatch } from '../../../api/ingest/batch.ts';
import { createResendMemory } from '../../../api/ingest/resend-memory.ts';
import type { Caller } from '../../../api/http/deps.ts';
import { createCustomerKeys } from '../../../src/db/events/customer-keys.ts';
import { createPool, type Pool } from '../../../src/db/connection/pool.ts';
import { BillingError } from '../../../src/domain/money/errors.ts';
import { aCustomer, aLedger, LIVE } from '../../support/ledger/billing.ts';
import { anEvent, hoursAhead } from '../../support/ledger/events.ts';

/** Large batches, with the small ones between them more than 64; small batches must not count, because they never use COPY. */
const BATCHES = 40;
const caller: Caller = {
  environment_id: LIVE,
  livemode: true,
  key_id: 'key',
  actor_id: 'key',
  kind: 'full',
  user: null,
  customer: null,
};

describe('live batches that mix new and stored events', () => {
  let pool: Pool;
  before(async () => {
    pool = await aLedger();
  });
  after(() => pool.end());

  it('are expected in the next 64 batches of an environment after one', () => {
    const resend_memory = createResendMemory();
    const asked = () => Array.from({ length: 66 }, () => resend_memory.isOverlapLikely(LIVE));
    assert.ok(!asked().includes(true));
    for (let time = 0; time < 2; time++) {
      resend_memory.recordOverlap(LIVE);
      assert.equal(resend_memory.isOverlapLikely(LIVE + 1), false);
      assert.deepEqual(
        asked(),
        Array.from({ length: 66 }, (_, batch) => batch < 64),
      );
    }
    resend_memory.recordOverlap(LIVE);
    resend_memory.isOverlapLikely(LIVE);
    resend_memory.recordOverlap(LIVE);
    assert.equal(asked().filter(Boolean).length, 64);
  });

  it('are refused by COPY once, not each time', async () => {
    const { send, refusals, close } = await aWriter(pool);
    for (let batch = 0; batch < BATCHES; batch++) {
      // Of 100 events, the stored one is usually not among the keys that are looked up before COPY.
      assert.equal((await send(eventsOf(`batch ${batch}`, 1))).created, 1);
      assert.equal((await send(eventsOf(`batch ${batch}`, 100))).created, 99);
    }
    assert.equal(refusals(), 1);
    await close();
  });

  it('report each event, and store all or none', async () => {
    const { send, refusals, close } = await aWriter(pool);
    const events = eventsOf('whole', 100);
    assert.equal((await send(events)).created, 100);
    assert.equal((await send(events)).created, 0);
    // A batch that was resent completely does not count as a mixed batch.
    assert.equal(refusals(), 0);
    const news = eventsOf('news', 99);
    const refused = [
      { last: { ...events[0]!, event_name: 'other' }, reason: 'idempotency_mismatch' },
      { last: anEvent({ idempotency_key: 'ahead', timestamp: hoursAhead(25) }), reason: 'in_future' },
    ];
    for (const { last, reason } of refused) {
      await assert.rejects(send([...news, last]), (error) => {
        assert.ok(error instanceof BillingError);
        assert.deepEqual(
          error.details.map((detail) => [detail.param?.slice(0, 10), detail.reason]),
          [['events[99]', reason]],
        );
        return true;
      });
    }
    assert.equal((await send(news)).created, 99);
    await close();
  });
});

function eventsOf(prefix: string, count: number) {
  return Array.from({ length: count }, (_, place) => anEvent({ idempotency_key: `${prefix} ${place}` }));
}

/** Sends batches for a new customer, on a connection of its own. */
async function aWriter(pool: Pool) {
  const customer_id = (await aCustomer(pool)).id;
  const batches = createPool(pool.options.connectionString!, 1);
  const resend_memory = createResendMemory();
  let refused = 0;
  const recordOverlap = (environment_id: number) => {
    refused++;
    resend_memory.recordOverlap(environment_id);
  };
  const writer = {
    pool: batches,
    customers: createCustomerKeys(),
    resend_memory: { ...resend_memory, recordOverlap },
  };
  return {
    refusals: () => refused,
    send: (events: readonly object[]) =>
      postBatch(
        writer,
        caller,
        events.map((event) => ({ ...event, customer_id })),
      ),
    close: () => batches.end(),
  };
}
