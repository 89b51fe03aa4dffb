import assert from 'node:assert/strict';
import type { Reason } from '../../../src/domain/money/errors.ts';
import { startApi, type Json, type TestApi } from '../../support/servers/api.ts';
import { payersOn } from '../../support/ledger/emails.ts';
import { assertRefused } from '../../support/ledger/refused.ts';

const PATH = '/v1/email-texts/invoice/en';
const OWN = { subject: 'Bill {number}', body: 'Dear {customer},\n\nplease pay {amount_due}.\n\n{link}' };

describe('texts of emails', () => {
  let api: TestApi;
  before(async () => {
    api = await startApi();
  });
  after(() => api.close());
  const { get, post, done, anInvoice } = payersOn(() => api);
  const request = (method: string, path = PATH, body?: Json, key = api.live_key) =>
    api.request(path, { method, key, ...(body === undefined ? {} : { body }) });

  it('are replaced in one environment, are in emails from then on, and come back', async () => {
    const standard = done(await get(PATH));
    assert.deepEqual(
      [standard.object, standard.livemode, standard.kind, standard.language, standard.updated_at],
      ['email_text', true, 'invoice', 'en', null],
    );
    const invoice = await anInvoice();
    const { id } = done(await post(`/v1/invoices/${invoice.id}/send`));
    const replaced = done(await request('PUT', PATH, OWN));
    assert.deepEqual([replaced.subject, replaced.body], [OWN.subject, OWN.body]);
    assert.match(replaced.updated_at, /Z$/);
    assert.deepEqual(done(await get(PATH)), replaced);
    assert.deepEqual(done(await request('PUT', PATH, OWN)), replaced);
    assert.equal(done(await request('GET', PATH, undefined, api.test_key)).updated_at, null);
    assert.equal(done(await get('/v1/email-texts/invoice/de')).updated_at, null);
    const email = done(await get(`/v1/emails/${id}`));
    assert.equal(email.subject, `Bill ${invoice.number}`);
    assert.equal(email.text, `Dear ${invoice.customer_id},\n\nplease pay USD\u00a02.00.\n\n[link]`);
    assert.deepEqual(done(await request('DELETE')), standard);
    assertRefused(await request('DELETE'), { code: 'not_found' });
    assert.notEqual(done(await get(`/v1/emails/${id}`)).subject, email.subject);
  });

  it('are entries of the audit log', async () => {
    done(await request('PUT', '/v1/email-texts/receipt/fr', OWN));
    done(await request('DELETE', '/v1/email-texts/receipt/fr'));
    const { data } = done(await get('/v1/audit-log?object_id=receipt.fr'));
    assert.deepEqual(
      data.map(({ action, object_type }: Json) => [action, object_type]),
      [
        ['email_text.deleted', 'email_text'],
        ['email_text.updated', 'email_text'],
      ],
    );
  });

  const REFUSED: [body: Json, param: string, reason: Reason][] = [
    [{ ...OWN, subject: 'Bill {numero}' }, 'subject', 'unknown_placeholder'],
    [{ ...OWN, body: 'Dear {customer}, {iban}' }, 'body', 'unknown_placeholder'],
    [{ ...OWN, body: 'Dear {Customer}' }, 'body', 'unknown_placeholder'],
    [{ ...OWN, subject: 'Bill\nBcc: eva@acme.com' }, 'subject', 'malformed'],
    [{ ...OWN, subject: 'Bill\r' }, 'subject', 'malformed'],
    [{ ...OWN, subject: '  ' }, 'subject', 'malformed'],
    [{ ...OWN, subject: '' }, 'subject', 'missing'],
    [{ ...OWN, subject: 'x'.repeat(201) }, 'subject', 'too_long'],
    [{ ...OWN, body: '' }, 'body', 'missing'],
    [{ ...OWN, body: ' \n ' }, 'body', 'malformed'],
    [{ ...OWN, body: 'x'.repeat(5001) }, 'body', 'too_long'],
    [{ ...OWN, body: 'a\u0000b' }, 'body', 'malformed'],
    [{ subject: 'Bill' }, 'body', 'missing'],
    [{ ...OWN, html: '<b>Bill</b>' }, 'html', 'unknown_member'],
  ];
  for (const [body, param, reason] of REFUSED)
    it(`${JSON.stringify(body).slice(0, 70)} is refused, and nothing is stored`, async () => {
      const stored = done(await get('/v1/email-texts/credit_note/it'));
      const refused = await request('PUT', '/v1/email-texts/credit_note/it', body);
      assertRefused(refused, { code: 'invalid_request', param, reason });
      assert.deepEqual(done(await get('/v1/email-texts/credit_note/it')), stored);
    });

  it('have 200 characters of subject and 5,000 of body at most', async () => {
    const longest = { subject: 'x'.repeat(200), body: 'y'.repeat(5000) };
    const { subject, body } = done(await request('PUT', '/v1/email-texts/invoice/nl', longest));
    assert.deepEqual({ subject, body }, longest);
  });

  it('are of known kinds and languages', async () => {
    for (const path of ['/v1/email-texts/letter/en', '/v1/email-texts/invoice/pt'])
      for (const method of ['GET', 'PUT', 'DELETE'])
        assertRefused(await request(method, path, method === 'PUT' ? OWN : undefined), { code: 'not_found' });
  });
});
