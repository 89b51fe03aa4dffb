import assert from 'node:assert/strict';
import { recordPayment } from '../../../src/billing/owed/pay.ts';
import { transaction } from '../../../src/db/connection/pool.ts';
import { sendByHand } from '../../../src/emails/by-hand.ts';
import * as given from '../../support/ledger/billing.ts';
import { payersOn } from '../../support/ledger/emails.ts';
import {
  anIssuedInvoice,
  emailerOf,
  emailsOf,
  send,
  useEmails,
} from '../../support/ledger/outgoing-emails.ts';
import { assertRefused } from '../../support/ledger/refused.ts';
import { startApi, type TestApi } from '../../support/servers/api.ts';

const STATE = { code: 'conflict', param: null, reason: 'invalid_state' } as const;

/** billing.md 18. */
describe('statements by email', () => {
  let api: TestApi;
  before(async () => {
    api = await startApi();
  });
  after(() => api.close());
  const { post, get, done, anInvoice, rows } = payersOn(() => api);
  const sendTo = (customer_id: string, body: object = {}) =>
    post(`/v1/customers/${customer_id}/statement/send`, body);

  it('are emails of the customer about what it owes, each with a reason of its own', async () => {
    const { id, number, customer_id } = await anInvoice({
      name: 'Acme',
      email: 'ada@acme.com',
      language: 'de',
    });
    const received = await sendTo(customer_id);
    assert.equal(received.status, 201);
    const { body } = received;
    assert.equal(received.headers.get('location'), `/v1/emails/${body.id}`);
    const { id: cus_id } = done(await get(`/v1/customers/${customer_id}`));
    assert.deepEqual(
      [body.kind, body.object_id, body.customer_id, body.invoice_ids, body.language],
      ['statement', cus_id, customer_id, [id], 'de'],
    );
    assert.match(body.subject, /^Ihre offenen Rechnungen von /);
    assert.match(
      body.text,
      new RegExp(`\\n\\n${number}, fällig am .*: 2,00\u00a0USD\\n\\nOffener Betrag: 2,00\u00a0USD\\n`),
    );
    assert.match(body.attachments[0].filename, /^statement-\d{4}-\d\d-\d\d\.pdf$/);
    assert.equal(body.attachments.length, 1);
    const again = done(await sendTo(cus_id, { to: ['eva@other.com'] }));
    assert.deepEqual(again.to, [{ address: 'eva@other.com', status: 'queued', response: null }]);
    const reasons = (await rows())
      .filter(({ object_id }) => object_id === cus_id)
      .map(({ reason }) => reason);
    assert.deepEqual(reasons, [`statement.${cus_id}`, `statement.${cus_id}.2`]);
    const { data } = done(await get(`/v1/emails?invoice_id=${id}&kind=statement`));
    assert.deepEqual(data, [again, body]);
  });

  it('are sent again from the email', async () => {
    const { customer_id } = await anInvoice();
    const email = done(await sendTo(customer_id));
    done(await post(`/v1/emails/${email.id}/cancel`));
    const resent = done(await post(`/v1/emails/${email.id}/resend`));
    assert.deepEqual([resent.kind, resent.resend_of], ['statement', email.id]);
  });

  it('are refused where nothing is due, without an address, and beyond twenty an hour', async () => {
    const invoice = await anInvoice();
    for (let times = 1; times <= 20; times++) done(await sendTo(invoice.customer_id));
    assertRefused(await sendTo(invoice.customer_id), { code: 'rate_limited' });
    done(await post(`/v1/invoices/${invoice.id}/pay`));
    assertRefused(await sendTo(invoice.customer_id), STATE);
    const { customer_id } = await anInvoice({ email: null });
    assertRefused(await sendTo(customer_id), { code: 'conflict', param: 'to', reason: 'no_recipient' });
  });

  it('are refused for an unknown customer, one of another account, and a bad address', async () => {
    assertRefused(await sendTo('nobody'), { code: 'not_found' });
    const { customer_id } = await anInvoice();
    const path = `/v1/customers/${customer_id}/statement/send`;
    assertRefused(await api.post(path, {}, { key: api.other_key }), { code: 'not_found' });
    const bad = await sendTo(customer_id, { to: ['acme.com'] });
    assertRefused(bad, { code: 'invalid_request', param: 'to[0]', reason: 'malformed' });
  });
});

describe('a statement that waits', () => {
  const { pool, server } = useEmails();

  const statementOf = (customer_id: string) =>
    transaction(pool(), (db) =>
      sendByHand(db, given.LIVE, {
        ...{
          kind: 'statement',
          object_id: customer_id,
          invoice_ids: [],
          to: null,
          by: 'key_1',
          resend_of: null,
        },
      }),
    );

  it('leaves with its paper and the lines of what is owed then', async () => {
    const { invoice, customer } = await anIssuedInvoice(pool(), 'ada@acme.com');
    await statementOf(customer.id);
    await send(emailerOf(pool(), server()));
    const [mail] = server().mails;
    assert.match(`${mail!.subject}`, /^Statement of account from /);
    assert.match(`${mail!.text}`, new RegExp(`^${invoice.number}, due .*: USD\u00a03\\.00$`, 'm'));
    assert.deepEqual(
      mail!.attachments.map(({ filename }) => filename?.replace(/\d{4}-\d\d-\d\d/, 'day')),
      ['statement-day.pdf'],
    );
    assert.equal((await emailsOf(pool()))[0]!.status, 'sent');
  });

  it('is canceled once nothing is due', async () => {
    const { invoice, customer } = await anIssuedInvoice(pool(), 'ada@acme.com');
    await statementOf(customer.id);
    const paid = { paid_at: null, reference: null, allow_duplicate: false, by: 'key_1' };
    await transaction(pool(), (db) =>
      recordPayment(db, given.LIVE, invoice.id, { amount: null, excess: 'refused', ...paid }),
    );
    await send(emailerOf(pool(), server()));
    const [email] = await emailsOf(pool());
    assert.deepEqual([email!.status, email!.status_reason], ['canceled', 'paid']);
    assert.equal(server().mails.length, 0);
  });
});
