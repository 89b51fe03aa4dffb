import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { onConnection, type Pool } from '../../src/db/connection/pool.ts';
import { makePartitions } from '../../src/db/events/partitions.ts';
import { findEvent } from '../../src/db/events/event-list.ts';
import { eventId } from '../../src/db/events/event-id.ts';
import { STORED_CONTENT } from '../../src/db/events/event-keys.ts';
import { compareBatch, storeBatch, type NewEvent } from '../../src/db/events/events.ts';
import { storeNewBatch } from '../../src/db/events/new-batch.ts';
import { cutOffNow } from '../../src/db/usage/usage.ts';
import type { Charge } from '../../src/domain/pricing/charge.ts';
import { isResend } from '../../api/ingest/new-event.ts';
import * as given from '../support/ledger/billing.ts';
import { aNewEvent, byHash } from '../support/ledger/events.ts';
import { quantityOf } from '../support/ledger/usage.ts';

const CHARGE = {
  id: 'chg_1',
  name: null,
  event_name: 'api_call',
  aggregation: { type: 'count' },
  filters: null,
  group_by: null,
} as const;

/** Gives the keys the hashes that they get before their events leave. */
const HASH_ALL = `update event_keys k set content_hash = ${STORED_CONTENT} from events e
  where e.key_hash = k.key_hash and k.content_hash is null`;

/** Partitions of this month and the next two, as makePartitions names them. */
function comingMonths(): string[] {
  const now = new Date();
  return [0, 1, 2].map((n) => {
    const month = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + n, 1)).toISOString();
    return `events_${month.slice(0, 4)}${month.slice(5, 7)}`;
  });
}

const attempt = async (pool: Pool, events: readonly NewEvent[]) =>
  (await onConnection(pool, (db) => storeNewBatch(db, events))).attempt;

describe('the keys of events', () => {
  let pool: Pool;
  let customer: given.TestCustomer;
  let other: given.TestCustomer;
  before(async () => {
    pool = await given.aLedger();
    [customer, other] = [await given.aCustomer(pool), await given.aCustomer(pool)];
  });
  after(() => pool.end());

  it('say of two events with one key whether they are equal, as ingest says of two in one batch, by the event and by its hash', async () => {
    const text = fc.constantFrom('', 'a', '1', '\n', '{}', '1\n{}', 'é', '\u{1F600}', '"');
    const value = fc.letrec((tie) => ({
      value: fc.oneof(
        { depthSize: 'small' },
        text,
        fc.constantFrom(0, -0, 1, 1.5, 1e21, 1e-7, 123456789012345, null, true, false),
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(text, tie('value'), { maxKeys: 3 }),
      ),
    })).value;
    const content = fc.record({
      event_name: text,
      timestamp: fc.constantFrom(null, '1970-01-01T00:00:00.000Z', '2024-02-29T23:59:59.999Z'),
      properties: fc.dictionary(text, value, { maxKeys: 3 }),
      is_others: fc.boolean(),
    });
    let run = 0;
    await fc.assert(
      fc.asyncProperty(content, content, fc.boolean(), async (first, second, is_same) => {
        const key = `content ${++run}`;
        const eventOf = ({ event_name, timestamp, properties, is_others }: typeof first): NewEvent => ({
          ...aNewEvent(is_others ? other : customer, key, 0),
          event_name,
          timestamp,
          properties: JSON.stringify(properties),
        });
        const sent = eventOf(first);
        // The same members in another order.
        const reversed = Object.fromEntries(Object.entries(first.properties).reverse());
        const resent = eventOf(is_same ? { ...first, properties: reversed } : second);
        assert.deepEqual(await storeBatch(pool, [sent]), ['created']);
        const expected = [isResend(sent, resent) ? 'duplicate' : 'conflict'];
        assert.deepEqual(await compareBatch(pool, [resent]), expected);
        await pool.query(HASH_ALL);
        assert.deepEqual(await compareBatch(pool, [resent]), expected);
      }),
      { numRuns: 300 },
    );
  });

  it('find the event, among others of the same instant', async () => {
    const timestamp = '2026-01-05T00:00:00.000Z';
    const events = Array.from({ length: 3 }, (_, n) =>
      aNewEvent(customer, `same instant ${n}`, n, { timestamp, event_name: `name ${n}` }),
    ).sort(byHash);
    await storeBatch(pool, events);
    for (const { key_hash, event_name } of events) {
      const found = await findEvent(pool, given.LIVE, eventId(key_hash));
      assert.equal(found?.event_name, event_name);
    }
    assert.equal(await findEvent(pool, given.LIVE + 1, eventId(events[0]!.key_hash)), null);
  });
});

describe('the hashes in keys of events', () => {
  let pool: Pool;
  let customer: given.TestCustomer;
  beforeEach(async () => {
    pool = await given.aLedger();
    customer = await given.aCustomer(pool);
  });
  afterEach(() => pool.end());

  const some = (name: string) =>
    Array.from({ length: 2 }, (_, n) => aNewEvent(customer, `${name} ${n}`, n)).sort(byHash);
  const store = async (name: string) => {
    await storeBatch(pool, some(`${name} inserted`));
    assert.equal(await attempt(pool, some(`${name} copied`)), 'stored');
  };
  /** Whether each key has the hash of its event, in the order of the keys. */
  const hashed = async (name: string) =>
    (
      await pool.query<{ is_hashed: boolean | null }>(
        `select k.content_hash = ${STORED_CONTENT} as is_hashed from events e join event_keys k on k.key_hash = e.key_hash
         where starts_with(e.idempotency_key, $1) order by e.idempotency_key`,
        [name],
      )
    ).rows.map(({ is_hashed }) => is_hashed);

  it('are SHA-256 of what was sent, by an expression that is a part of the statement', async () => {
    const number = (value: bigint) => {
      const bytes = Buffer.alloc(8);
      bytes.writeBigInt64BE(value);
      return bytes;
    };
    const LEAST = -(2n ** 63n);
    for (const text of ['', 'a', '\\', '\\\\', '\\x41', '\\101', 'a\\', 'é\u{1F600}\\']) {
      const parts = [
        number(7n),
        number(LEAST),
        text,
        '\0',
        `${text}b`,
        '\0',
        '\x01',
        `{"a": ${JSON.stringify(text)}}`,
      ];
      const sha = createHash('sha256');
      for (const part of parts) sha.update(part);
      const { rows } = await pool.query<{ hash: string }>(
        `select replace(event_content(7, $1, $2, null, jsonb_build_object('a', $1::text))::text, '-', '') as hash`,
        [text, `${text}b`],
      );
      assert.equal(rows[0]!.hash, sha.digest('hex').slice(0, 32), text);
    }
    const { rows: plan } = await pool.query<{ 'QUERY PLAN': string }>(
      `explain (verbose) select ${STORED_CONTENT} from events e`,
    );
    assert.match(plan.map((row) => row['QUERY PLAN']).join(), /sha256/);
  });

  it('are not made when events are stored', async () => {
    await store('new');
    assert.deepEqual(await hashed('new'), Array(4).fill(null));
  });
});

describe('the partitions of events', () => {
  let pool: Pool;
  let customer: given.TestCustomer;
  before(async () => {
    pool = await given.aLedger();
    customer = await given.aCustomer(pool);
  });
  after(() => pool.end());

  const some = (name: string, count: number, changes: Partial<NewEvent> = {}) =>
    Array.from({ length: count }, (_, n) => aNewEvent(customer, `${name} ${n}`, n, changes)).sort(byHash);
  const bucketsOf = async (name: string) =>
    (
      await pool.query<{ found: string }>(
        'select distinct tableoid::regclass::text as found from events where starts_with(idempotency_key, $1)',
        [`${name} `],
      )
    ).rows.map(({ found }) => found);

  it('are none at first: live events are stored in bucket 0', async () => {
    await storeBatch(pool, some('early', 2));
    assert.equal(await attempt(pool, some('copied early', 2)), 'stored');
    assert.deepEqual(
      [await bucketsOf('early'), await bucketsOf('copied early')],
      [['events_kept'], ['events_kept']],
    );
  });

  it('are made for this month and the next two, once, by the process that comes first', async () => {
    // By chance one of them sees another's partition too late, so that one round proves little.
    for (let round = 0; round < 20; round += 1) {
      for (const name of round === 0 ? [] : comingMonths()) await pool.query(`drop table ${name}`);
      await Promise.all([1, 2, 3].map(() => makePartitions(pool)));
      await makePartitions(pool);
    }
    const { rows } = await pool.query<{ name: string }>(
      `select inhrelid::regclass::text as name from pg_inherits where inhparent = 'events'::regclass order by 1`,
    );
    assert.deepEqual(
      rows.map(({ name }) => name),
      [...comingMonths(), 'events_kept'],
    );
  });

  it('take live events as they are stored, on both paths; test events stay in bucket 0', async () => {
    const [month] = comingMonths();
    await storeBatch(pool, some('later', 2));
    assert.equal(await attempt(pool, some('copied later', 2)), 'stored');
    await storeBatch(pool, some('of a test', 2, { livemode: false }));
    assert.deepEqual(
      [await bucketsOf('later'), await bucketsOf('copied later'), await bucketsOf('of a test')],
      [[month], [month], ['events_kept']],
    );
  });

  it('are all that a bill may need, and none of before: an event may be up to 24 hours ahead of its month', async () => {
    const now = new Date();
    const firstOf = (months: number) =>
      new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months, 1)).toISOString();
    const bucketOf = (instant: string) => `${instant.slice(0, 4)}${instant.slice(5, 7)}`;
    const bucket = bucketOf(firstOf(-1));
    await pool.query(`create table events_${bucket} partition of events for values in (${bucket})`);
    const billed = await given.aCustomer(pool);
    const store = (month: string, timestamp: string) =>
      given
        .post(pool, billed, [{ timestamp }])
        .then(() =>
          pool.query('update events set bucket = $3 where customer_key = $1 and timestamp = $2', [
            billed.key,
            timestamp,
            month,
          ]),
        );
    const ahead = new Date(Date.parse(firstOf(0)) + 23 * 3_600_000).toISOString();
    await store(bucket, ahead);
    await store('0', new Date(Date.parse(firstOf(0)) + 1).toISOString());
    await store(bucketOf(firstOf(0)), firstOf(0));
    await store(bucketOf(firstOf(1)), new Date(Date.parse(firstOf(0)) + 2).toISOString());
    const span = { after: null, up_to: await cutOffNow(pool), stored_from: null, stored_to: null };
    const counted = (timestamp_from: string, timestamp_to: string) => {
      const charge = { ...CHARGE, pricing: { pricing_model: 'per_unit', unit_amount: '1' } } as Charge;
      const query = { environment_id: given.LIVE, customer_key: billed.key, charge, daily: null };
      return quantityOf(pool, { ...query, spans: [{ ...span, timestamp_from, timestamp_to }] });
    };
    assert.equal((await counted(firstOf(0), firstOf(1))).quantity, '4');
    assert.equal((await counted(ahead, firstOf(1))).quantity, '1');
  });

  it('refuse a resend from another partition, on both paths', async () => {
    const early = some('early', 2);
    assert.deepEqual(await storeBatch(pool, early), ['duplicate', 'duplicate']);
    assert.equal(await attempt(pool, early), 'known');
    const hidden = [...some('hidden', 40), aNewEvent(customer, 'early 0', 41)].sort((a, b) =>
      a.idempotency_key === 'early 0' ? 1 : b.idempotency_key === 'early 0' ? -1 : byHash(a, b),
    );
    assert.equal(await attempt(pool, hidden), 'refused');
    assert.deepEqual(await bucketsOf('hidden'), []);
  });
});
