import assert from 'node:assert/strict';
import { openIngest } from '../../../api/ingest/ingest.ts';
import { routes } from '../../../api/routes.ts';
import { createApiServer } from '../../../api/server.ts';
import { createSingleWriter, SINGLE_LIMITS } from '../../../api/ingest/single.ts';
import { createCustomerKeys } from '../../../src/db/events/customer-keys.ts';
import { keyHash } from '../../../src/db/events/event-id.ts';
import { createPool, transaction } from '../../../src/db/connection/pool.ts';
import { startApi, type Received, type TestApi } from '../../support/servers/api.ts';
import { anEvent } from '../../support/ledger/events.ts';
import { eventually } from '../../support/servers/eventually.ts';
import { untilSomebodyWaits, WAIT_LIMIT_MS } from '../../support/ledger/locks.ts';
import { assertRefused } from '../../support/ledger/refused.ts';

describe('the queue of events', () => {
  let api: TestApi;
  before(async () => {
    api = await startApi({ processes: 1 });
    await api.post('/v1/customers', { external_id: 'C1' });
  });
  after(() => api.close());

  it('responds 429 when it is full, stores every accepted event, and drains at the end', async () => {
    const ingest = openIngest(api.deps, api.admission, { ...SINGLE_LIMITS, queue_items: 5 });
    const server = createApiServer({ ...api, ingest }, routes);
    const url = `http://127.0.0.1:${await server.listen(0, '127.0.0.1')}/v1/events`;
    const headers = { Authorization: `Bearer ${api.test_key}`, 'Content-Type': 'application/json' };
    const post = (key: string) =>
      fetch(url, { method: 'POST', headers, body: JSON.stringify(anEvent({ idempotency_key: key })) });
    await post('warm');
    let closing: Promise<void> | null = null;
    const close = () => (closing ??= server.close().then(() => ingest.close()));
    const sent = await whileNobodyStores(async () => {
      const first = post('full 0');
      await untilSomebodyWaits(api.pool);
      const others = Array.from({ length: 39 }, (_, place) => post(`full ${place + 1}`));
      // One event is being written and five are queued: the other 34 are refused.
      for (const { status, headers } of await firstAnswered(others, 34))
        assert.deepEqual([status, headers.get('retry-after')], [429, '1']);
      void close();
      return [first, ...others];
    }).finally(close);
    const answers = await Promise.all(sent);
    assert.equal(answers.filter(({ status }) => status === 201).length, 6);
    const { rows } = await api.pool.query(
      `select count(*)::integer as count from events where idempotency_key like 'full %'`,
    );
    assert.equal(rows[0].count, 6);
  });

  /** Locks the table of events during `work`; releases it even if `work` fails, so that waiting writers go on. */
  function whileNobodyStores<Result>(work: () => Promise<Result>): Promise<Result> {
    return transaction(api.pool, async (db) => {
      await db.query('lock table events in share mode');
      return work();
    });
  }

  async function firstAnswered<Answer>(sent: readonly Promise<Answer>[], count: number): Promise<Answer[]> {
    const answered: Answer[] = [];
    for (const answer of sent) void answer.then((received) => answered.push(received));
    await eventually(
      async () => answered.length,
      (length) => length >= count,
      WAIT_LIMIT_MS,
    );
    return [...answered];
  }

  function postBatches(count: number, key: string): Promise<Received>[] {
    return Array.from({ length: count }, (_, place) =>
      api.post('/v1/events/batch', { events: [anEvent({ idempotency_key: `${key} ${place}` })] }),
    );
  }

  function assertSentAway(received: Received): void {
    assertRefused(received, { code: 'rate_limited' });
    assert.equal(received.headers.get('retry-after'), '1');
  }

  it('limits batches in the same way', async () => {
    await api.post('/v1/events/batch', { events: [anEvent({ idempotency_key: 'warm' })] });
    const sent = await whileNobodyStores(async () => {
      const batches = postBatches(50, 'batch');
      // Four batches are being written and 16 are queued: the other 30 are refused.
      for (const refused of await firstAnswered(batches, 30)) assertSentAway(refused);
      assertSentAway(await api.request('/v1/events/batch', { method: 'POST', body: 'no JSON' }));
      return batches;
    });
    const statuses = (await Promise.all(sent)).map(({ status }) => status);
    assert.equal(statuses.filter((status) => status === 201).length, 20);
  });

  it('responds 429 to a batch that waited too long for its turn', async () => {
    const sent = await whileNobodyStores(async () => {
      const batches = postBatches(6, 'in vain');
      // Four batches are being written; the other two give up waiting.
      for (const refused of await firstAnswered(batches, 2)) assertSentAway(refused);
      return batches;
    });
    const statuses = (await Promise.all(sent)).map(({ status }) => status);
    assert.equal(statuses.filter((status) => status === 201).length, 4);
  });

  it('stores the other events of a group if Postgres refuses one', async () => {
    const pool = createPool(api.deps.config.database_url!, 1);
    const writer = createSingleWriter(pool, createCustomerKeys(), {
      limits: SINGLE_LIMITS,
      refusal: () => assert.fail(),
    });
    const newEvent = (key: string, event_name: string) => ({
      key_hash: keyHash(1, key),
      environment_id: 1,
      livemode: false,
      customer_id: 'C1',
      event_name,
      idempotency_key: key,
      timestamp: null,
      properties: '{}',
      place: 0,
      customer: null,
    });
    const answers = await Promise.allSettled(
      Array.from({ length: 50 }, (_, place) => {
        const key = `poison ${place}`;
        // The API refuses NUL earlier. Any event that Postgres refuses must not affect the other events.
        return writer.add(newEvent(key, place === 23 ? 'a\0b' : 'good'));
      }),
    );
    await pool.end();
    const refused = answers.flatMap(({ status }, place) => (status === 'rejected' ? [place] : []));
    assert.deepEqual(refused, [23]);
    const { rows } = await api.pool.query(
      `select count(*)::integer as count from events where idempotency_key like 'poison %'`,
    );
    assert.equal(rows[0].count, 49);
  });
});
