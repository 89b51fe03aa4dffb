import assert from 'node:assert/strict';
import { billNext } from '../../src/billing/close/bill-next.ts';
import { rollUp } from '../../src/db/reports/roll-up.ts';
import { transaction, type Db, type Pool } from '../../src/db/connection/pool.ts';
import * as given from '../support/ledger/billing.ts';
import { PLANS } from '../support/ledger/closes.ts';
import { copies } from '../support/ledger/copies.ts';

const ROWS = 1_000_000;
const LATE = { grace_period_ms: 0, late_usage_days: 3650 };
const LOGGED = ['line_items', 'line_item_spans', 'invoices', 'periods', 'credit_grants', 'credit_ledger'];

/** The tables that are filled. */
const LARGE =
  /^(events|line_items|line_item_spans|invoices|periods|credit_grants|credit_ledger|usage_days|cut_offs)/;

type Plan = { 'Node Type': string; 'Relation Name'?: string; Plans?: Plan[] };

function scannedIn(plan: Plan): string[] {
  const own = plan['Node Type'] === 'Seq Scan' ? [plan['Relation Name']!] : [];
  return [...own, ...(plan.Plans ?? []).flatMap(scannedIn)];
}

/** The pool of closes prepares its statements, so PostgreSQL plans them without their values. */
describe('the statements of a group of closes', function () {
  this.timeout(900_000);
  let pool: Pool;
  before(async () => void (pool = await given.aLedger()));
  after(() => pool.end());

  /** A million lines and a million events, and the other rows as they would be beside them. */
  async function fill(): Promise<void> {
    const customer = await given.aCustomer(pool);
    const plan_id = await given.aPlan(pool, PLANS[0]!);
    const subscription_id = await given.aSubscription(pool, customer, plan_id);
    await given.aGrant(pool, customer, 1);
    await given.post(pool, customer, given.january(3));
    await given.bill(pool, given.stepOf(subscription_id));
    const subscription = `'sub_' || n % 10000`;
    const patience = { statement_ms: 300_000 };
    const copyAll = async (db: Db) => {
      await db.query(`set local session_replication_role = replica`);
      // No close reads the log, and it would be as large.
      for (const table of LOGGED) await db.query(`alter table ${table} disable trigger logged`);
      const of_line = { id: `'li_' || n`, invoice_id: `'inv_' || n / 10`, subscription_id: subscription };
      await copies(db, 'line_items', ROWS, {
        ...of_line,
        full_period_start: `row.full_period_start + n * interval '1 second'`,
      });
      await copies(db, 'line_item_spans', ROWS, { line_item_id: `'li_' || n` });
      const start = `row.period_start + n * interval '1 second'`;
      const number = { number: '1000 + n', full_number: `'X-' || n` };
      const of_invoice = { id: `'inv_' || n`, subscription_id: subscription, period_start: start };
      await copies(db, 'invoices', ROWS / 10, { ...of_invoice, ...number });
      const closed = { closed_at: 'row.period_end', late_window_closed_at: 'row.period_end' };
      await copies(db, 'periods', ROWS / 10, {
        subscription_id: subscription,
        period_start: start,
        ...closed,
      });
      await copies(db, 'credit_grants', ROWS / 10, { id: `'cg_' || n`, customer_id: `'cus_' || n` });
      await copies(db, 'credit_ledger', ROWS / 10, { grant_id: `'cg_' || n` });
      const of_event = { key_hash: 'gen_random_uuid()', idempotency_key: `'n-' || n` };
      await copies(db, 'events', ROWS, { ...of_event, timestamp: `row.timestamp + n * interval '1 second'` });
      for (const table of LOGGED) await db.query(`alter table ${table} enable always trigger logged`);
    };
    await transaction(pool, copyAll, patience);
    while (await rollUp(pool));
    await transaction(pool, async (db) => {
      await copies(db, 'usage_days', ROWS / 10, { customer_key: '1000 + n' });
      await copies(db, 'cut_offs', ROWS / 10, {});
    });
    await pool.query('vacuum analyze');
  }

  it('scan no table beside a million lines and events', async () => {
    await fill();
    const sent = new Set<string>();
    const ids: string[] = [];
    for (const charges of PLANS) {
      const customer = await given.aCustomer(pool);
      const subscription_id = await given.aSubscription(pool, customer, await given.aPlan(pool, charges));
      await given.aGrant(pool, customer, 2, { expires_at: '2026-01-15T00:00:00.000Z' });
      for (const event_name of ['api_call', 'stored', 'seats'])
        await given.post(
          pool,
          customer,
          given.january(3, { region: 'a', n: 1 }).map((event) => ({ ...event, event_name })),
        );
      ids.push(subscription_id);
    }
    // Two periods: the second has late lines beside the first.
    for (let period = 0; period < 2; period++)
      await transaction(pool, (db) => {
        const query = db.query.bind(db) as (...args: unknown[]) => Promise<unknown>;
        const noting = (...args: unknown[]) => {
          sent.add(args[0] as string);
          return query(...args);
        };
        const questions = ids.map((subscription_id) => ({ environment_id: given.LIVE, subscription_id }));
        const noted = { query: noting as Db['query'] };
        return billNext(noted, given.LIVE, questions, { settings: LATE, waits: false });
      });
    assert.ok(sent.size > 25, `${sent.size} statements`);
    const scans: string[] = [];
    for (const text of sent) {
      const { rows } = await pool.query<{ 'QUERY PLAN': { Plan: Plan }[] }>(
        `explain (generic_plan, format json) ${text}`,
      );
      const scanned = scannedIn(rows[0]!['QUERY PLAN'][0]!.Plan).filter((table) => LARGE.test(table));
      if (scanned.length > 0) scans.push(`${scanned.join(', ')}: ${text.slice(0, 200)}`);
    }
    assert.deepEqual(scans, []);
  });
});
