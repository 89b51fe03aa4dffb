import assert from 'node:assert/strict';
import type { Invoice } from '../../../src/objects/invoice.ts';
import { startApi, type Json, type TestApi } from '../../support/servers/api.ts';
import { payersOn } from '../../support/ledger/emails.ts';
import { assertRefused } from '../../support/ledger/refused.ts';

describe('emails by hand', function () {
  let api: TestApi;
  before(async () => {
    api = await startApi();
  });
  after(() => api.close());
  const { post, get, patch, done, anInvoice, aDraft, rows } = payersOn(() => api);

  const sendInvoice = (invoice: Invoice, body: object = {}) => post(`/v1/invoices/${invoice.id}/send`, body);
  const pay = async (invoice: Invoice): Promise<Json> =>
    done(await post(`/v1/invoices/${invoice.id}/payments`, { amount: '1.00' }));
  const credit = async (invoice: Invoice): Promise<Json> =>
    done(await post(`/v1/invoices/${invoice.id}/credit-notes`, { lines: 'all', reason: 'Mistake' }));

  it('send an invoice to the addresses of its customer, also of one that is muted', async () => {
    const billing_emails = ['ap@acme.com', 'cfo@acme.com'];
    const invoice = await anInvoice({
      email: 'ada@acme.com',
      billing_emails,
      email_muted: true,
      language: 'de',
    });
    const sent = await sendInvoice(invoice);
    assert.equal(sent.status, 201);
    const { body } = sent;
    assert.equal(sent.headers.get('location'), `/v1/emails/${body.id}`);
    assert.match(body.id, /^eml_/);
    assert.deepEqual(
      body.to,
      billing_emails.map((address) => ({ address, status: 'queued', response: null })),
    );
    assert.deepEqual(
      [
        body.object,
        body.livemode,
        body.kind,
        body.object_id,
        body.invoice_ids,
        body.customer_id,
        body.language,
      ],
      ['email', true, 'invoice', invoice.id, [invoice.id], invoice.customer_id, 'de'],
    );
    assert.deepEqual(
      [body.status, body.status_reason, body.attempts, body.sent_at, body.resend_of],
      ['queued', null, 0, null, null],
    );
    assert.match(body.created_by, /^key_/);
    assert.equal(body.send_at, body.next_attempt_at);
    assert.deepEqual((await get(`/v1/emails/${body.id}`)).body, body);
  });

  it('go to other addresses that are named, and a further one is an email of its own', async () => {
    const invoice = await anInvoice();
    const first = done(await sendInvoice(invoice));
    const second = done(await sendInvoice(invoice, { to: ['eva@other.com'] }));
    assert.deepEqual(first.to, [{ address: 'ada@acme.com', status: 'queued', response: null }]);
    assert.deepEqual(second.to, [{ address: 'eva@other.com', status: 'queued', response: null }]);
    const reasons = (await rows())
      .filter(({ object_id }) => object_id === invoice.id)
      .map(({ reason }) => reason);
    assert.deepEqual(reasons, [`invoice.${invoice.id}`, `invoice.${invoice.id}.2`]);
  });

  it('send a request with an Idempotency-Key once', async () => {
    const invoice = await anInvoice();
    const send = () =>
      api.post(
        `/v1/invoices/${invoice.id}/send`,
        {},
        {
          key: api.live_key,
          headers: { 'Idempotency-Key': `send-${invoice.id}` },
        },
      );
    const [first, second] = [await send(), await send()];
    assert.deepEqual(second.body, first.body);
    assert.equal((await rows()).filter(({ object_id }) => object_id === invoice.id).length, 1);
  });

  it('send a credit note and the receipt of a payment, which the invoice finds', async () => {
    const invoice = await anInvoice();
    const payment = await pay(invoice);
    const note = await credit(invoice);
    const receipt = done(await post(`/v1/payments/${payment.id}/send`));
    const of_note = done(await post(`/v1/credit-notes/${note.id}/send`));
    assert.deepEqual([receipt.kind, receipt.object_id], ['receipt', payment.id]);
    assert.deepEqual([of_note.kind, of_note.object_id], ['credit_note', note.id]);
    for (const { invoice_ids } of [receipt, of_note]) assert.deepEqual(invoice_ids, [invoice.id]);
    const { data } = (await get(`/v1/emails?invoice_id=${invoice.id}`)).body;
    assert.deepEqual(data, [of_note, receipt]);
  });

  it('send the receipt of a payment in advance, which has no invoice', async () => {
    const { customer_id } = await anInvoice();
    const payment = done(await post(`/v1/customers/${customer_id}/payments`, { amount: '5.00' }));
    assert.deepEqual(done(await post(`/v1/payments/${payment.id}/send`)).invoice_ids, []);
  });

  it('are canceled while they wait, once, and then sent once more by a resend', async () => {
    const invoice = await anInvoice();
    const email = done(await sendInvoice(invoice, { to: ['eva@other.com'] }));
    const waiting = await post(`/v1/emails/${email.id}/resend`);
    assertRefused(waiting, { code: 'conflict', param: null, reason: 'invalid_state' });
    const canceled = await post(`/v1/emails/${email.id}/cancel`);
    assert.equal(canceled.status, 200);
    assert.deepEqual(
      [canceled.body.status, canceled.body.status_reason, canceled.body.next_attempt_at],
      ['canceled', 'by_hand', null],
    );
    const again = await post(`/v1/emails/${email.id}/cancel`);
    assertRefused(again, { code: 'conflict', param: null, reason: 'invalid_state' });
    const resent = await post(`/v1/emails/${email.id}/resend`);
    assert.equal(resent.status, 201);
    assert.deepEqual([resent.body.resend_of, resent.body.to], [email.id, email.to]);
    const elsewhere = done(await post(`/v1/emails/${canceled.body.id}/resend`, { to: ['ida@third.com'] }));
    assert.deepEqual(elsewhere.to, [{ address: 'ida@third.com', status: 'queued', response: null }]);
  });

  it('are entries of the audit log, a cancel too', async () => {
    const invoice = await anInvoice();
    const email = done(await sendInvoice(invoice));
    await post(`/v1/emails/${email.id}/cancel`);
    const { data } = (await get(`/v1/audit-log?object_id=${email.id}`)).body;
    assert.deepEqual(
      data.map(({ action, object_type, actor }: Json) => [action, object_type, actor.type]),
      [
        ['email.canceled', 'email', 'key'],
        ['email.created', 'email', 'key'],
      ],
    );
  });

  describe('are refused', () => {
    const refused = async (path: string, body: object, expected: Parameters<typeof assertRefused>[1]) => {
      const stored = await rows();
      assertRefused(await post(path, body), expected);
      assert.deepEqual(await rows(), stored);
    };
    const STATE = { code: 'conflict', param: null, reason: 'invalid_state' } as const;

    it('for a void invoice, a void credit note and a reversed payment', async () => {
      const [voided, invoice] = [await anInvoice(), await anInvoice()];
      done(await post(`/v1/invoices/${voided.id}/void`, { reason: 'Mistake' }));
      await refused(`/v1/invoices/${voided.id}/send`, {}, STATE);
      const payment = await pay(invoice);
      done(await post(`/v1/payments/${payment.id}/reverse`, { reason: 'Mistake' }));
      await refused(`/v1/payments/${payment.id}/send`, {}, STATE);
      const note = await credit(invoice);
      done(await post(`/v1/credit-notes/${note.id}/void`));
      await refused(`/v1/credit-notes/${note.id}/send`, {}, STATE);
    });

    it('for a draft', async () => {
      const id = await aDraft();
      await refused(`/v1/invoices/${id}/send`, {}, STATE);
    });

    it('without any address, and for a resend whose customer has none any more', async () => {
      const invoice = await anInvoice({ email: null });
      const expected = { code: 'conflict', param: 'to', reason: 'no_recipient' } as const;
      await refused(`/v1/invoices/${invoice.id}/send`, {}, expected);
      done(await patch(`/v1/customers/${invoice.customer_id}`, { email: 'ada@acme.com' }));
      const email = done(await sendInvoice(invoice));
      done(await post(`/v1/emails/${email.id}/cancel`));
      done(await patch(`/v1/customers/${invoice.customer_id}`, { email: null }));
      await refused(`/v1/emails/${email.id}/resend`, {}, expected);
    });

    it('beyond twenty an hour for one customer', async () => {
      const [invoice, other] = [await anInvoice(), await anInvoice()];
      for (let times = 1; times <= 20; times++) done(await sendInvoice(invoice));
      const stored = await rows();
      const received = await sendInvoice(invoice);
      assertRefused(received, { code: 'rate_limited' });
      assert.equal(received.headers.get('retry-after'), '60');
      assert.deepEqual(await rows(), stored);
      done(await sendInvoice(other));
      await api.pool.query(`update emails set created_at = created_at - interval '1 hour'`);
      done(await sendInvoice(invoice));
    });

    const eleven = Array.from({ length: 11 }, (_, place) => `a${place}@acme.com`);
    const BAD_TO = [
      [[], 'to', 'missing'],
      [eleven, 'to', 'too_many'],
      [['acme.com'], 'to[0]', 'malformed'],
      [['a@acme.com', 'A@acme.com'], 'to[1]', 'not_allowed'],
      ['a@acme.com', 'to', 'wrong_type'],
    ] as const;
    for (const [to, param, reason] of BAD_TO)
      it(`to ${JSON.stringify(to).slice(0, 40)}`, async () => {
        const invoice = await anInvoice();
        await refused(`/v1/invoices/${invoice.id}/send`, { to }, { code: 'invalid_request', param, reason });
      });

    it('for what is unknown, or of another account', async () => {
      const invoice = await anInvoice();
      const email = done(await sendInvoice(invoice));
      for (const path of ['/v1/invoices/inv_1/send', '/v1/credit-notes/cn_1/send', '/v1/payments/pay_1/send'])
        await refused(path, {}, { code: 'not_found' });
      for (const act of ['resend', 'cancel'])
        await refused(`/v1/emails/eml_1/${act}`, {}, { code: 'not_found' });
      for (const path of [`/v1/invoices/${invoice.id}/send`, `/v1/emails/${email.id}/cancel`])
        assertRefused(await api.post(path, {}, { key: api.other_key }), { code: 'not_found' });
      await refused(`/v1/invoices/${invoice.id}/send`, { cc: [] }, { code: 'invalid_request', param: 'cc' });
    });
  });
});
