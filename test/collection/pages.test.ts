import assert from 'node:assert/strict';
import { recordPayment } from '../../src/billing/owed/pay.ts';
import { voidInvoice } from '../../src/billing/owed/void.ts';
import { collectionsConsumer } from '../../src/collection/consumer.ts';
import type { PaymentProvider } from '../../src/collection/provider.ts';
import { consumeAll } from '../../src/db/changes/consume.ts';
import { transaction } from '../../src/db/connection/pool.ts';
import { findInvoice } from '../../src/db/invoicing/invoices.ts';
import type { Invoice } from '../../src/objects/invoice.ts';
import * as given from '../support/ledger/billing.ts';
import { useCharges } from '../support/ledger/charges.ts';
import { pagesOn } from '../support/ledger/payment-pages.ts';

/** billing.md 22. */
describe('a page on which an invoice is paid', () => {
  const charges = useCharges();
  const { aChargedInvoice, attempts, begin, collect, pool, stripe } = charges;
  const { ask, charge, close, opened, payments, read, rows, urlOf } = pagesOn(charges);

  const pay = (invoice: Invoice, amount: string) =>
    transaction(pool(), (db) =>
      recordPayment(db, given.LIVE, invoice.id, {
        ...{
          amount,
          paid_at: null,
          reference: 'bank',
          excess: 'refused',
          allow_duplicate: true,
          by: 'key_1',
        },
      }),
    );
  const makeVoid = (invoice: Invoice) =>
    transaction(pool(), (db) => voidInvoice(db, given.LIVE, invoice.id, null));
  const statuses = async () => (await rows()).map(({ status, amount }) => `${status} ${amount}`);
  const stateOf = async ({ id }: Invoice) => {
    const { status, amount_due } = (await findInvoice(pool(), given.LIVE, id))!;
    return `${status} ${amount_due}`;
  };
  const booked = async () =>
    (await payments()).map(({ invoice_id, amount, to_balance }) => [invoice_id !== null, amount, to_balance]);
  /** Pages that changes of their invoices concern become due. */
  const readLog = () =>
    consumeAll(
      pool(),
      collectionsConsumer(async (invoices) => invoices.length),
    );
  const due = async () =>
    (await pool().query('select from payment_pages where next_read_at <= now()')).rowCount;

  it('that is paid becomes one payment, however often it is read', async () => {
    const { invoice } = await aChargedInvoice();
    await ask(invoice);
    stripe().payPage(await urlOf(invoice));
    await Promise.all([read(invoice), read(invoice), read(invoice)]);
    assert.deepEqual(await booked(), [[true, '100.00', '0.00']]);
    assert.deepEqual([await statuses(), await stateOf(invoice)], [['complete 100.00'], 'paid 0.00']);
    const [page] = await rows();
    const intent = stripe().state.all('payment_intent')[0]!;
    assert.deepEqual(intent.metadata, { invoice_id: invoice.id, payment_session_id: page!.id });
  });

  it('is one for two requests at once, and the same one again while it fits', async () => {
    const { invoice } = await aChargedInvoice();
    const [first, second] = await Promise.all([ask(invoice), ask(invoice)]);
    assert.equal(first, second);
    assert.equal(await ask(invoice), first);
    assert.equal(stripe().state.all('checkout.session').length, 1);
  });

  it('of another amount, or that saves a method, is closed before another is made', async () => {
    const { invoice } = await aChargedInvoice();
    const first = await ask(invoice);
    const url = await urlOf(invoice);
    await pay(invoice, '30.00');
    const second = await ask(invoice);
    assert.notEqual(second, first);
    assert.throws(() => stripe().payPage(url), /is expired/);
    await ask(invoice, { saves_method: true });
    assert.deepEqual(await statuses(), ['expired 100.00', 'expired 70.00', 'open 70.00']);
  });

  it('that is asked for with another wish after it was paid is recorded, and none is made', async () => {
    const { invoice } = await aChargedInvoice();
    await ask(invoice);
    stripe().payPage(await urlOf(invoice));
    await assert.rejects(ask(invoice, { saves_method: true }), { message: /is paid/ });
    assert.deepEqual(await booked(), [[true, '100.00', '0.00']]);
  });

  it('is closed before a charge; one that was paid is recorded, and nothing is charged', async () => {
    const { invoice } = await aChargedInvoice();
    await ask(invoice);
    const url = await urlOf(invoice);
    await charge(invoice);
    assert.throws(() => stripe().payPage(url), /is expired/);
    assert.deepEqual(
      (await attempts()).map(({ status }) => status),
      ['succeeded'],
    );
    const other = await aChargedInvoice();
    await ask(other.invoice);
    stripe().payPage(await urlOf(other.invoice));
    await assert.rejects(charge(other.invoice), { message: /is paid/ });
    assert.equal(stripe().chargesOf(other.invoice.id).length, 1);
  });

  it('that came after the others were closed keeps a charge from beginning', async () => {
    const { invoice } = await aChargedInvoice();
    await close(invoice);
    await ask(invoice);
    await assert.rejects(begin(invoice), { message: /a page .* is open/ });
    assert.deepEqual(await attempts(), []);
  });

  it('whose row ends while it is made has no address that anybody gets', async () => {
    const { invoice } = await aChargedInvoice();
    const real = await opened();
    const createPaymentPage: PaymentProvider['createPaymentPage'] = async (page) => {
      const made = await real.provider.createPaymentPage(page);
      await charge(invoice);
      return made;
    };
    const of = { ...real, provider: { ...real.provider, createPaymentPage } };
    await assert.rejects(ask(invoice, { of }), { message: /is paid/ });
    assert.deepEqual(
      (await rows()).map(({ status, url }) => [status, url]),
      [['expired', null]],
    );
    assert.equal(stripe().chargesOf(invoice.id).length, 1);
  });

  it('is not made during an attempt', async () => {
    const { invoice } = await aChargedInvoice('processing');
    await charge(invoice);
    await assert.rejects(ask(invoice), { message: /is under way/ });
    assert.deepEqual(await rows(), []);
  });

  it('that was paid by a debit of days waits for it, and nothing else begins', async () => {
    const { invoice } = await aChargedInvoice();
    await ask(invoice);
    const intent = stripe().payPage(await urlOf(invoice), 'processing');
    await assert.rejects(charge(invoice), { message: /is under way/ });
    await assert.rejects(ask(invoice), { message: /is under way/ });
    await read(invoice);
    assert.deepEqual([await statuses(), await booked()], [['open 100.00'], []]);
    stripe().finish(intent, 'succeeds');
    await read(invoice);
    assert.deepEqual([await statuses(), await booked()], [['complete 100.00'], [[true, '100.00', '0.00']]]);
  });

  it('whose debit fails is expired, and the invoice can be charged', async () => {
    const { invoice } = await aChargedInvoice();
    await ask(invoice);
    const intent = stripe().payPage(await urlOf(invoice), 'processing');
    await read(invoice);
    stripe().finish(intent, { declined: 'insufficient_funds' });
    await charge(invoice);
    assert.deepEqual([await statuses(), await booked()], [['expired 100.00'], []]);
    assert.deepEqual(
      (await attempts()).map(({ status }) => status),
      ['succeeded'],
    );
  });

  it('on which a card is declined stays open, and takes another one', async () => {
    const { invoice } = await aChargedInvoice();
    await ask(invoice);
    stripe().payPage(await urlOf(invoice), { declined: 'insufficient_funds' });
    await read(invoice);
    assert.deepEqual(await statuses(), ['open 100.00']);
    stripe().payPage(await urlOf(invoice));
    await read(invoice);
    assert.deepEqual(
      [await booked(), stripe().chargesOf(invoice.id).length],
      [[[true, '100.00', '0.00']], 1],
    );
  });

  it('saves the method, if it is to', async () => {
    const { invoice, customer } = await aChargedInvoice();
    await ask(invoice, { saves_method: true });
    stripe().payPage(await urlOf(invoice), 'succeeds', { last4: '1881' });
    await read(invoice);
    const { rows: methods } = await pool().query(
      'select label, is_default from payment_methods where customer_id = $1 order by id',
      [customer.id],
    );
    assert.deepEqual(methods.at(-1), { label: 'Visa 1881', is_default: false });
  });

  for (const [what, change, end] of [
    ['paid in part', (invoice: Invoice) => pay(invoice, '30.00'), 'open 70.00'],
    ['paid', (invoice: Invoice) => pay(invoice, '100.00'), 'paid 0.00'],
    ['void', makeVoid, 'void 0.00'],
  ] as const)
    it(`whose invoice is ${what} is closed as soon as the log says so`, async () => {
      const { invoice } = await aChargedInvoice();
      await ask(invoice);
      const url = await urlOf(invoice);
      await change(invoice);
      assert.equal(await due(), 0);
      await readLog();
      assert.equal(await due(), 1);
      await read(invoice);
      assert.throws(() => stripe().payPage(url), /is expired/);
      assert.deepEqual([await statuses(), await stateOf(invoice)], [['expired 100.00'], end]);
    });

  for (const [what, change, expected] of [
    ['30.00 are paid', (invoice: Invoice) => pay(invoice, '30.00'), [true, '100.00', '30.00']],
    ['all is paid', (invoice: Invoice) => pay(invoice, '100.00'), [true, '100.00', '100.00']],
    ['it is void', makeVoid, [false, '100.00', '100.00']],
  ] as const)
    it(`that is paid although ${what}: the rest goes to the balance`, async () => {
      const { invoice } = await aChargedInvoice();
      await ask(invoice);
      const url = await urlOf(invoice);
      await change(invoice);
      stripe().payPage(url);
      await read(invoice);
      assert.deepEqual(await booked(), [expected]);
    });

  it('whose charge something else has recorded has that payment', async () => {
    const { invoice } = await aChargedInvoice();
    await ask(invoice);
    const reference = stripe().payPage(await urlOf(invoice));
    const payment_id = await transaction(pool(), (db) =>
      recordPayment(db, given.LIVE, invoice.id, {
        ...{
          amount: '100.00',
          paid_at: null,
          reference,
          excess: 'balance',
          allow_duplicate: true,
          by: 'pp_acme',
        },
      }),
    );
    await read(invoice);
    assert.deepEqual(
      (await rows()).map((row) => [row.status, row.payment_id]),
      [['complete', payment_id]],
    );
    assert.deepEqual(await payments(), []);
  });

  it('whose payment is reversed is no charge of the next attempt, which charges', async () => {
    const { invoice } = await aChargedInvoice();
    await ask(invoice);
    stripe().payPage(await urlOf(invoice));
    await read(invoice);
    await transaction(pool(), async (db) => {
      await db.query(
        `update payments set reversed_at = now(), reversal_reason = 'lost', reversed_by = 'key_1'`,
      );
      await db.query(`update invoices set status = 'open', amount_paid = 0, paid_at = null where id = $1`, [
        invoice.id,
      ]);
    });
    await charge(invoice);
    const [first, second] = stripe().chargesOf(invoice.id);
    assert.notEqual(second?.intent, first!.intent);
    assert.deepEqual(
      (await attempts()).map(({ provider_reference }) => provider_reference),
      [second!.intent],
    );
  });

  it('of a restored database is recorded by the next charge, which charges nothing', async () => {
    const { invoice } = await aChargedInvoice();
    await ask(invoice);
    stripe().payPage(await urlOf(invoice));
    await pool().query('delete from payment_pages');
    await charge(invoice);
    assert.equal(stripe().chargesOf(invoice.id).length, 1);
    assert.deepEqual(
      (await charges.payments()).map(({ amount }) => amount),
      ['100.00'],
    );
    await collect(invoice);
  });
});
