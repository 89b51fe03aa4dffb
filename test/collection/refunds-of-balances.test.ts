import assert from 'node:assert/strict';
import { recordPayment } from '../../src/billing/owed/pay.ts';
import { adjustBalance } from '../../src/billing/owed/balance.ts';
import { issueCreditNote } from '../../src/billing/owed/credit-note.ts';
import { refundNote } from '../../src/collection/note-refunds.ts';
import { transaction } from '../../src/db/connection/pool.ts';
import { BillingError } from '../../src/domain/money/errors.ts';
import * as given from '../support/ledger/billing.ts';
import { useRefunds, type Paid } from '../support/ledger/refunds.ts';

describe('a refund of money that went to the balance, or that a credit note accounts for', () => {
  const refunds = useRefunds();
  const { refund, stateOf, readAll, aPaidInvoice, paymentsOf } = refunds;
  const stripe = () => refunds.stripe();
  const balance = async () =>
    (await refunds.pool().query<{ balance: string }>('select balance::text as balance from customers'))
      .rows[0]!.balance;

  /** 100.00 are charged although 30.00 are paid meanwhile. */
  async function anExcess(): Promise<Paid> {
    const { invoice } = await refunds.aChargedInvoice('processing');
    await refunds.charge(invoice);
    const paid = {
      ...({ amount: '30', paid_at: null, reference: null, excess: 'refused' } as const),
      ...{ allow_duplicate: false, by: 'key_1' },
    };
    await transaction(refunds.pool(), (db) => recordPayment(db, given.LIVE, invoice.id, paid));
    const provider_reference = (await refunds.attempts())[0]!.provider_reference!;
    stripe().finish(provider_reference, 'succeeds');
    await refunds.collect(invoice);
    const payment = (await paymentsOf(invoice)).find(({ created_by }) => created_by!.startsWith('pat_'))!;
    return { invoice, payment, charge: provider_reference };
  }

  it('takes the excess first: 30.00 of the balance, nothing is due and nothing is paused', async () => {
    const { invoice, payment } = await anExcess();
    assert.equal(await balance(), '30.00');
    await refund(payment, '30');
    assert.equal(await balance(), '0.00');
    const { amount_due, paused, standing } = await stateOf(invoice);
    assert.deepEqual([amount_due, paused, standing], ['0.00', null, ['30.00', '70.00']]);
  });

  it('that was paid out is refused by hand, and nothing is asked', async () => {
    const { payment } = await anExcess();
    await payOut('-10');
    await assert.rejects(refund(payment, '5'), (error) => {
      assert.ok(error instanceof BillingError);
      assert.deepEqual(
        error.details.map(({ reason }) => reason),
        ['invalid_state', 'paid_out'],
      );
      return true;
    });
    assert.equal(stripe().state.all('refund').length, 0);
  });

  it('that was paid out waits where it was made at the provider, until it can be booked', async () => {
    const { payment, charge } = await anExcess();
    await payOut('-10');
    await refunds.post('refund', stripe().refund(charge, '5'));
    await readAll();
    const fault = async () =>
      (await refunds.pool().query('select fault from payment_refunds')).rows[0]!.fault;
    assert.match(await fault(), /paid out/);
    assert.equal((await paymentsOf({ id: payment.invoice_id! })).length, 2);
    await payOut('10');
    await readAll();
    assert.equal(await fault(), null);
    assert.equal(await balance(), '25.00');
  });

  const payOut = (amount: string) =>
    transaction(refunds.pool(), async (db) => {
      const { rows } = await db.query<{ id: string }>('select id from customers');
      return adjustBalance(db, given.LIVE, {
        customer_id: rows[0]!.id,
        amount,
        reason: 'paid out',
        by: 'key_1',
      });
    });

  const aNote = (invoice_id: string, amount: string) =>
    transaction(refunds.pool(), async (db) => {
      const { rows } = await db.query<{ id: string }>('select id from line_items where invoice_id = $1', [
        invoice_id,
      ]);
      const lines = [{ line_item_id: rows[0]!.id, amount }];
      const request = { lines, settle: 'outside', reason: 'late', by: 'key_1' } as const;
      const note = (await issueCreditNote(db, given.LIVE, invoice_id, request))!;
      await refundNote(db, given.LIVE, note, 'key_1');
      return note;
    });

  it('by a credit note of 30.00 is refunded, and nothing else is booked', async () => {
    const { invoice, charge } = await aPaidInvoice();
    await aNote(invoice.id, '30');
    await readAll();
    assert.equal(stripe().cashOf(charge), 7000);
    assert.deepEqual(await stateOf(invoice), {
      status: 'paid',
      amount_due: '0.00',
      paused: null,
      standing: ['100.00'],
    });
    const [payment] = await paymentsOf(invoice);
    assert.equal(payment!.refundable, '70.00');
    await assert.rejects(refund(payment!, '70.01'), /above 70.00/);
  });

  it('by a credit note of an invoice that a bank has paid is not_refundable, and nothing is stored', async () => {
    const { invoice } = await refunds.aChargedInvoice();
    const paid = {
      ...({ amount: null, paid_at: null, reference: null, excess: 'refused' } as const),
      ...{ allow_duplicate: false, by: 'key_1' },
    };
    await transaction(refunds.pool(), (db) => recordPayment(db, given.LIVE, invoice.id, paid));
    await assert.rejects(aNote(invoice.id, '30'), (error) => {
      assert.ok(error instanceof BillingError);
      assert.equal(error.details[0]!.reason, 'not_refundable');
      return true;
    });
    assert.equal((await refunds.pool().query('select from credit_notes')).rowCount, 0);
  });
});
