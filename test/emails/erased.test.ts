import assert from 'node:assert/strict';
import { redactCustomer } from '../../src/billing/customers/redact.ts';
import { consumeAll } from '../../src/db/changes/consume.ts';
import { readOnly, transaction } from '../../src/db/connection/pool.ts';
import { FEED } from '../../src/db/feed/consumer.ts';
import * as given from '../support/ledger/billing.ts';
import { breachesOf } from '../support/ledger/sound.ts';
import {
  anIssuedInvoice,
  emailerOf,
  emailsOf,
  send,
  useEmails,
  write,
} from '../support/ledger/outgoing-emails.ts';

describe('an erasure', () => {
  const { pool, server } = useEmails();

  const erase = (id: string) =>
    transaction(pool(), (db) => redactCustomer(db, given.LIVE, { id, properties: [], by: 'key_1' }));

  /** Breaches of I60 to I62 alone: the builders leave a period open that has ended. */
  const breachesOfEmails = async () =>
    (await readOnly(pool(), (db) => breachesOf(db))).filter(({ invariant }) => /^I6[0-2]$/.test(invariant));

  it('blanks the emails of a customer, ends their links, and leaves that they were sent', async () => {
    const { customer } = await anIssuedInvoice(pool(), 'ada@acme.com');
    await write(pool());
    await send(emailerOf(pool(), server()));
    await erase(customer.id);
    const [email] = await emailsOf(pool());
    assert.deepEqual([email!.status, email!.subject, email!.text], ['sent', null, null]);
    assert.deepEqual(email!.to, [{ address: null, status: 'sent', response: null }]);
    const { rows } = await pool().query('select revoked_at is not null as is_over from portal_sessions');
    assert.deepEqual(rows, [{ is_over: true }]);
    assert.ok(!JSON.stringify(await emailsOf(pool())).includes('ada@'));
    assert.deepEqual(await breachesOfEmails(), []);
  });

  it('cancels an email that waits, and takes a failed one from the feed', async () => {
    const { customer } = await anIssuedInvoice(pool(), 'ada@acme.com');
    await write(pool());
    server().onAddress(() => ({ code: 550, text: 'No ada@acme.com' }));
    await send(emailerOf(pool(), server()));
    await consumeAll(pool(), FEED);
    const failures = async () =>
      (await pool().query(`select data ->> 'status' as status from feed where type = 'email.failed'`)).rows;
    assert.deepEqual(await failures(), [{ status: 'refused' }]);
    await pool().query(`update consumers set epoch = 1, snapshot = '3:3:' where name = 'emails'`);
    await pool().query('delete from emails');
    await write(pool());
    await erase(customer.id);
    assert.deepEqual(await failures(), [{ status: null }]);
    const [email] = await emailsOf(pool());
    assert.deepEqual(
      [email!.status, email!.status_reason, email!.next_attempt_at],
      ['canceled', 'erased', null],
    );
    await send(emailerOf(pool(), server()));
    assert.equal(server().mails.length, 0);
  });

  it('that comes while the server reads the message leaves no address', async () => {
    const { customer } = await anIssuedInvoice(pool(), 'ada@acme.com');
    await write(pool());
    server().onMessage(async () => {
      await erase(customer.id);
      return null;
    });
    await send(emailerOf(pool(), server()));
    const [email] = await emailsOf(pool());
    assert.deepEqual(
      [email!.status, email!.text, email!.to],
      ['sent', null, [{ address: null, status: 'sent', response: null }]],
    );
    assert.deepEqual(await breachesOfEmails(), []);
  });
});
