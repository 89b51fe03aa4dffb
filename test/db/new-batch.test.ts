import assert from 'node:assert/strict';
import fc from 'fast-check';
import { storeBatch, type NewEvent } from '../../src/db/events/events.ts';
import { mayBeCopied, storeNewBatch } from '../../src/db/events/new-batch.ts';
import { onConnection, type Pool } from '../../src/db/connection/pool.ts';
import { aCustomer, aLedger, type TestCustomer } from '../support/ledger/billing.ts';
import { aNewEvent, byHash, hoursAhead } from '../support/ledger/events.ts';

/** The smallest batch that is stored by COPY. */
const COUNT = 100;
/** Index behind the keys that are looked up before COPY; events are sorted by hash. */
const UNASKED = 90;

describe('a batch of new events', () => {
  let pool: Pool;
  let customer: TestCustomer;
  before(async () => {
    pool = await aLedger();
    customer = await aCustomer(pool);
  });
  after(() => pool.end());

  const anEvent = (key: string, place: number, changes: Partial<NewEvent> = {}) =>
    aNewEvent(customer, key, place, changes);
  const someEvents = (prefix: string, changes: Partial<NewEvent> = {}) =>
    Array.from({ length: COUNT }, (_, place) => anEvent(`${prefix} ${place}`, place, changes)).sort(byHash);
  const storeNew = async (events: readonly NewEvent[]) =>
    (await onConnection(pool, (db) => storeNewBatch(db, events))).attempt;
  const rowsOf = async (prefix: string) =>
    (
      await pool.query<Record<string, unknown>>(
        'select * from events where starts_with(idempotency_key, $1) order by timestamp, id',
        [prefix],
      )
    ).rows;
  const created = Array.from({ length: COUNT }, () => 'created');

  it('is stored like any other batch', async () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 20 }).filter((value) => !value.includes('\0'));
    const changes = fc.record({
      event_name: text,
      properties: fc.dictionary(text, fc.oneof(text, fc.integer())).map((value) => JSON.stringify(value)),
      timestamp: fc.constantFrom(null, '1970-01-01T00:00:00.000Z', '2024-02-29T23:59:59.999Z'),
    });
    const batch = fc.array(fc.tuple(text, changes), { minLength: COUNT, maxLength: COUNT });
    let run = 0;
    await fc.assert(
      fc.asyncProperty(batch, async (drawn) => {
        const eventsOf = (way: string) =>
          drawn
            .map(([key, changes], place) => anEvent(`${way} ${place} ${key}`, place, changes))
            .sort(byHash);
        const [new_way, any_way] = [`new ${++run}`, `any ${run}`];
        assert.equal(await storeNew(eventsOf(new_way)), 'stored');
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

  it('has one timestamp and one transaction, and keeps the order in which it was sent', async () => {
    assert.equal(await storeNew(someEvents('order')), 'stored');
    const rows = await rowsOf('order ');
    const { created_at, created_xid } = rows[0]!;
    assert.deepEqual(
      rows.map((row) => ({
        key: row.idempotency_key,
        timestamp: row.timestamp,
        created_at: row.created_at,
        created_xid: row.created_xid,
      })),
      Array.from({ length: COUNT }, (_, place) => ({
        key: `order ${place}`,
        timestamp: created_at,
        created_at,
        created_xid,
      })),
    );
    const ids = rows.map(({ id }) => BigInt(String(id)));
    await storeBatch(pool, [anEvent('after the order', 0)]);
    const [later] = await rowsOf('after the order');
    assert.ok(BigInt(String(later!.id)) > ids.at(-1)!);
  });

  it('that was sent before is recognized', async () => {
    const events = someEvents('resent');
    assert.equal(await storeNew(events), 'stored');
    assert.equal(await storeNew(events), 'known');
    assert.equal((await rowsOf('resent ')).length, COUNT);
  });

  it('with a stored key that was not looked up is refused as a whole', async () => {
    const events = someEvents('unasked');
    await storeBatch(pool, [events[UNASKED]!]);
    assert.equal(await storeNew(events), 'refused');
    assert.equal((await rowsOf('unasked ')).length, 1);
    assert.equal((await storeBatch(pool, events))[UNASKED], 'duplicate');
  });

  it('with an event from the future is not stored', async () => {
    const events = someEvents('future');
    const ahead = { ...events[UNASKED]!, timestamp: hoursAhead(25) };
    assert.equal(await storeNew(events.with(UNASKED, ahead)), 'in_future');
    assert.deepEqual(await rowsOf('future '), []);
  });

  it('that is small, or of test mode, does not use COPY', () => {
    const events = someEvents('other');
    assert.equal(mayBeCopied(events), true);
    assert.equal(mayBeCopied(events.slice(1)), false);
    const [first] = someEvents('other', { livemode: false });
    assert.equal(mayBeCopied(events.with(0, first!)), false);
  });

  it('that fails for another reason throws the error', async () => {
    const events = someEvents('bad');
    const bad = { ...events[UNASKED]!, properties: '{' };
    await assert.rejects(storeNew(events.with(UNASKED, bad)), { code: '22P02' });
    assert.deepEqual(await rowsOf('bad '), []);
  });
});
