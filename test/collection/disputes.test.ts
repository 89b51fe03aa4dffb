import assert from 'node:assert/strict';
import { voidInvoice } from '../../src/billing/owed/void.ts';
import { transaction } from '../../src/db/connection/pool.ts';
import * as given from '../support/ledger/billing.ts';
import { useRefunds } from '../support/ledger/refunds.ts';

describe('a dispute', () => {
  const refunds = useRefunds();
  const { aPaidInvoice, refund, stateOf, readAll } = refunds;
  const stripe = () => refunds.stripe();
  const OPEN = { status: 'open', amount_due: '100.00', paused: 'disputed', standing: [] };
  const PAID = { status: 'paid', amount_due: '0.00', paused: null, standing: ['100.00'] };

  const aDispute = async (charge: string, status: Parameters<ReturnType<typeof stripe>['dispute']>[1]) => {
    const id = stripe().dispute(charge, status, '100');
    await refunds.post('dispute', id);
    await readAll();
    return id;
  };

  it('that opens reverses the payment and pauses; won, it is paid again', async () => {
    const { invoice, charge } = await aPaidInvoice();
    const id = await aDispute(charge, 'needs_response');
    assert.deepEqual(await stateOf(invoice), OPEN);
    assert.equal(stripe().cashOf(charge), 0);
    stripe().moveDispute(id, 'won');
    await readAll();
    assert.deepEqual(await stateOf(invoice), PAID);
  });

  it('that is lost stays reversed and paused', async () => {
    const { invoice, charge } = await aPaidInvoice();
    const id = await aDispute(charge, 'under_review');
    stripe().moveDispute(id, 'lost');
    await readAll();
    assert.deepEqual(await stateOf(invoice), OPEN);
  });

  it('that is an inquiry of a paid invoice changes nothing, until it opens', async () => {
    const { invoice, charge } = await aPaidInvoice();
    const id = await aDispute(charge, 'warning_needs_response');
    assert.deepEqual(await stateOf(invoice), PAID);
    await assert.rejects(refund((await refunds.paymentsOf(invoice))[0]!, '1'), /is disputed/);
    stripe().moveDispute(id, 'needs_response');
    await readAll();
    assert.deepEqual(await stateOf(invoice), OPEN);
  });

  it('that is an inquiry of an open invoice pauses it, until it is closed', async () => {
    const { invoice, payment, charge } = await aPaidInvoice();
    await refund(payment, '40');
    await refunds.pool().query('update invoices set collection_pause = null');
    const id = await aDispute(charge, 'warning_needs_response');
    assert.equal((await stateOf(invoice)).paused, 'disputed');
    stripe().endRefund(stripe().refundsOf(charge)[0]!.id, 'failed');
    await refunds.post('refund', stripe().refundsOf(charge)[0]!.id);
    await readAll();
    stripe().moveDispute(id, 'warning_closed');
    await readAll();
    assert.deepEqual((await stateOf(invoice)).paused, null);
  });

  it('after a refund of 30.00 takes the rest; won, 70.00 are paid and the invoice stays paused', async () => {
    const { invoice, payment, charge } = await aPaidInvoice();
    await refund(payment, '30');
    const id = await aDispute(charge, 'needs_response');
    assert.deepEqual(await stateOf(invoice), { ...OPEN, paused: 'other' });
    stripe().moveDispute(id, 'won');
    await readAll();
    assert.deepEqual(await stateOf(invoice), {
      status: 'open',
      amount_due: '30.00',
      paused: 'other',
      standing: ['70.00'],
    });
  });

  it('of a part reverses the whole, and pays the rest again', async () => {
    const { invoice, charge } = await aPaidInvoice();
    stripe().dispute(charge, 'needs_response', '25');
    await refunds.compare();
    assert.deepEqual(await stateOf(invoice), {
      status: 'open',
      amount_due: '25.00',
      paused: 'disputed',
      standing: ['75.00'],
    });
    assert.deepEqual(
      refunds.differences.map(({ kind }) => kind),
      ['dispute'],
    );
  });

  it('events in any order, twice or lost do no harm: what the provider says last is booked', async () => {
    const { invoice, charge } = await aPaidInvoice();
    const id = stripe().dispute(charge, 'needs_response', '100');
    stripe().moveDispute(id, 'won');
    for (let times = 0; times < 3; times++) await refunds.post('dispute', id);
    await readAll();
    assert.deepEqual(await stateOf(invoice), PAID);
    await refunds.compare();
    assert.deepEqual(refunds.differences, []);
  });

  it('won although the invoice is void meanwhile goes to the balance', async () => {
    const { invoice, charge } = await aPaidInvoice();
    const id = await aDispute(charge, 'needs_response');
    await transaction(refunds.pool(), (db) => voidInvoice(db, given.LIVE, invoice.id, 'wrong'));
    stripe().moveDispute(id, 'won');
    await readAll();
    const { rows } = await refunds.pool().query('select balance::text as balance from customers');
    assert.deepEqual(rows, [{ balance: '100.00' }]);
  });
});
