import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { TypeID } from 'typeid-js';
import {
  bigintArray,
  integerArray,
  jsonbArray,
  textArray,
  timestamptzArray,
  uuidArray,
} from '../../src/db/events/binary-array.ts';
import { createCustomerKeys } from '../../src/db/events/customer-keys.ts';
import { eventId, eventIdOfUuid, keyHash, uuidOfEventId } from '../../src/db/events/event-id.ts';
import { compareBatch, storeBatch, storeEvents, type NewEvent } from '../../src/db/events/events.ts';
import type { Db, Pool } from '../../src/db/connection/pool.ts';
import { aCustomer, aLedger, LIVE, type TestCustomer } from '../support/ledger/billing.ts';
import { aNewEvent, byHash, hoursAhead } from '../support/ledger/events.ts';

/** A pool that records the statements sent to it. */
function counting(pool: Pool): { db: Db; texts: string[] } {
  const texts: string[] = [];
  const query = (...parameters: Parameters<Pool['query']>) => {
    texts.push(JSON.stringify(parameters[0]));
    return pool.query(...parameters);
  };
  return { db: { query } as Db, texts };
}

describe('events in the database', () => {
  let pool: Pool;
  let customer: TestCustomer;
  before(async () => {
    pool = await aLedger();
    customer = await aCustomer(pool);
  });
  after(() => pool.end());

  let place = 0;
  const anEvent = (key: string, changes: Partial<NewEvent> = {}) =>
    aNewEvent(customer, key, place++, changes);
  const statuses = async (outcomes: Promise<readonly { status: string }[]>) =>
    (await outcomes).map(({ status }) => status);

  it('are stored by one statement when all are new', async () => {
    const { db, texts } = counting(pool);
    const outcomes = await storeEvents(
      db,
      [anEvent('n1'), anEvent('n2', { timestamp: '2024-01-01T00:00:00.000Z' })].sort(byHash),
    );
    assert.equal(texts.length, 1);
    const { rows } = await pool.query(
      `select timestamp, timestamp_given, created_at, created_xid is not null as has_xid from events order by idempotency_key`,
    );
    const { created_at } = rows[0];
    assert.deepEqual(rows, [
      { timestamp: created_at, timestamp_given: false, created_at, has_xid: true },
      { timestamp: '2024-01-01T00:00:00.000Z', timestamp_given: true, created_at, has_xid: true },
    ]);
    assert.deepEqual(
      new Set(outcomes.map((outcome) => JSON.stringify(outcome))),
      new Set(rows.map(({ timestamp }) => JSON.stringify({ status: 'created', timestamp, created_at }))),
    );
    assert.deepEqual(await storeEvents(db, []), []);
  });

  it('with one timestamp keep the order in which they were sent, whatever the order of their keys', async () => {
    const keys = Array.from({ length: 50 }, (_, index) => `in-order-${index}`);
    await storeEvents(pool, keys.map((key) => anEvent(key)).sort(byHash));
    const { rows } = await pool.query<{ idempotency_key: string }>(
      `select idempotency_key from events where idempotency_key like 'in-order-%' order by timestamp, id`,
    );
    assert.deepEqual(
      rows.map(({ idempotency_key }) => idempotency_key),
      keys,
    );
  });

  it('otherwise get a status each', async () => {
    const stored = anEvent('old', { timestamp: '2024-01-01T00:00:00.000Z' });
    await storeEvents(pool, [stored]);
    const future = { timestamp: hoursAhead(25) };
    const cases: [NewEvent, string][] = [
      [anEvent('new'), 'created'],
      [stored, 'duplicate'],
      [anEvent('future', future), 'in_future'],
      [anEvent('n1', { event_name: 'other' }), 'conflict'],
      [anEvent('n2', future), 'in_future'],
    ];
    cases.sort(([a], [b]) => byHash(a, b));
    const events = cases.map(([event]) => event);
    const expected = cases.map(([, status]) => status);
    assert.deepEqual(
      await compareBatch(pool, events),
      expected.map((status) => (status === 'created' ? 'absent' : status)),
    );
    assert.deepEqual(await statuses(storeEvents(pool, events)), expected);
    const again = expected.map((status) => (status === 'created' ? 'duplicate' : status));
    assert.deepEqual(await statuses(storeEvents(pool, events)), again);
    assert.deepEqual(await storeBatch(pool, events), again);
    const mixed = [...events, anEvent('newer')].sort(byHash);
    assert.deepEqual(
      await storeBatch(pool, mixed),
      mixed.map((event) => again[events.indexOf(event)] ?? 'created'),
    );
    assert.deepEqual([await compareBatch(pool, []), await storeBatch(pool, [])], [[], []]);
  });

  it('conflict with another event of the same hash, and are never merged with it', async () => {
    await storeEvents(pool, [anEvent('hash')]);
    const other = anEvent('another key', { key_hash: keyHash(LIVE, 'hash') });
    assert.deepEqual(await statuses(storeEvents(pool, [other])), ['conflict']);
  });

  it('find their customers by either id with one query, and then in the cache', async () => {
    const { db, texts } = counting(pool);
    const keys = createCustomerKeys();
    const [one, two] = [await aCustomer(pool), await aCustomer(pool)];
    const name = (customer_id: string, environment_id = LIVE) => ({ environment_id, customer_id });
    const names = [name(one.id), name(`${one.id}-external`), name('nobody'), name(two.id), name(one.id, 1)];
    const found = await keys.resolve(db, names);
    const first = { customer_key: BigInt(one.key), external_id: `${one.id}-external` };
    const second = { customer_key: BigInt(two.key), external_id: `${two.id}-external` };
    assert.deepEqual(found, [first, first, undefined, second, undefined]);
    assert.equal(texts.length, 1);
    assert.deepEqual(await keys.resolve(db, [names[0]!, names[3]!]), [first, second]);
    assert.equal(texts.length, 1);
    // Unknown customers are not cached: one may be created before the next call.
    await pool.query(`update customers set external_id = 'nobody' where id = $1`, [two.id]);
    assert.equal((await keys.resolve(db, [name('nobody')]))[0]?.customer_key, BigInt(two.key));
  });

  it('cache a bounded number of customers, the most recent', async () => {
    const { db, texts } = counting(pool);
    const keys = createCustomerKeys(2);
    const customers = await Promise.all(Array.from({ length: 6 }, () => aCustomer(pool)));
    const resolve = ({ id }: TestCustomer) => keys.resolve(db, [{ environment_id: LIVE, customer_id: id }]);
    for (const one of customers) await resolve(one);
    assert.equal(texts.length, 6);
    await resolve(customers[5]!);
    assert.equal(texts.length, 6);
    await resolve(customers[0]!);
    assert.equal(texts.length, 7);
  });

  it('have ids that are TypeIDs of their hashes, in both directions', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 16, maxLength: 16 }), (bytes) => {
        const id = eventId(Buffer.from(bytes).toString('latin1'));
        assert.equal(id, TypeID.fromUUIDBytes('evt', bytes).toString());
        const uuid = uuidOfEventId(id)!;
        assert.equal(uuid, Buffer.from(bytes).toString('hex'));
        assert.equal(eventIdOfUuid(uuid), id);
      }),
    );
    for (const id of [
      '',
      'evt_',
      'evt_8zzzzzzzzzzzzzzzzzzzzzzzzz',
      'cus_01m7xekbfvfvkssqkvzf2w4340',
      'evt_l1m7xekbfvfvkssqkvzf2w4340',
    ])
      assert.equal(uuidOfEventId(id), null, id);
  });

  it('have hashes of their environment and key', () => {
    const expected = createHash('sha256').update('2').update(Buffer.of(0)).update('é😀').digest('hex');
    assert.equal(Buffer.from(keyHash(2, 'é😀'), 'latin1').toString('hex'), expected);
  });

  it('arrive in Postgres as the arrays that were sent', async () => {
    const aText = fc.string({ unit: 'binary' }).map((text) => text.replaceAll('\0', ''));
    const anInstant = fc
      .integer({ min: 0, max: Date.UTC(9999, 11, 31, 23, 59, 59, 999) })
      .map((ms) => new Date(ms).toISOString());
    const aRow = fc.record({
      uuid: fc.uuid(),
      integer: fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }),
      bigint: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
      text: aText,
      instant: fc.option(anInstant),
      json: fc.dictionary(aText, fc.oneof(aText, fc.integer()), { noNullPrototype: true }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(aRow, { maxLength: 20 }), async (sent) => {
        const { rows } = await pool.query(
          `select * from unnest($1::uuid[], $2::integer[], $3::bigint[], $4::text[], $5::timestamptz[], $6::jsonb[])
             as row(uuid, integer, bigint, text, instant, json)`,
          [
            uuidArray(sent, ({ uuid }) => Buffer.from(uuid.replaceAll('-', ''), 'hex').toString('latin1')),
            integerArray(sent, ({ integer }) => integer),
            bigintArray(sent, ({ bigint }) => bigint),
            textArray(sent, ({ text }) => text),
            timestamptzArray(sent, ({ instant }) => instant),
            jsonbArray(sent, ({ json }) => JSON.stringify(json)),
          ],
        );
        assert.deepEqual(
          rows,
          sent.map((row) => ({ ...row, bigint: `${row.bigint}` })),
        );
      }),
    );
  });
});
