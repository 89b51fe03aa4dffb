import assert from 'node:assert/strict';
import { consumeAll } from '../../src/db/changes/consume.ts';
import type { Pool } from '../../src/db/connection/pool.ts';
import { FEED } from '../../src/db/feed/consumer.ts';
import { readBounds, readFeed } from '../../src/db/feed/feed.ts';
import { rollUp } from '../../src/db/reports/roll-up.ts';
import * as given from '../support/ledger/billing.ts';

describe('notices of usage in the feed', () => {
  let pool: Pool;
  let customer: given.TestCustomer;
  let after: number;

  beforeEach(async () => {
    pool = await given.aLedger();
    customer = await given.aCustomer(pool);
    await consumeAll(pool, FEED);
    after = (await readBounds(pool, given.LIVE)).newest_sequence;
  });
  afterEach(() => pool.end());

  /** Stores events and rolls them up; returns the changes of usage since the last call. */
  async function told(...events: given.TestEvent[]): Promise<Record<string, unknown>[]> {
    await given.post(pool, customer, events);
    await rollUp(pool);
    await consumeAll(pool, FEED);
    const { newest_sequence: newest } = await readBounds(pool, given.LIVE);
    const all = { types: null, object_id: null, customer_key: null };
    const { changes } = await readFeed(pool, given.LIVE, { ...all, after, newest, limit: 1000 });
    after = newest;
    return changes.flatMap(({ type, object_id, data }) =>
      type.startsWith('usage.') ? [{ type, object_id, ...data }] : [],
    );
  }

  const event = (event_name: string, day: string) => ({ event_name, timestamp: `2026-01-${day}T12:00:00Z` });
  const passAnHour = () => pool.query(`update usage_notices set noted_at = noted_at - interval '61 minutes'`);
  const external_id = async (): Promise<string> =>
    (await pool.query('select external_id from customers where id = $1', [customer.id])).rows[0].external_id;

  it('tell once of each name and cause, with how many and of which days', async () => {
    const changes = await told(event('call', '03'), event('call', '05'), event('download', '05'));
    const common = { type: 'usage.unrated', object_id: customer.id, object: 'usage_notice' };
    const cause = { customer_id: await external_id(), status: 'unrated', reason: 'no_subscription' };
    assert.deepEqual(
      changes.toSorted((a, b) => `${a['event_name']}`.localeCompare(`${b['event_name']}`)),
      [
        {
          ...{ ...common, ...cause, event_name: 'call', events: 2 },
          ...{ from: '2026-01-03T00:00:00.000Z', to: '2026-01-06T00:00:00.000Z' },
        },
        {
          ...{ ...common, ...cause, event_name: 'download', events: 1 },
          ...{ from: '2026-01-05T00:00:00.000Z', to: '2026-01-06T00:00:00.000Z' },
        },
      ],
    );
  });

  it('tell again after an hour, and not before', async () => {
    assert.equal((await told(event('call', '03'))).length, 1);
    assert.equal((await told(event('call', '04'))).length, 0);
    await passAnHour();
    const [again] = await told(event('call', '05'));
    assert.equal(again!['events'], 1);
  });

  it('tell of late events, and not of those that are billed', async () => {
    const plan = await given.aPlan(pool, [{ pricing: given.PER_UNIT }]);
    const subscription = await given.aSubscription(pool, customer, plan);
    assert.deepEqual(await told({ timestamp: '2026-01-05T00:00:00Z' }), []);
    await given.bill(pool, given.stepOf(subscription));
    const cases = { late: '2026-02-10T00:00:00Z', too_late: '2026-06-01T00:00:00Z' };
    for (const [status, created_at] of Object.entries(cases)) {
      const [late] = await told({ timestamp: '2026-01-06T00:00:00Z', created_at });
      assert.deepEqual([late!['type'], late!['status'], late!['reason']], ['usage.late', status, null]);
    }
  });

  it('tell of a thousand an hour at most', async () => {
    await pool.query(
      `insert into usage_notices (environment_id, customer_id, event_name, cause, events, from_day, to_day, noted_at)
       select environment_id, id, 'name ' || number, 'no_charge', 1, now(), now(), now()
       from customers, generate_series(1, 999) as number where id = $1`,
      [customer.id],
    );
    assert.equal((await told(event('a', '03'), event('b', '03'))).length, 1000);
    assert.equal((await told(event('c', '03'))).length, 0);
  });
});
