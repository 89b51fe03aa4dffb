import assert from 'node:assert/strict';
import { matchTransfers } from '../../src/billing/owed/match-transfers.ts';
import { recordTransfer } from '../../src/billing/owed/transfer.ts';
import { transaction, type Db, type Pool } from '../../src/db/connection/pool.ts';
import * as given from '../support/ledger/billing.ts';
import { copies } from '../support/ledger/copies.ts';

const INVOICES = 50_000;
const FLAT: given.TestCharge = { pricing: { pricing_model: 'flat', flat_amount: '49' } };

/** Tables that a statement reads from end to end. */
function scannedBy(plan: object): string[] {
  return [...JSON.stringify(plan).matchAll(/"Node Type":"Seq Scan"[^{}]*?"Relation Name":"(\w+)"/g)].map(
    ([, name]) => name!,
  );
}

describe("the match of a bank's file beside many invoices", function () {
  let pool: Pool;
  let customer_id: string;
  let invoice_id: string;

  before(async function () {
    pool = await given.aLedger();
    const customer = await given.aCustomer(pool);
    customer_id = customer.id;
    const subscription = await given.aSubscription(pool, customer, await given.aPlan(pool, [FLAT]));
    ({ id: invoice_id } = await given.bill(pool, given.stepOf(subscription)));
    await transaction(pool, async (db) => {
      await db.query('set local session_replication_role = replica');
      await copies(db, 'invoices', INVOICES, {
        id: `'inv_' || lpad(n::text, 8, '0')`,
        number: 'n + 1',
        full_number: `'INV-' || lpad((n + 1)::text, 6, '0')`,
        period_start: `row.period_start + n * interval '1 day'`,
      });
    });
    await pool.query('update environments set last_invoice_number = $1 where id = $2', [
      INVOICES + 1,
      given.LIVE,
    ]);
    await pool.query('analyze');
  });
  after(() => pool.end());

  it('takes four statements for 1,000 rows, each by an index', async () => {
    const plans: object[] = [];
    const explaining: Db = {
      query: (async (text: string, values: unknown[]) => {
        const { rows } = await pool.query<Record<string, object>>(
          `explain (analyze, format json) ${text}`,
          values,
        );
        plans.push(rows);
        return pool.query(text, values);
      }) as Db['query'],
    };
    const rows = Array.from({ length: 1000 }, (_, place) => ({
      ...{ paid_at: '2026-02-01T00:00:00.000Z', amount: '49', currency: 'USD', name: 'Ada' },
      reference: place % 2 === 0 ? `Thanks ${place}` : `INV ${`${place}`.padStart(6, '0')}, ${2026 + place}`,
    }));
    const found = await matchTransfers(explaining, given.LIVE, rows);
    assert.deepEqual(
      found.slice(0, 2).map(({ status, candidates }) => [status, candidates.length]),
      [
        ['unmatched', 5],
        ['matched', 0],
      ],
    );
    assert.equal(plans.length, 4);
    assert.deepEqual(
      plans.flatMap(scannedBy).filter((name) => name === 'invoices'),
      [],
    );
    // The oldest hundred of an amount are looked at for each row, not all of them.
    assert.ok(!/"Actual Rows":(?:\d{5,})/.test(JSON.stringify(plans[3]).replaceAll('.0', '')));
  });

  it('of a row that is booked is by an index too', async () => {
    const paid_at = new Date(Date.now() - 86_400_000).toISOString();
    const request = { customer_id, amount: '49', reference: 'INV-000001', paid_at };
    await transaction(pool, (db) =>
      recordTransfer(db, given.LIVE, {
        ...request,
        invoices: [{ id: invoice_id }],
        allow_duplicate: false,
        by: 'key_1',
      }),
    );
    const row = { amount: '49', currency: 'USD', reference: 'INV-000001', paid_at };
    const [match] = await matchTransfers(pool, given.LIVE, [row]);
    assert.equal(match!.status, 'booked');
  });
});
