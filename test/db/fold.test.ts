import assert from 'node:assert/strict';
import { consumeAll } from '../../src/db/changes/consume.ts';
import { countUnread } from '../../src/db/changes/consumers.ts';
import { addStep, retryRollup } from '../../src/db/reports/rollup-set-aside.ts';
import { tryRollupLock } from '../../src/db/events/rollup-turn.ts';
import { nextStep } from '../../src/db/events/rollup.ts';
import { readOnly, transaction, type Db, type Pool } from '../../src/db/connection/pool.ts';
import { countSetAside } from '../../src/db/customers/set-aside.ts';
import { listEventsByStatus } from '../../src/db/reports/events-by-status.ts';
import { foldStep, REPORTS, retryFold } from '../../src/db/reports/fold.ts';
import { pendingWithin } from '../../src/db/reports/pending-days.ts';
import { rollUp } from '../../src/db/reports/roll-up.ts';
import { readAdditions } from '../../src/db/reports/report-additions.ts';
import { readUsageReport } from '../../src/db/reports/usage-report.ts';
import type { BillingError } from '../../src/domain/money/errors.ts';
import * as given from '../support/ledger/billing.ts';

const JANUARY = { from: '2026-01-01T00:00:00.000Z', to: '2026-02-01T00:00:00.000Z' };

describe('the counts by cause of a customer for whom they fail', () => {
  let pool: Pool;
  before(async () => void (pool = await given.aLedger()));
  after(() => pool.end());

  /** Raises an error for every count of a customer, as a row that a constraint refuses would. */
  async function refuse(customer: given.TestCustomer): Promise<void> {
    await pool.query(
      `create function refused() returns trigger language plpgsql as $$
       begin
         if new.customer_key = ${customer.key} then raise exception 'no such count' using errcode = '22000'; end if;
         return new;
       end $$`,
    );
    await pool.query(
      'create trigger refused before insert or update on billing_days for each row execute function refused()',
    );
  }

  async function stored(customer: given.TestCustomer): Promise<string[]> {
    const { rows } = await pool.query(
      `select cause || ' ' || events as text from billing_days where customer_key = $1 order by 1`,
      [customer.key],
    );
    return rows.map(({ text }) => text);
  }

  function report() {
    const query = { environment_id: given.LIVE, customer_key: null, event_name: null, ...JANUARY };
    return readOnly(pool, (db) =>
      readUsageReport(db, { ...query, group_by: 'customer', after: null, limit: 50 }),
    );
  }

  it('leave the others alone, say as of when the report is exact, and are counted once they can be', async () => {
    const plan = await given.aPlan(pool, [{ pricing: given.PER_UNIT }]);
    const [bad, good] = [await given.aCustomer(pool), await given.aCustomer(pool)];
    for (const customer of [bad, good]) {
      await given.aSubscription(pool, customer, plan);
      await given.post(pool, customer, given.january(3));
    }
    await refuse(bad);
    while (await rollUp(pool));
    await consumeAll(pool, REPORTS);
    assert.deepEqual([await stored(bad), await stored(good)], [[], ['pending 3']]);
    assert.deepEqual(await countSetAside(pool), [{ job: 'usage_report', environment: 'live', count: 1 }]);
    const { rows } = await pool.query('select noted_at as oldest from row_changes where after ->> $1 = $2', [
      'customer_id',
      bad.id,
    ]);
    assert.equal((await report()).as_of, rows[0].oldest);
    await retryFold(pool, 0);
    assert.deepEqual(await stored(bad), []);
    await pool.query('drop function refused cascade');
    await retryFold(pool, 0);
    assert.deepEqual(await stored(bad), ['pending 3']);
    assert.deepEqual(await countSetAside(pool), []);
    assert.equal(await countUnread(pool, 'reports', 1), 0);
    assert.ok((await report()).as_of > rows[0].oldest);
  });

  it('wait for its daily totals, if these are set aside when a bill changes them', async () => {
    const plan = await given.aPlan(pool, [{ pricing: given.PER_UNIT }]);
    const customer = await given.aCustomer(pool);
    const step = given.stepOf(await given.aSubscription(pool, customer, plan));
    await pool.query(
      `create function refused() returns trigger language plpgsql as
       $$ begin raise exception 'no such day' using errcode = '22000'; end $$;
       create trigger refused before insert on usage_days for each row when (new.customer_key = ${customer.key})
         execute function refused()`,
    );
    await given.post(pool, customer, given.january(3));
    while (await rollUp(pool));
    await given.bill(pool, step);
    await consumeAll(pool, REPORTS);
    const aside = async () => (await countSetAside(pool)).map(({ job }) => job);
    assert.deepEqual(await aside(), ['rollup', 'usage_report']);
    assert.equal(await retryFold(pool, 0), false);
    await pool.query('drop function refused cascade');
    assert.equal(await retryRollup(pool, 0), true);
    assert.equal(await retryFold(pool, 0), true);
    assert.deepEqual([await aside(), await stored(customer)], [[], ['billed 3']]);
  });

  it('change with an invoice, on the days of its period', async () => {
    const plan = await given.aPlan(pool, [{ pricing: given.PER_UNIT }]);
    const customer = await given.aCustomer(pool);
    const step = given.stepOf(await given.aSubscription(pool, customer, plan));
    await given.post(pool, customer, given.january(3));
    while (await rollUp(pool));
    await consumeAll(pool, REPORTS);
    await given.bill(pool, step);
    const year = { from: '2025-06-01T00:00:00.000Z', to: '2026-06-01T00:00:00.000Z' };
    const within = { environment_id: given.LIVE, customer_key: customer.key, ...year, limit: 1 };
    const pending = (await pendingWithin(pool, within))!;
    assert.deepEqual(
      pending.map(({ from, to }) => ({ from, to })),
      [JANUARY],
    );
    assert.deepEqual(await stored(customer), ['pending 3']);
    await consumeAll(pool, REPORTS);
    assert.deepEqual(await stored(customer), ['billed 3']);
  });

  it('are exact as of the oldest event or change that a report cannot add', async () => {
    const customer = await given.aCustomer(pool);
    while (await rollUp(pool));
    await consumeAll(pool, REPORTS);
    const scope = { environment_id: given.LIVE, customer_key: customer.key, event_name: null, ...JANUARY };
    const added = async (changed_customers: number, not_rolled_up: number, days = 1) => {
      const { counts, as_of } = await readOnly(pool, (db) =>
        readAdditions(db, scope, { changed_customers, not_rolled_up, days }),
      );
      const events = counts.reduce((sum, count) => sum + count.events, 0);
      return [events, as_of > '2026-06' ? 'now' : as_of];
    };
    assert.deepEqual(await added(1, 2), [0, 'now']);
    const stored = given.january(3).map((event) => ({ ...event, created_at: '2026-02-03T00:00:00.000Z' }));
    await given.post(pool, customer, stored);
    assert.deepEqual(await added(1, 3), [3, 'now']);
    assert.deepEqual(await added(1, 2), [0, '2026-02-03T00:00:00.000Z']);
    while (await rollUp(pool));
    await given.aSubscription(pool, customer, await given.aPlan(pool, [{ pricing: given.PER_UNIT }]));
    await pool.query(`update row_changes set noted_at = '2026-02-04'`);
    assert.deepEqual(await added(1, 2), [0, 'now']);
    assert.deepEqual(await added(0, 2), [0, '2026-02-04T00:00:00.000Z']);
    assert.deepEqual(await added(1, 2, 0), [0, '2026-02-04T00:00:00.000Z']);
  });

  it('of parts of days with too many customers and event names are refused, with whole days to ask for', async () => {
    const customers = [await given.aCustomer(pool), await given.aCustomer(pool)];
    for (const customer of customers) await given.post(pool, customer, given.january(3));
    const cut = { from: '2026-01-01T00:00:00.000Z', to: '2026-01-02T12:00:00.000Z' };
    const scope = { environment_id: given.LIVE, event_name: null, ...cut };
    const counted = async (customer_key: string | null, days: number) => {
      const limits = { changed_customers: 500, not_rolled_up: 1000, days };
      const { counts } = await readOnly(pool, (db) => readAdditions(db, { ...scope, customer_key }, limits));
      return counts.reduce((sum, { events }) => sum + events, 0);
    };
    assert.equal(await counted(customers[0]!.key, 1), 3);
    await assert.rejects(counted(null, 1), (error: BillingError) => {
      const { reason, message } = error.details![0]!;
      assert.equal(reason, 'too_large');
      assert.match(message, /ask for 2026-01-01T00:00:00.000Z to 2026-01-02T00:00:00.000Z/);
      return true;
    });
  });
});

describe('a step of the rollup', () => {
  let pool: Pool;
  before(async () => void (pool = await given.aLedger()));
  after(() => pool.end());

  /** Rows of the events that the transaction has read so far, by index and otherwise. */
  async function rowsRead(db: Db): Promise<number> {
    const { rows } = await db.query<{ read: number }>(
      `select sum(seq_tup_read + idx_tup_fetch)::integer as read from pg_stat_xact_user_tables
       where relid in (select inhrelid from pg_inherits where inhparent = 'events'::regclass)`,
    );
    return rows[0]!.read;
  }

  it('reads its own events alone, also in the order of their customers', async () => {
    const customer = await given.aCustomer(pool);
    await given.post(pool, customer, given.january(5000));
    while (await rollUp(pool));
    await pool.query('vacuum (analyze) events');
    await given.post(pool, customer, given.january(10));
    const read = await transaction(pool, async (db) => {
      await tryRollupLock(db);
      const step = (await nextStep(db, 1000))!;
      const before = await rowsRead(db);
      await addStep(db, step);
      await foldStep(db, step);
      return (await rowsRead(db)) - before;
    });
    assert.ok(read <= 100, `${read} rows`);
  });
});

describe('the events that are billed or pending, of all customers', () => {
  let pool: Pool;
  before(async () => void (pool = await given.aLedger()));
  after(() => pool.end());

  it('are found beside many of customers without a subscription, and read one by one if too many have one', async () => {
    const plan = await given.aPlan(pool, [{ pricing: given.PER_UNIT }]);
    const [subscribed, other] = [await given.aCustomer(pool), await given.aCustomer(pool)];
    const subscription = await given.aSubscription(pool, subscribed, plan);
    await given.post(pool, subscribed, given.january(3));
    await given.post(pool, other, given.january(100));
    await given.bill(pool, { ...given.stepOf(subscription), period_start: JANUARY.from });
    while (await rollUp(pool));
    await consumeAll(pool, REPORTS);
    const listed = (limits: { read_max: number; subscriptions_max?: number }) => {
      const filter = { billing_status: 'billed', customer_key: null, event_name: null, ...JANUARY } as const;
      return readOnly(pool, (db) =>
        listEventsByStatus(db, given.LIVE, { filter, after: null, limit: 3, ...limits }),
      );
    };
    const found = await listed({ read_max: 20 });
    assert.deepEqual(
      found.map(({ event }) => event.customer_id),
      Array.from({ length: 3 }, () => `${subscribed.id}-external`),
    );
    assert.deepEqual(await listed({ read_max: 1000, subscriptions_max: 0 }), found);
    await assert.rejects(listed({ read_max: 20, subscriptions_max: 0 }), /more than 20 events/);
  });
});
