import assert from 'node:assert/strict';
import { readOnly, type Pool } from '../../src/db/connection/pool.ts';
import { REPORTS } from '../../src/db/reports/fold.ts';
import { consumeAll } from '../../src/db/changes/consume.ts';
import { rollUp } from '../../src/db/reports/roll-up.ts';
import * as given from '../support/ledger/billing.ts';
import { breachesOf } from '../support/ledger/sound.ts';

/** Environments of a test ledger. */
export const ENVIRONMENTS = [
  { id: 1, livemode: false },
  { id: given.LIVE, livemode: true },
];
export const BEFORE = '2026-03-01T00:00:00.000Z';

export type Billed = { customer: given.TestCustomer; subscription: string; invoices: string[] };

/** A customer with events at the beginning of each month, of which the first `billed` months have open invoices. */
export async function aBilledCustomer(pool: Pool, plan: string, billed: number): Promise<Billed> {
  const customer = await given.aCustomer(pool);
  const subscription = await given.aSubscription(pool, customer, plan);
  const invoices: string[] = [];
  for (let month = 0; month < 4; month++) {
    const first = new Date(Date.UTC(2026, month)).toISOString();
    const at = (n: number) => new Date(Date.parse(first) + n * 3_600_000).toISOString();
    const events = Array.from({ length: 7 }, (_, n) => ({
      timestamp: at(n * 30),
      created_at: at(n * 30),
      properties: { model: `m${n % 3}`, text: 'a "quoted", text;\\n' },
    }));
    await given.post(pool, customer, events);
    if (month >= billed) continue;
    const step = { ...given.stepOf(subscription), period_start: first };
    invoices.push((await given.bill(pool, step)).id);
  }
  return { customer, subscription, invoices };
}

/** Rolls up and folds everything. */
export async function settle(pool: Pool): Promise<void> {
  while (await rollUp(pool));
  await consumeAll(pool, REPORTS);
}

const EVENTS = `select id, key_hash, environment_id, customer_key, event_name, idempotency_key, timestamp, timestamp_given, created_at,
  created_xid::text, epoch, properties from events order by id`;
/** All events, without their buckets. */
export const rowsOf = async (pool: Pool) => (await pool.query(EVENTS)).rows;
export const eventDays = async (pool: Pool) =>
  (await pool.query('select * from event_days order by environment_id, event_name, day')).rows;

/** No invariant is breached but that periods which ended are still open: nobody bills them here. */
export async function assertSound(pool: Pool): Promise<void> {
  const breaches = await readOnly(pool, (db) => breachesOf(db));
  assert.deepEqual(
    breaches.filter(({ invariant }) => invariant !== 'I12'),
    [],
  );
}
