import assert from 'node:assert/strict';
import fc from 'fast-check';
import { daysOfName } from '../../src/db/events/event-days.ts';
import { insertWithKeys } from '../../src/db/events/event-keys.ts';
import { listEvents, type EventFilter, type EventPosition } from '../../src/db/events/event-list.ts';
import type { Pool } from '../../src/db/connection/pool.ts';
import { rollUp } from '../../src/db/reports/roll-up.ts';
import * as given from '../support/ledger/billing.ts';
import { eventually } from '../support/servers/eventually.ts';

const hour = (place: number) => new Date(Date.UTC(2026, 0, 1, place)).toISOString();

/** Events of two names, one frequent and one on few days; a third name never occurs. */
const anEvent = fc.oneof(
  fc.record({ event_name: fc.constant('often'), timestamp: fc.integer({ min: 0, max: 239 }).map(hour) }),
  fc.record({ event_name: fc.constant('rare'), timestamp: fc.constantFrom(30, 31, 100, 230).map(hour) }),
);
const aBound = fc.option(fc.integer({ min: 0, max: 250 }).map(hour), { nil: undefined });

describe('a list of events by name', () => {
  let pool: Pool;
  before(async () => void (pool = await given.aLedger()));
  after(() => pool.end());

  async function walk(filter: EventFilter, limit: number): Promise<string[]> {
    const found: string[] = [];
    for (let after: EventPosition | null = null; ;) {
      const page = await listEvents(pool, given.LIVE, { filter, after, limit });
      found.push(...page.map(({ event }) => `${event.timestamp} ${event.idempotency_key}`));
      if (page.length < limit) return found;
      after = page.at(-1)!.position;
    }
  }

  it('reads only days that have such events, no more than fill a page, and recent days', async () => {
    await pool.query('truncate events, event_keys, usage_days, event_days');
    await pool.query(`update epochs set rolled_up_to = '0'`);
    const customer = await given.aCustomer(pool);
    const at = (place: number, event_name = 'named') => ({ event_name, timestamp: hour(place) });
    await given.post(pool, customer, [at(1), at(2), at(50), at(51), at(100), at(150, 'other')]);
    // A transaction in another database of the cluster may hold the rollup back.
    await eventually(
      async () => {
        while (await rollUp(pool));
        const { rowCount } = await pool.query(
          'select from events e, epochs where e.created_xid >= rolled_up_to',
        );
        return rowCount;
      },
      (count) => count === 0,
    );
    await given.post(pool, customer, [at(200)]);
    const daysOf = async (event_name: string, bounds: { from?: string; to?: string; events: number }) =>
      (await daysOfName(pool, given.LIVE, { from: undefined, to: undefined, event_name, ...bounds }))?.sort();
    const found = [
      await daysOf('never', { events: 9 }),
      await daysOf('other', { events: 9 }),
      await daysOf('named', { events: 9 }),
      await daysOf('named', { events: 1 }),
      await daysOf('named', { events: 9, to: hour(60) }),
      await daysOf('named', { events: 9, from: hour(60) }),
    ];
    const [first, third, fifth, recent] = [hour(0), hour(48), hour(96), hour(192)];
    assert.deepEqual(found, [
      [],
      [hour(144)],
      [first, third, fifth, recent],
      [third, fifth, recent],
      [first, third, recent],
      [third, fifth, recent],
    ]);
  });

  it('does not depend on the progress of the rollup, nor on the page size', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(anEvent, { minLength: 1, maxLength: 12 }), { minLength: 1, maxLength: 6 }),
        fc.constantFrom('often', 'rare', 'never'),
        fc.tuple(aBound, aBound),
        fc.record({ steps: fc.nat({ max: 6 }), limit: fc.integer({ min: 1, max: 7 }) }),
        async (groups, event_name, [from, to], { steps, limit }) => {
          await pool.query('truncate events, usage_days, event_days');
          await pool.query(`update epochs set rolled_up_to = '0'`);
          const customer = await given.aCustomer(pool);
          for (const group of groups) await given.post(pool, customer, group);
          for (let step = 0; step < steps; step++) await rollUp(pool, 5);
          const { rows } = await pool.query<{ found: string }>(
            `select instant_text(timestamp) || ' ' || idempotency_key as found from events
             where event_name = $1 and timestamp >= coalesce($2, timestamp) and ($3::timestamptz is null or timestamp < $3)
             order by timestamp desc, id desc`,
            [event_name, from, to],
          );
          assert.deepEqual(
            await walk({ event_name, from, to }, limit),
            rows.map(({ found }) => found),
          );
        },
      ),
      { numRuns: 100 },
    );
  });

  it('searches a limited number of events while too many are not rolled up, and is refused beyond', async () => {
    await pool.query('truncate events, usage_days, event_days');
    await pool.query(`update epochs set rolled_up_to = '0'`);
    const customer = await given.aCustomer(pool);
    await pool.query(
      insertWithKeys(`insert into events (key_hash, environment_id, customer_key, event_name, idempotency_key, timestamp, timestamp_given, created_at,
         properties)
       select gen_random_uuid(), $1, $2, case when n = 20000 then 'last' else 'other' end, n::text,
         timestamptz '2026-01-01' + n * interval '1 second', true, now(), '{}' from generate_series(1, 20002) as n`),
      [given.LIVE, customer.key],
    );
    const page = { after: null, limit: 1 };
    const names = async (event_name: string, searched_max: number, bounds: EventFilter = {}) =>
      (await listEvents(pool, given.LIVE, { filter: { event_name, ...bounds }, ...page, searched_max }))
        .length;
    assert.equal(await names('last', 3), 1);
    assert.equal(await names('never', 20_002), 0);
    for (const searched_max of [1, 20_001])
      await assert.rejects(names('never', searched_max), /are not counted by name yet/);
    const to = new Date(Date.UTC(2026, 0, 1, 0, 0, 6)).toISOString();
    assert.equal(await names('never', 5, { to }), 0);
    assert.equal(await names('never', 2, { from: to, customer_id: customer.id }), 0);
  });
});
