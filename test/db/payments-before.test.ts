import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { recordPayment } from '../../src/billing/owed/pay.ts';
import { transaction, type Pool } from '../../src/db/connection/pool.ts';
import * as given from '../support/billing.ts';
import { createDatabase } from '../support/cluster.ts';

const MIGRATION = new URL('../../migrations/0035_payments_in_advance.sql', import.meta.url);

/** Reverts the migration as far as it fails when it is run again. */
const BEFORE = `
  create function note_unit() returns trigger language plpgsql as 'begin return null; end';
  drop trigger payments_of_invoice on payments;
  drop function payment_of_invoice;
  alter table payments drop column customer_id, add check (to_balance >= 0 and to_balance < amount);
  drop index balance_entries_payment;
  drop index balance_entries_credit_note;`;

/** contract.md 4: payments that were recorded while each had an invoice, and no customer of its own. */
describe('payments of the version before', () => {
  let pool: Pool;
  let id: string;
  let customer_id: string;
  before(async () => {
    pool = await given.aLedger(await createDatabase());
    const customer = await given.aCustomer(pool);
    customer_id = customer.id;
    await pool.query(`update customers set test_clock = '2026-02-20' where id = $1`, [customer_id]);
    const plan = await given.aPlan(pool, [{ pricing: given.PER_UNIT }]);
    const subscription = await given.aSubscription(pool, customer, plan);
    await given.post(pool, customer, given.january(10));
    ({ id } = await given.bill(pool, given.stepOf(subscription)));
    await pool.query(`update invoices set issued_at = '2026-02-01' where id = $1`, [id]);
    const rest = { reference: null, excess: 'refused', allow_duplicate: false, by: 'key_1' } as const;
    for (const [amount, paid_at] of [
      ['6.00', '2026-02-10T00:00:00.000Z'],
      ['4.00', '2026-02-05T00:00:00.000Z'],
    ] as const)
      await transaction(pool, (db) => recordPayment(db, given.LIVE, id, { amount, paid_at, ...rest }));
    await pool.query(BEFORE);
    // As the version before left it: the payment that was recorded last.
    await pool.query(`update invoices set paid_at = '2026-02-05' where id = $1`, [id]);
    await pool.query(readFileSync(MIGRATION, 'utf8'));
  });
  after(() => pool.end());

  it('have the customer of their invoice, which was paid on the latest day', async () => {
    const { rows } = await pool.query('select distinct customer_id from payments where invoice_id = $1', [
      id,
    ]);
    assert.deepEqual(rows, [{ customer_id }]);
    const { rows: invoices } = await pool.query('select paid_at from invoices where id = $1', [id]);
    assert.deepEqual(invoices, [{ paid_at: '2026-02-10T00:00:00.000Z' }]);
  });

  it('also have it if a process of that version records them now', async () => {
    await pool.query(
      `insert into payments (environment_id, id, invoice_id, amount, to_balance, paid_at, created_at, reversed_at,
         reversal_reason)
       values ($1, 'pay_before', $2, 1, 0, now(), now(), now(), 'by mistake')`,
      [given.LIVE, id],
    );
    const { rows } = await pool.query(`select customer_id from payments where id = 'pay_before'`);
    assert.deepEqual(rows, [{ customer_id }]);
  });
});
