import assert from 'node:assert/strict';
import fc from 'fast-check';
import { storeBatch, type NewEvent, type Submission } from '../../src/db/events.ts';
import { isKnownKey, storeNewBatch } from '../../src/db/new-batch.ts';
import { transaction, type Pool } from '../../src/db/pool.ts';
import { aCustomer, aLedger, type TestCustomer } from '../support/billing.ts';
import { aNewEvent, byHash, hoursAhead } from '../support/events.ts';

/** The fewest for which COPY is used. */
const COUNT = 100;
/** In a list sorted by hash, behind those that are asked for beforehand. */
const UNASKED = 90;

describe('a batch of new events', () => {
  let pool: Pool;
  let customer: TestCustomer;
  before(async () => {
    pool = await aLedger();
    customer = await aCustomer(pool);
  });
  after(() => pool.end());

  const anEvent = (key: string, place: number, changes: Partial<Submission> = {}) =>
    aNewEvent(customer, key, place, changes);
  const someEvents = (prefix: string, changes: Partial<Submission> = {}) =>
    Array.from({ length: COUNT }, (_, place) => anEvent(`${prefix} ${place}`, place, changes)).sort(byHash);
  const storeNew = (events: readonly NewEvent[]) => transaction(pool, (db) => storeNewBatch(db, events));
  const rowsOf = async (prefix: string) =>
    (
      await pool.query<Record<string, unknown>>(
        'select * from events where starts_with(idempotency_key, $1) order by timestamp, id',
        [prefix],
      )
    ).rows;
  const created = Array.from({ length: COUNT }, () => 'created');

  it('is stored just like every other batch', async () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 20 }).filter((value) => !value.includes('\0'));
    const submission = fc.record({
      event_name: text,
      properties: fc.dictionary(text, fc.oneof(text, fc.integer())).map((value) => JSON.stringify(value)),
      timestamp: fc.constantFrom(null, '1970-01-01T00:00:00.000Z', '2024-02-29T23:59:59.999Z'),
    });
    const batch = fc.array(fc.tuple(text, submission), { minLength: COUNT, maxLength: COUNT });
    let run = 0;
    await fc.assert(
      fc.asyncProperty(batch, async (drawn) => {
        const eventsOf = (way: string) =>
          drawn
            .map(([key, changes], place) => anEvent(`${way} ${place} ${key}`, place, changes))
            .sort(byHash);
        const [new_way, any_way] = [`new ${++run}`, `any ${run}`];
        assert.deepEqual(await storeNew(eventsOf(new_way)), created);
        assert.deepEqual(await storeBatch(pool, eventsOf(any_way)), created);
        const comparable = async (way: string) =>
          (await rowsOf(`${way} `)).map((row) => ({
            ...row,
            idempotency_key: String(row.idempotency_key).slice(way.length),
            timestamp: row.timestamp_given ? row.timestamp : 'now',
            ...{ id: null, key_hash: null, created_at: null, created_xid: null },
          }));
        assert.deepEqual(await comparable(new_way), await comparable(any_way));
      }),
      { numRuns: 10 },
    );
  });

  it('is of one instant and one transaction, in the order in which it was sent', async () => {
    const { rows } = await transaction(pool, async (db) => {
      assert.deepEqual(await storeNewBatch(db, someEvents('order')), created);
      return db.query<{ now: string; xid: string }>(
        `select date_trunc('milliseconds', now()) as now, pg_current_xact_id()::text as xid`,
      );
    });
    const { now, xid } = rows[0]!;
    const expected = Array.from({ length: COUNT }, (_, place) => ({
      key: `order ${place}`,
      timestamp: now,
      created_at: now,
      xid,
    }));
    assert.deepEqual(
      (await rowsOf('order ')).map((row) => ({
        key: row.idempotency_key,
        timestamp: row.timestamp,
        created_at: row.created_at,
        xid: row.created_xid,
      })),
      expected,
    );
    const ids = (await rowsOf('order ')).map(({ id }) => BigInt(String(id)));
    await storeBatch(pool, [anEvent('after the order', 0)]);
    const [later] = await rowsOf('after the order');
    assert.ok(BigInt(String(later!.id)) > ids.at(-1)!);
  });

  it('that was sent before is told event by event', async () => {
    const events = someEvents('resent');
    await storeNew(events);
    assert.deepEqual(
      await storeNew(events),
      events.map(() => 'duplicate'),
    );
    const { idempotency_key } = events[0]!.submission;
    const other = anEvent(idempotency_key, 0, { event_name: 'other' });
    assert.deepEqual(await storeNew([other, ...someEvents('new beside it')].slice(0, COUNT)), [
      'conflict',
      ...created.slice(1),
    ]);
  });

  it('that holds a known key unasked for is stored by nobody, and says so', async () => {
    const events = someEvents('unasked');
    const known = events[UNASKED]!;
    await storeBatch(pool, [known]);
    await assert.rejects(storeNew(events), isKnownKey);
    assert.equal((await rowsOf('unasked ')).length, 1);
    assert.deepEqual(
      await storeBatch(pool, events),
      events.map((event) => (event === known ? 'duplicate' : 'created')),
    );
    await assert.rejects(pool.query('select 1 / 0'), (error) => !isKnownKey(error));
  });

  it('from the future is told event by event, the rest is stored', async () => {
    const events = someEvents('future');
    const ahead = { ...events[UNASKED]! };
    ahead.submission = { ...ahead.submission, timestamp: hoursAhead(25) };
    const sent = events.with(UNASKED, ahead);
    assert.deepEqual(
      await storeNew(sent),
      sent.map((event) => (event === ahead ? 'in_future' : 'created')),
    );
  });
});
