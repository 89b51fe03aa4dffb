import assert from 'node:assert/strict';
import { simpleParser } from 'mailparser';
import { startApi, type Json, type TestApi } from '../../support/servers/api.ts';
import { payersOn } from '../../support/ledger/emails.ts';
import { assertRefused } from '../../support/ledger/refused.ts';

describe('reading emails', () => {
  let api: TestApi;
  before(async () => {
    api = await startApi();
  });
  after(() => api.close());
  const { get, post, patch, done, anInvoice } = payersOn(() => api);
  const sendInvoice = async (id: string, body: object = {}): Promise<Json> =>
    done(await post(`/v1/invoices/${id}/send`, body));
  const idsOf = async (query: string): Promise<string[]> =>
    done(await get(`/v1/emails?${query}`)).data.map(({ id }: Json) => id);

  it('shows what would be sent now, in the language of the customer, with [link] for the link', async () => {
    const invoice = await anInvoice({ name: 'Acme', email: 'ada@acme.com' });
    const english = await sendInvoice(invoice.id);
    assert.ok(english.subject.includes(invoice.number));
    assert.match(english.text, /Acme[\s\S]*USD\s2\.00[\s\S]*\[link\]/);
    done(await patch(`/v1/customers/${invoice.customer_id}`, { language: 'de' }));
    const german = await sendInvoice(invoice.id);
    assert.deepEqual([english.language, german.language], ['en', 'de']);
    assert.notEqual(german.subject, english.subject);
    done(await patch(`/v1/customers/${invoice.customer_id}`, { name: 'Acme Ltd' }));
    assert.match(done(await get(`/v1/emails/${german.id}`)).text, /Acme Ltd/);
  });

  it('names the files that the account attaches', async () => {
    const invoice = await anInvoice();
    done(await patch('/v1/account', { email_attach: ['pdf', 'xml'] }));
    const { attachments } = await sendInvoice(invoice.id);
    done(await patch('/v1/account', { email_attach: ['pdf'] }));
    assert.deepEqual(attachments, [
      { filename: `${invoice.number}.pdf`, content_type: 'application/pdf', bytes: null, error: null },
      { filename: `${invoice.number}.xml`, content_type: 'application/xml', bytes: null, error: null },
    ]);
  });

  it('finds emails by customer, invoice, kind, status and time, newest first', async () => {
    const [invoice, other] = [await anInvoice(), await anInvoice()];
    const first = await sendInvoice(invoice.id);
    const second = await sendInvoice(invoice.id);
    const third = await sendInvoice(other.id);
    done(await post(`/v1/emails/${first.id}/cancel`));
    const payment = done(await post(`/v1/invoices/${invoice.id}/payments`));
    const receipt = done(await post(`/v1/payments/${payment.id}/send`));
    const of = `customer_id=${invoice.customer_id}`;
    assert.deepEqual(await idsOf(of), [receipt.id, second.id, first.id]);
    assert.deepEqual(await idsOf(`invoice_id=${other.id}`), [third.id]);
    assert.deepEqual(await idsOf(`${of}&kind=receipt`), [receipt.id]);
    assert.deepEqual(await idsOf(`${of}&status=canceled`), [first.id]);
    assert.deepEqual(await idsOf(`${of}&from=${second.created_at}&to=${receipt.created_at}`), [second.id]);
    assert.deepEqual(await idsOf('customer_id=nobody'), []);
    const page = done(await get(`/v1/emails?${of}&limit=2`));
    assert.deepEqual([page.has_more, page.data.length], [true, 2]);
    assert.deepEqual(await idsOf(`${of}&limit=2&cursor=${page.next_cursor}`), [first.id]);
  });

  it('refuses filters that there are not, and a range that runs backwards', async () => {
    const REFUSED = [
      ['kind=letter', 'kind'],
      ['status=open', 'status'],
      ['from=2026-02-01&to=2026-01-01', 'from'],
      ['to_address=a', 'to_address'],
    ] as const;
    for (const [query, param] of REFUSED)
      assertRefused(await get(`/v1/emails?${query}`), { code: 'invalid_request', param });
  });

  it('is of one environment: elsewhere an email does not exist', async () => {
    const { id } = await sendInvoice((await anInvoice()).id);
    for (const key of [api.test_key, api.other_key])
      for (const path of [`/v1/emails/${id}`, `/v1/emails/${id}.eml`])
        assertRefused(await api.request(path, { key }), { code: 'not_found' });
    assertRefused(await get('/v1/emails/eml_1'), { code: 'not_found' });
    assert.deepEqual((await api.request('/v1/emails')).body.data, []);
  });

  it('gives an email as a file, with its PDF and without a token', async () => {
    const invoice = await anInvoice({ email: 'ada@acme.com' });
    done(await patch('/v1/account', { name: 'Ocean GmbH', email_copy_to: 'archive@ocean.example' }));
    const email = await sendInvoice(invoice.id);
    const received = await get(`/v1/emails/${email.id}.eml`);
    assert.equal(received.status, 200);
    assert.match(received.headers.get('content-type')!, /^message\/rfc822/);
    assert.equal(received.headers.get('content-disposition'), `attachment; filename="${email.id}.eml"`);
    const message = await simpleParser(received.body);
    assert.equal(message.subject, email.subject);
    assert.equal(message.messageId, `<invoice.${invoice.id}@localhost>`);
    assert.equal(message.text!.trim(), email.text);
    assert.ok(`${message.html}`.includes('href="[link]"'));
    assert.equal(message.bcc, undefined);
    assert.deepEqual(
      [message.to].flat().map((to) => to!.text),
      ['ada@acme.com'],
    );
    const [file] = message.attachments;
    assert.deepEqual([file!.filename, file!.contentType], [`${invoice.number}.pdf`, 'application/pdf']);
    assert.equal(file!.content.subarray(0, 5).toString(), '%PDF-');
    assert.doesNotMatch(received.body, /tm_ps_/);
  });

  it('says when an invoice and a credit note first went out, and finds those that did not', async () => {
    const [sent, unsent] = [await anInvoice(), await anInvoice()];
    assert.equal(done(await get(`/v1/invoices/${sent.id}`)).sent_at, null);
    await api.pool.query(`update invoices set sent_at = '2026-02-03T04:05:06Z' where id = $1`, [sent.id]);
    assert.equal(done(await get(`/v1/invoices/${sent.id}`)).sent_at, '2026-02-03T04:05:06.000Z');
    const found = async (query: string): Promise<string[]> =>
      done(await get(`/v1/invoices?${query}`)).data.map(({ id }: Json) => id);
    assert.deepEqual(await found('sent=true'), [sent.id]);
    const others = await found('sent=false');
    assert.ok(others.includes(unsent.id) && !others.includes(sent.id));
    assert.deepEqual(await found(`sent=false&customer_id=${unsent.customer_id}`), [unsent.id]);
    assertRefused(await get('/v1/invoices?sent=yes'), { code: 'invalid_request', param: 'sent' });
  });
});
