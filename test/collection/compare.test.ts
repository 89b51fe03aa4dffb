import assert from 'node:assert/strict';
import { voidInvoice } from '../../src/billing/owed/void.ts';
import { transaction } from '../../src/db/connection/pool.ts';
import * as given from '../support/ledger/billing.ts';
import { useRefunds } from '../support/ledger/refunds.ts';
import type { IntentAt } from '../support/servers/stripe-objects.ts';

describe('the comparison of a night with the provider', () => {
  const refunds = useRefunds();
  const stripe = () => refunds.stripe();
  const kinds = () => refunds.differences.map(({ kind, fault }) => [kind, fault]);

  /** Deletes what a restore of the database forgets: the charge, its attempt and its payment. */
  const forget = () =>
    refunds.pool().query(`
      delete from payment_attempts; delete from collections; delete from payments;
      update invoices set status = 'open', amount_paid = 0, paid_at = null, payment_reference = null`);

  it('finds nothing where all is booked', async () => {
    const { charge } = await refunds.aPaidInvoice();
    stripe().age(charge, 5);
    await refunds.compare();
    assert.deepEqual(kinds(), []);
  });

  it('books a charge that a restored database has forgotten, once, and its refund', async () => {
    const { invoice, charge } = await refunds.aPaidInvoice();
    stripe().age(charge, 5);
    stripe().refund(charge, '30');
    await forget();
    await refunds.compare();
    await refunds.compare();
    assert.deepEqual(kinds(), [
      ['charge', null],
      ['refund', null],
    ]);
    const { status, amount_due, standing } = await refunds.stateOf(invoice);
    assert.deepEqual([status, amount_due, standing], ['open', '30.00', ['70.00']]);
  });

  it('leaves a young charge to its attempt', async () => {
    const { invoice } = await refunds.aPaidInvoice();
    await forget();
    await refunds.compare();
    assert.deepEqual([kinds(), (await refunds.stateOf(invoice)).status], [[], 'open']);
  });

  it('of which the next attempt makes no second payment', async () => {
    const { invoice, charge } = await refunds.aPaidInvoice();
    stripe().age(charge, 5);
    await forget();
    await refunds.compare();
    await refunds.refund((await refunds.paymentsOf(invoice))[0]!, '100');
    await refunds.pool().query('update invoices set collection_pause = null');
    await refunds.charge(invoice);
    assert.deepEqual((await refunds.stateOf(invoice)).standing, ['100.00']);
    assert.equal(stripe().chargesOf(invoice.id).length, 2);
  });

  it('ends the attempt of a charge that nobody has read', async () => {
    const { invoice } = await refunds.aChargedInvoice('processing');
    await refunds.charge(invoice);
    const charge = (await refunds.attempts())[0]!.provider_reference!;
    stripe().finish(charge, 'succeeds');
    stripe().age(charge, 5);
    await refunds.compare();
    assert.deepEqual([kinds(), (await refunds.stateOf(invoice)).status], [[['charge', null]], 'paid']);
    assert.equal((await refunds.attempts())[0]!.status, 'succeeded');
  });

  it('puts the charge of a void invoice on the balance', async () => {
    const { invoice, charge } = await refunds.aPaidInvoice();
    stripe().age(charge, 5);
    await forget();
    await transaction(refunds.pool(), (db) => voidInvoice(db, given.LIVE, invoice.id, 'wrong'));
    await refunds.compare();
    const { rows } = await refunds.pool().query('select balance::text as balance from customers');
    assert.deepEqual(rows, [{ balance: '100.00' }]);
  });

  it('says of which invoice it cannot book a charge', async () => {
    const { charge } = await refunds.aPaidInvoice();
    stripe().age(charge, 5);
    const { metadata } = stripe().state.get('payment_intent', charge);
    const strange = stripe().state.add<IntentAt>(
      { ...stripe().state.get('payment_intent', charge), metadata: { ...metadata, invoice_id: 'inv_gone' } },
      'pi',
    );
    stripe().age(strange.id, 5);
    await refunds.compare();
    assert.deepEqual(kinds(), [['charge', 'its invoice inv_gone does not exist here']]);
  });

  it('reads all pages, and what is older than three days never', async () => {
    const { charge } = await refunds.aPaidInvoice();
    const one = stripe().state.get('payment_intent', charge);
    for (let made = 0; made < 250; made++)
      stripe().state.add<IntentAt>({ ...one, metadata: {}, status: 'canceled' }, 'pi');
    const old = stripe().refund(charge, '10');
    stripe().age(old, 100);
    await refunds.compare();
    assert.deepEqual(kinds(), []);
    stripe().age(old, 50);
    await refunds.compare();
    assert.deepEqual(kinds(), [['refund', null]]);
    assert.ok(stripe().asked.filter(({ path }) => path === '/v1/payment_intents').length >= 6);
  });
});
