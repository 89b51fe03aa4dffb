import assert from 'node:assert/strict';
import { createPool, readOnly, type Pool } from '../../src/db/connection/pool.ts';
import { pageOfUnits } from '../../src/db/invariants/unit-pages.ts';
import { idOf, type Unit } from '../../src/db/invariants/unit.ts';
import { createDatabase } from '../support/servers/cluster.ts';

/** Days of a customer: of each, the instants of its events, and whether it has totals. */
type Row = [customer_key: number, day: string, times: string[], has_totals: boolean];

const ROWS: readonly Row[] = [
  [2, '1970-01-01', ['00:00:00.000'], false],
  [3, '2026-01-01', ['00:00:00.000', '12:00:00.000', '23:59:59.999'], true],
  [3, '2026-01-02', ['00:00:00.000'], true],
  [3, '2026-01-03', ['00:00:00.000', '23:59:59.999'], false],
  [3, '2026-01-05', [], true],
  [5, '2026-01-01', ['08:00:00.000'], false],
  [5, '2026-01-02', ['08:00:00.000'], false],
  [6, '2026-01-01', [], true],
  [9, '2025-12-31', ['08:00:00.000'], false],
  [9, '2026-01-01', ['23:59:59.999'], true],
  [9, '9999-12-31', ['23:59:59.999'], false],
  [12, '2026-01-01', ['00:00:00.000'], false],
  [12, '2026-01-02', ['00:00:00.000'], false],
];

describe('the pages of days of usage', () => {
  let pool: Pool;
  before(async () => {
    pool = createPool(await createDatabase(), 1);
    for (const [customer_key, day, times, has_totals] of ROWS) {
      for (const time of times) await insertEvent(customer_key, `${day}T${time}Z`);
      if (has_totals)
        await pool.query(
          `insert into usage_days (environment_id, customer_key, event_name, property, day, events, skipped_events,
             first_stored_at, last_stored_at, last_epoch, last_xid)
           select 1, $1, name, '', $2, 1, 0, now(), now(), 1, '1' from unnest('{b,a}'::text[]) as name`,
          [customer_key, `${day}T00:00:00Z`],
        );
    }
  });
  after(() => pool.end());

  const insertEvent = (customer_key: number, timestamp: string) =>
    pool.query(
      `insert into events (key_hash, environment_id, customer_key, event_name, idempotency_key, timestamp,
         timestamp_given, created_at, properties)
       values (gen_random_uuid(), 1, $1, 'a', gen_random_uuid()::text, $2, true, now(), '{}')`,
      [customer_key, timestamp],
    );

  async function walk(limit: number): Promise<string[]> {
    const found: string[] = [];
    for (let after: Unit | null = null; ;) {
      const from: Unit | null = after;
      const page: Unit[] = await readOnly(pool, (db) => pageOfUnits(db, 'usage_day', from, limit));
      assert.ok(page.length <= limit);
      if (page.length === 0) return found;
      found.push(...page.map(({ id }) => id));
      after = page.at(-1)!;
    }
  }

  async function all(): Promise<string[]> {
    const { rows } = await pool.query<{ id: string }>(
      `select ${idOf('customer_key', 'day')} as id from (
         select customer_key, date_trunc('day', timestamp, 'UTC') as day from events
         union select customer_key, day from usage_days) as found
       order by customer_key, day`,
    );
    return rows.map(({ id }) => id);
  }

  it('have each day with events or totals once, in order, whatever the size of a page', async () => {
    const expected = ROWS.map(([customer_key, day]) => `${customer_key} ${day}T00:00:00.000Z`);
    assert.deepEqual(await all(), expected);
    for (const limit of [1, 2, 3, 5, ROWS.length, 100]) assert.deepEqual(await walk(limit), expected);
  });

  it('have events at no time, before and after all others of their customers', async () => {
    for (const customer_key of [3, 5])
      for (const timestamp of ['infinity', '-infinity']) await insertEvent(customer_key, timestamp);
    const expected = await all();
    assert.equal(expected.length, ROWS.length + 4);
    for (const limit of [1, 4, 100]) assert.deepEqual(await walk(limit), expected);
  });
});
