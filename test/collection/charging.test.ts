import assert from 'node:assert/strict';
import { BillingError } from '../../src/domain/money/errors.ts';
import { useCharges } from '../support/ledger/charges.ts';
import * as given from '../support/ledger/billing.ts';
import { findInvoice } from '../../src/db/invoicing/invoices.ts';

describe('a charge of an invoice', () => {
  const charges = useCharges();
  const { aChargedInvoice, begin, charge, collect, attempts, payments } = charges;
  const stripe = () => charges.stripe();

  const statusOf = async (id: string) => (await findInvoice(charges.pool(), given.LIVE, id))!.status;
  const reasonOf = (error: unknown) =>
    error instanceof BillingError ? [error.code, error.details[0]?.reason] : [`${error}`];

  it('that succeeds pays the invoice, by the intent and the attempt', async () => {
    const { invoice } = await aChargedInvoice();
    assert.equal((await charge(invoice)).state, 'idle');
    const [attempt] = await attempts();
    assert.deepEqual([attempt!.status, attempt!.amount], ['succeeded', '100.00']);
    assert.deepEqual(await payments(), [
      {
        invoice_id: invoice.id,
        amount: '100.00',
        to_balance: '0.00',
        reference: attempt!.provider_reference,
      },
    ]);
    assert.equal(await statusOf(invoice.id), 'paid');
    assert.deepEqual(charges.outcomes, ['succeeded']);
    assert.deepEqual(stripe().chargesOf(invoice.id).length, 1);
  });

  it('ten requests at once: one row, nine times charge_in_progress', async () => {
    const { invoice } = await aChargedInvoice();
    const answers = await Promise.allSettled(Array.from({ length: 10 }, () => begin(invoice)));
    const refused = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason] : []));
    assert.deepEqual(refused.map(reasonOf), Array(9).fill(['conflict', 'charge_in_progress']));
    await Promise.all([collect(invoice), collect(invoice), collect(invoice)]);
    assert.deepEqual(
      (await attempts()).map(({ status }) => status),
      ['succeeded'],
    );
    assert.equal((await payments()).length, 1);
    assert.equal(stripe().chargesOf(invoice.id).length, 1);
  });

  for (const [request, path] of [
    ['prepare', /POST .*payment_intents$/],
    ['confirm', /POST .*confirm$/],
    ['read', /GET .*payment_intents$/],
  ] as const)
    it(`answer lost of ${request}: goes on by what the provider knows`, async () => {
      const { invoice } = await aChargedInvoice();
      stripe().faultNext(path, 'lose_answer');
      assert.equal((await charge(invoice)).state, 'waits_for_provider');
      assert.equal((await collect(invoice)).state, 'idle');
      assert.deepEqual(
        (await attempts()).map(({ status }) => status),
        ['succeeded'],
      );
      assert.equal(stripe().chargesOf(invoice.id).length, 1);
      assert.equal((await payments()).length, 1);
    });

  it('answer lost for more than a day, after which the key is dropped: no second intent', async () => {
    const { invoice } = await aChargedInvoice();
    stripe().faultNext(/POST .*payment_intents$/, 'lose_answer');
    await charge(invoice);
    stripe().passTime(2 * 86_400_000);
    await collect(invoice);
    assert.equal(stripe().state.all('payment_intent').length, 1);
    assert.equal(stripe().chargesOf(invoice.id).length, 1);
  });

  it('restored database: the old intent is recorded, nothing is charged', async () => {
    const { invoice } = await aChargedInvoice();
    await charge(invoice);
    const [before] = await attempts();
    await charges.pool().query(`
      delete from payment_attempts; delete from collections; delete from payments;
      update invoices set status = 'open', amount_paid = 0, paid_at = null, payment_reference = null`);
    await charge(invoice);
    const [after] = await attempts();
    assert.notEqual(after!.id, before!.id);
    assert.equal(after!.provider_reference, before!.provider_reference);
    assert.equal(stripe().chargesOf(invoice.id).length, 1);
    assert.equal(await statusOf(invoice.id), 'paid');
  });

  it('restored database: an intent that was only prepared is canceled, and another one charges', async () => {
    const { invoice } = await aChargedInvoice();
    stripe().faultNext(/confirm$/, { status: 500, error: { type: 'api_error', message: 'down' } });
    await charge(invoice);
    await charges.pool().query('delete from payment_attempts; delete from collections');
    await charge(invoice);
    const intents = stripe().state.all('payment_intent');
    assert.deepEqual(intents.map(({ status }) => status).toSorted(), ['canceled', 'succeeded']);
    assert.equal(stripe().chargesOf(invoice.id).length, 1);
  });

  it('declined: says why, its intent is canceled, and the next one may follow', async () => {
    const { invoice, method_reference } = await aChargedInvoice({ declined: 'insufficient_funds' });
    await charge(invoice);
    assert.equal(await statusOf(invoice.id), 'open');
    assert.deepEqual(
      stripe()
        .state.all('payment_intent')
        .map(({ status }) => status),
      ['canceled'],
    );
    stripe().behave(method_reference, 'succeeds');
    await charge(invoice);
    assert.deepEqual(
      (await attempts()).map(({ status, decline_code }) => [status, decline_code]),
      [
        ['declined', 'insufficient_funds'],
        ['succeeded', null],
      ],
    );
    assert.deepEqual(charges.outcomes, ['declined', 'succeeded']);
  });

  it('declined as stolen: the method is failing, and no more is charged with it', async () => {
    const { invoice, method_id } = await aChargedInvoice({ declined: 'stolen_card' });
    await charge(invoice);
    const { rows } = await charges
      .pool()
      .query('select status from payment_methods where id = $1', [method_id]);
    assert.deepEqual(rows, [{ status: 'failing' }]);
    await assert.rejects(begin(invoice), (error) => reasonOf(error)[1] === 'no_payment_method');
    await assert.rejects(begin(invoice, method_id), (error) => reasonOf(error)[1] === 'no_payment_method');
  });

  it('3-D Secure: ends as action_required, and its intent cannot charge any more', async () => {
    const { invoice } = await aChargedInvoice('authentication_required');
    await charge(invoice);
    assert.deepEqual(
      (await attempts()).map(({ status }) => status),
      ['action_required'],
    );
    assert.deepEqual(
      stripe()
        .state.all('payment_intent')
        .map(({ status }) => status),
      ['canceled'],
    );
  });

  it('debit of days: processing, no other attempt, and the payment once it has succeeded', async () => {
    const { invoice } = await aChargedInvoice('processing');
    assert.equal((await charge(invoice)).state, 'processing');
    await assert.rejects(begin(invoice), (error) => reasonOf(error)[1] === 'charge_in_progress');
    const [attempt] = await attempts();
    assert.equal(attempt!.status, 'processing');
    stripe().finish(attempt!.provider_reference!, 'succeeds');
    assert.equal((await collect(invoice)).state, 'idle');
    assert.equal(await statusOf(invoice.id), 'paid');
  });

  it('debit of days that comes back: declined', async () => {
    const { invoice } = await aChargedInvoice('processing');
    await charge(invoice);
    const [attempt] = await attempts();
    stripe().finish(attempt!.provider_reference!, { declined: 'insufficient_funds' });
    await collect(invoice);
    assert.deepEqual(
      (await attempts()).map(({ status }) => status),
      ['declined'],
    );
    assert.equal(await statusOf(invoice.id), 'open');
  });

  it('down a while: waits, no attempt is counted, and the provider is failing until it answers', async () => {
    const { invoice } = await aChargedInvoice();
    const provider = async () =>
      (await charges.pool().query('select status, status_reason is null as is_well from payment_providers'))
        .rows[0];
    stripe().down();
    assert.equal((await charge(invoice)).state, 'waits_for_provider');
    assert.equal((await collect(invoice)).state, 'waits_for_provider');
    assert.deepEqual(await provider(), { status: 'failing', is_well: false });
    stripe().up();
    assert.equal((await collect(invoice)).state, 'idle');
    assert.deepEqual(await provider(), { status: 'active', is_well: true });
    assert.equal((await attempts()).length, 1);
  });

  it('key refused: waits as if the provider were down', async () => {
    const { invoice } = await aChargedInvoice();
    await begin(invoice);
    const { rows } = await charges.pool().query('select status from payment_attempts');
    assert.deepEqual(rows, [{ status: 'pending' }]);
    stripe().faultNext(/GET/, {
      status: 401,
      error: { type: 'invalid_request_error', message: 'Invalid key' },
    });
    assert.equal((await collect(invoice)).state, 'waits_for_provider');
    assert.equal((await collect(invoice)).state, 'idle');
    assert.equal(stripe().chargesOf(invoice.id).length, 1);
  });

  it('method removed at the provider: declined, with the provider’s word', async () => {
    const { invoice, method_reference } = await aChargedInvoice();
    stripe().removeMethod(method_reference);
    await charge(invoice);
    assert.deepEqual(
      (await attempts()).map(({ status }) => status),
      ['declined'],
    );
    assert.equal(stripe().chargesOf(invoice.id).length, 0);
  });

  it('method removed here before it is confirmed: canceled', async () => {
    const { invoice, method_id } = await aChargedInvoice();
    await begin(invoice);
    await charges
      .pool()
      .query(`update payment_methods set status = 'removed', is_default = false where id = $1`, [method_id]);
    await collect(invoice);
    assert.deepEqual(
      (await attempts()).map(({ status }) => status),
      ['canceled'],
    );
    await assert.rejects(begin(invoice, method_id), (error) => reasonOf(error)[1] === 'no_payment_method');
  });

  for (const [currency, amount] of [
    ['KWD', '1.234'],
    ['GBP', '0.20'],
  ] as const)
    it(`of ${amount} ${currency} is not_chargeable`, async () => {
      const { invoice } = await aChargedInvoice('succeeds', { amount, currency });
      await assert.rejects(begin(invoice), (error) => reasonOf(error)[1] === 'not_chargeable');
    });

  it('of 0.00, and of one that is paid: invalid_state', async () => {
    const nothing = await aChargedInvoice('succeeds', { amount: '0' });
    await assert.rejects(begin(nothing.invoice), (error) => reasonOf(error)[1] === 'invalid_state');
    const { invoice } = await aChargedInvoice();
    await charge(invoice);
    await assert.rejects(begin(invoice), (error) => reasonOf(error)[1] === 'invalid_state');
  });

  for (const [currency, amount, minor] of [
    ['JPY', '1200', 1200],
    ['EUR', '12.00', 1200],
    ['KWD', '1.230', 1230],
  ] as const)
    it(`charges ${amount} ${currency} as ${minor}`, async () => {
      const { invoice } = await aChargedInvoice('succeeds', { amount, currency });
      await charge(invoice);
      const [taken] = stripe().chargesOf(invoice.id);
      assert.deepEqual([taken!.amount, taken!.currency], [minor, currency.toLowerCase()]);
      assert.equal((await payments())[0]!.amount, amount);
    });
});
