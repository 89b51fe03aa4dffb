import assert from 'node:assert/strict';
import {
  anIssuedInvoice,
  emailerOf,
  emailsOf,
  makeDue,
  send,
  useEmails,
  write,
} from '../support/ledger/outgoing-emails.ts';
import { aMailServer, type Refusal } from '../support/servers/mail-server.ts';

const UNKNOWN: Refusal = { code: 550, text: '5.1.1 No such user' };
const GREY: Refusal = { code: 451, text: '4.7.1 Greylisted' };

describe('an email', () => {
  const { pool, server } = useEmails();

  it('that the server takes for one address is sent, and the invoice has the instant of that', async () => {
    const { invoice } = await anIssuedInvoice(pool(), 'ada@acme.com', 'gone@acme.com');
    await write(pool());
    server().onAddress((address) => (address === 'gone@acme.com' ? UNKNOWN : null));
    assert.equal(await send(emailerOf(pool(), server())), 'done');
    const [email] = await emailsOf(pool());
    assert.deepEqual(
      email!.to!.map(({ address, status }) => [address, status]),
      [
        ['ada@acme.com', 'sent'],
        ['gone@acme.com', 'refused'],
      ],
    );
    assert.match(email!.to![1]!.response!, /550.*No such user/);
    assert.deepEqual([email!.status, email!.attempts, email!.status_reason], ['sent', 1, null]);
    const { rows } = await pool().query('select sent_at from invoices where id = $1', [invoice.id]);
    assert.deepEqual(rows[0].sent_at, email!.sent_at);
    assert.notEqual(email!.sent_at, null);
  });

  it('is one message to all addresses, with the document, and a link that only the message has', async () => {
    const { invoice } = await anIssuedInvoice(pool(), 'ada@acme.com', 'bob@acme.com');
    await pool().query(
      `update environments set email_reply_to = 'help@acme.com', email_copy_to = 'books@acme.com'`,
    );
    await write(pool());
    await send(emailerOf(pool(), server()));
    const [mail] = server().mails;
    assert.equal(server().mails.length, 1);
    assert.deepEqual(mail!.taken.sort(), ['ada@acme.com', 'bob@acme.com', 'books@acme.com']);
    assert.deepEqual([mail!.from!.text, mail!.replyTo!.text], ['"Acme" <billing@acme.com>', 'help@acme.com']);
    assert.equal(mail!.messageId, `<invoice.${invoice.id}@acme.com>`);
    assert.ok(!JSON.stringify([...mail!.headers]).includes('books@acme.com'));
    const link = /https:\/\/billing\.example\.com\/portal\?invoice_id=(inv_\w+)#(\S+)/.exec(mail!.text!);
    assert.equal(link![1], invoice.id);
    const [email] = await emailsOf(pool());
    assert.ok(email!.text!.includes('[link]') && !email!.text!.includes(link![2]!));
    assert.equal(mail!.text!.trim(), email!.text!.replace('[link]', link![0]));
    assert.deepEqual(
      mail!.attachments.map(({ filename, size }) => [filename, size]),
      email!.attachments!.map(({ filename, bytes }) => [filename, bytes]),
    );
    const { rows } = await pool().query('select created_by, customer_id from portal_sessions');
    assert.deepEqual(rows, [{ created_by: email!.id, customer_id: email!.customer_id }]);
  });

  it('that the server refuses for all addresses is refused, and tried no more', async () => {
    await anIssuedInvoice(pool(), 'gone@acme.com');
    await write(pool());
    server().onAddress(() => UNKNOWN);
    await send(emailerOf(pool(), server()));
    const [email] = await emailsOf(pool());
    assert.deepEqual([email!.status, email!.next_attempt_at, email!.sent_at], ['refused', null, null]);
    assert.match(email!.status_reason!, /No such user/);
    assert.equal(server().mails.length, 0);
  });

  it('that the server does not take yet is tried again, with the same Message-ID, and is sent then', async () => {
    await anIssuedInvoice(pool(), 'ada@acme.com');
    await write(pool());
    server().onAddress(() => GREY);
    const emailer = emailerOf(pool(), server());
    await send(emailer);
    const [waits] = await emailsOf(pool());
    assert.deepEqual([waits!.status, waits!.attempts, waits!.to![0]!.status], ['queued', 1, 'queued']);
    server().onAddress(() => null);
    await send(emailer);
    assert.equal(server().mails.length, 0);
    await makeDue(pool());
    await send(emailer);
    const [sent] = await emailsOf(pool());
    assert.deepEqual([sent!.status, sent!.attempts, sent!.message_id], ['sent', 2, waits!.message_id]);
  });

  it('whose connection ends after the message comes again with the same Message-ID', async () => {
    await anIssuedInvoice(pool(), 'ada@acme.com');
    await write(pool());
    server().onMessage(async (_, connection) => {
      connection.destroy();
      return null;
    });
    const emailer = emailerOf(pool(), server());
    await send(emailer);
    const [waits] = await emailsOf(pool());
    assert.deepEqual([waits!.status, waits!.attempts], ['queued', 1]);
    server().onMessage(async () => null);
    await makeDue(pool());
    await send(emailer);
    const ids = server().mails.map(({ messageId }) => messageId);
    assert.deepEqual(ids, [waits!.message_id, waits!.message_id]);
    assert.equal((await emailsOf(pool()))[0]!.status, 'sent');
  });

  it('that the server leaves without an answer is tried again, and fails after 72 hours', async () => {
    await anIssuedInvoice(pool(), 'ada@acme.com');
    await write(pool());
    server().onMessage(() => new Promise(() => undefined));
    const emailer = emailerOf(pool(), server(), { step_ms: 300 });
    await send(emailer);
    assert.equal((await emailsOf(pool()))[0]!.status, 'queued');
    await makeDue(pool());
    await pool().query(`update emails set first_attempt_at = first_attempt_at - interval '72 hours'`);
    await send(emailer);
    const [email] = await emailsOf(pool());
    assert.deepEqual([email!.status, email!.next_attempt_at, email!.attempts], ['failed', null, 2]);
    assert.deepEqual(
      email!.to!.map(({ status }) => status),
      ['refused'],
    );
  });

  it('waits while the server refuses the login, without a try, and leaves once it takes it', async () => {
    const guarded = await aMailServer({ password: 'right' });
    await anIssuedInvoice(pool(), 'ada@acme.com');
    await anIssuedInvoice(pool(), 'bob@acme.com');
    await write(pool());
    const wrong = emailerOf(pool(), guarded, { login: 'wrong' });
    assert.equal(await send(wrong), 'login_refused');
    assert.equal(await send(wrong), 'login_refused');
    const waiting = await emailsOf(pool());
    assert.deepEqual(
      waiting.map(({ status, attempts }) => [status, attempts]),
      [
        ['queued', 0],
        ['queued', 0],
      ],
    );
    const stateOf = async () => (await pool().query('select refusal from email_sender')).rows[0].refusal;
    assert.match(await stateOf(), /535/);
    assert.equal(await send(emailerOf(pool(), guarded, { login: 'right' })), 'done');
    assert.equal(await stateOf(), null);
    assert.deepEqual(
      guarded.mails.map(({ authenticated }) => authenticated),
      [true, true],
    );
  });
});
