import assert from 'node:assert/strict';
import { reverse } from '../../src/billing/owed/reverse.ts';
import { transaction } from '../../src/db/connection/pool.ts';
import { eraseTexts } from '../../src/db/invoicing/erased-texts.ts';
import { BillingError } from '../../src/domain/money/errors.ts';
import * as given from '../support/ledger/billing.ts';
import { useRefunds } from '../support/ledger/refunds.ts';

const reasonsOf = (error: unknown) =>
  error instanceof BillingError ? error.details.map(({ reason }) => reason) : [`${error}`];

describe('a refund', () => {
  const refunds = useRefunds();
  const { aPaidInvoice, refund, stateOf, readAll, paymentsOf } = refunds;
  const stripe = () => refunds.stripe();
  const refused = (attempt: Promise<unknown>, ...reasons: string[]) =>
    assert.rejects(attempt, (error) => {
      assert.deepEqual(reasonsOf(error), reasons);
      return true;
    });
  const rows = async () =>
    (
      await refunds
        .pool()
        .query<{ status: string; amount: string; taken_amount: string | null; created_by: string | null }>(
          `select status, amount::text as amount, taken_amount::text as taken_amount, created_by
           from payment_refunds order by id`,
        )
    ).rows;

  it('of 30.00 of 100.00 leaves a payment of 70.00, 30.00 due and the invoice paused', async () => {
    const { invoice, payment, charge } = await aPaidInvoice();
    const after = await refund(payment, '30');
    assert.deepEqual(
      [after!.reversal_reason, after!.refunded, after!.refundable],
      ['goodwill', '30.00', '0.00'],
    );
    assert.deepEqual(await stateOf(invoice), {
      status: 'open',
      amount_due: '30.00',
      paused: 'other',
      standing: ['70.00'],
    });
    const [, rest] = await paymentsOf(invoice);
    assert.deepEqual([rest!.reference, rest!.refundable], [charge, '70.00']);
    assert.equal(stripe().cashOf(charge), 7000);
  });

  it('of the rest makes 100.00 due', async () => {
    const { invoice, payment } = await aPaidInvoice();
    await refund(payment, '30');
    await refund((await paymentsOf(invoice))[1]!, null);
    assert.deepEqual(await stateOf(invoice), {
      status: 'open',
      amount_due: '100.00',
      paused: 'other',
      standing: [],
    });
  });

  it('above what is left, of a reversed payment, and one by hand are refused, and nothing is asked', async () => {
    const { payment } = await aPaidInvoice();
    await refused(refund(payment, '100.01'), 'out_of_range');
    await refused(refund(payment, '1.001'), 'out_of_range');
    await refund(payment, '100');
    await refused(refund(payment, '1'), 'not_refundable');
    assert.equal(stripe().state.all('refund').length, 1);
  });

  it('answer lost: the worker records it, and there is one', async () => {
    const { invoice, payment, charge } = await aPaidInvoice();
    stripe().faultNext(/POST .*refunds$/, 'lose_answer');
    const after = await refund(payment, '30');
    assert.equal(after!.reversed_at, null);
    await refused(refund(payment, '30'), 'charge_in_progress');
    stripe().passTime(2 * 86_400_000);
    await readAll();
    await readAll();
    assert.deepEqual((await stateOf(invoice)).standing, ['70.00']);
    assert.equal(stripe().refundsOf(charge).length, 1);
  });

  it('never asked, as after a kill: the worker asks for it', async () => {
    const { invoice, payment, charge } = await aPaidInvoice();
    stripe().faultNext(/POST .*refunds$/, { status: 500, error: { type: 'api_error', message: 'down' } });
    await refund(payment, '30');
    stripe().passTime(2 * 86_400_000);
    await readAll();
    assert.deepEqual((await stateOf(invoice)).standing, ['70.00']);
    assert.equal(stripe().refundsOf(charge).length, 1);
  });

  it('ten requests at once: one refund', async () => {
    const { payment, charge } = await aPaidInvoice();
    const answers = await Promise.allSettled(Array.from({ length: 10 }, () => refund(payment, '30')));
    const refusals = answers.flatMap((answer) =>
      answer.status === 'rejected' ? reasonsOf(answer.reason) : [],
    );
    assert.ok(
      refusals.every((reason) => ['charge_in_progress', 'not_refundable'].includes(reason)),
      `${refusals}`,
    );
    assert.equal(stripe().refundsOf(charge).length, 1);
  });

  it('with a key that comes again is made once', async () => {
    const { invoice, payment, charge } = await aPaidInvoice();
    await refund(payment, '30', { request_key: 'k' });
    await refund(payment, '30', { request_key: 'k' });
    assert.equal(stripe().refundsOf(charge).length, 1);
    assert.deepEqual((await stateOf(invoice)).standing, ['70.00']);
  });

  it('that is made at the provider is booked once, by its event and by the night', async () => {
    const { invoice, charge } = await aPaidInvoice();
    const id = stripe().refund(charge, '30');
    for (let times = 0; times < 2; times++) await refunds.post('refund', id);
    await readAll();
    await refunds.compare();
    assert.deepEqual(await stateOf(invoice), {
      status: 'open',
      amount_due: '30.00',
      paused: 'other',
      standing: ['70.00'],
    });
    assert.deepEqual(await rows(), [
      { status: 'succeeded', amount: '30.00', taken_amount: '30.00', created_by: null },
    ]);
    assert.deepEqual(refunds.differences, []);
  });

  it('that is made at the provider, whose event is lost, is found at night', async () => {
    const { invoice, charge } = await aPaidInvoice();
    const id = stripe().refund(charge, '30');
    await refunds.compare();
    assert.deepEqual((await stateOf(invoice)).standing, ['70.00']);
    assert.deepEqual(
      refunds.differences.map(({ kind, reference, fault }) => [kind, reference, fault]),
      [['refund', id, null]],
    );
  });

  it('that is made there of a payment that a person has reversed before takes nothing, and pauses nothing', async () => {
    const { invoice, payment, charge } = await aPaidInvoice();
    await transaction(refunds.pool(), async (db) => {
      const { rows } = await db.query<{ id: string }>('select id from customers');
      const reversal = { reason: 'by mistake', at: payment.paid_at, by: 'key_1' };
      await reverse(db, given.LIVE, payment, { customer_id: rows[0]!.id, ...reversal });
    });
    const id = stripe().refund(charge, '100');
    await refunds.post('refund', id);
    await readAll();
    const unpaused = { status: 'open', amount_due: '100.00', paused: null, standing: [] };
    assert.deepEqual(await stateOf(invoice), unpaused);
    stripe().endRefund(id, 'failed');
    await refunds.post('refund', id);
    await readAll();
    assert.deepEqual(await stateOf(invoice), unpaused);
  });

  it('that a restored database has forgotten is recorded in place of a new one', async () => {
    const { invoice, charge } = await aPaidInvoice();
    stripe().refund(charge, '30', { refund_id: 'prf_forgotten' });
    await refund((await paymentsOf(invoice))[0]!, '30');
    assert.deepEqual((await stateOf(invoice)).standing, ['70.00']);
    assert.equal(stripe().refundsOf(charge).length, 1);
  });

  it('that fails is a payment again, and the pause ends', async () => {
    const { invoice, payment, charge } = await aPaidInvoice();
    stripe().refundsAre('pending');
    await refund(payment, '30');
    assert.deepEqual(await rows(), [
      { status: 'pending', amount: '30.00', taken_amount: '30.00', created_by: 'key_1' },
    ]);
    stripe().endRefund(stripe().refundsOf(charge)[0]!.id, 'failed');
    await readAll();
    await readAll();
    assert.deepEqual(await stateOf(invoice), {
      status: 'paid',
      amount_due: '0.00',
      paused: null,
      standing: ['70.00', '30.00'],
    });
    assert.equal(stripe().cashOf(charge), 10000);
  });

  it('that succeeded and fails later is a payment again, after its event', async () => {
    const { invoice, payment, charge } = await aPaidInvoice();
    await refund(payment, '30');
    const { id } = stripe().refundsOf(charge)[0]!;
    stripe().endRefund(id, 'failed');
    await refunds.post('refund', id);
    await readAll();
    assert.equal((await stateOf(invoice)).amount_due, '0.00');
  });

  it('keeps no words after an erasure, and a later one at the provider is booked still', async () => {
    const { invoice, payment, charge } = await aPaidInvoice();
    await refund(payment, '30');
    await transaction(refunds.pool(), async (db) => {
      const { rows } = await db.query<{ id: string }>('select id from customers');
      await eraseTexts(db, given.LIVE, rows[0]!.id);
    });
    const { rows: words } = await refunds.pool().query('select reason from payment_refunds');
    assert.deepEqual(words, [{ reason: null }]);
    assert.deepEqual(
      (await paymentsOf(invoice)).map(({ reference, reversal_reason }) => [reference, reversal_reason]),
      [
        [charge, null],
        [charge, null],
      ],
    );
    await refunds.post('refund', stripe().refund(charge, '20'));
    await readAll();
    assert.deepEqual((await stateOf(invoice)).standing, ['50.00']);
  });

  it('that the provider refuses has failed, and books nothing', async () => {
    const { invoice, payment } = await aPaidInvoice();
    const error = { type: 'invalid_request_error', code: 'charge_disputed', message: 'charged back' };
    stripe().faultNext(/POST .*refunds$/, { status: 400, error });
    await refused(refund(payment, '30'), 'not_refundable');
    assert.deepEqual((await stateOf(invoice)).standing, ['100.00']);
    assert.equal((await rows())[0]!.status, 'failed');
    await refund(payment, '30');
    assert.deepEqual((await stateOf(invoice)).standing, ['70.00']);
  });
});
