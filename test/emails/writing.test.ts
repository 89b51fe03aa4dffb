import assert from 'node:assert/strict';
import { transaction } from '../../src/db/connection/pool.ts';
import { recordPayment } from '../../src/billing/owed/pay.ts';
import { voidInvoice } from '../../src/billing/owed/void.ts';
import {
  anIssuedInvoice,
  emailerOf,
  emailsOf,
  send,
  useEmails,
  write,
} from '../support/ledger/outgoing-emails.ts';
import * as given from '../support/ledger/billing.ts';

describe('the emails of what is issued', () => {
  const { pool, server } = useEmails();

  const fates = async () =>
    (await emailsOf(pool())).map(({ kind, status, status_reason: why }) => [kind, status, why]);
  /** Makes test data of the rows of the builders, which are live. */
  const beTestData = () =>
    pool().query(`alter table environments drop constraint environments_account_id_livemode_key;
      update environments set livemode = false`);

  it('are written once, whatever is read again', async () => {
    const { invoice } = await anIssuedInvoice(pool(), 'ada@acme.com');
    await write(pool());
    // As after a restore: the whole log comes again.
    await pool().query(`update consumers set epoch = 1, snapshot = '3:3:' where name = 'emails'`);
    await write(pool());
    const [email, ...more] = await emailsOf(pool());
    assert.deepEqual(more, []);
    assert.deepEqual(
      [email!.reason, email!.object_id, email!.invoice_ids, email!.language],
      [`invoice.${invoice.id}`, invoice.id, [invoice.id], 'en'],
    );
  });

  it('are of the kinds that are on, and of what came before a kind was switched on there is none', async () => {
    await pool().query(`update environments set email_kinds = '["receipt"]'`);
    await anIssuedInvoice(pool(), 'ada@acme.com');
    await write(pool());
    await pool().query(`update environments set email_kinds = '["invoice"]'`);
    await write(pool());
    assert.deepEqual(await fates(), []);
  });

  it('are not of an invoice of 0.00, nor of one that is void by then', async () => {
    const { invoice } = await anIssuedInvoice(pool(), 'ada@acme.com');
    await transaction(pool(), (db) => voidInvoice(db, given.LIVE, invoice.id, null));
    const customer = await given.aCustomer(pool());
    const plan = await given.aPlan(pool(), [{ pricing: given.PER_UNIT }]);
    await given.bill(pool(), given.stepOf(await given.aSubscription(pool(), customer, plan)));
    await write(pool());
    assert.deepEqual(await fates(), []);
  });

  it('wait for the morning of the customer', async () => {
    const { rows } = await pool().query<{ hour: number }>(
      `select extract(hour from now() at time zone 'America/New_York')::integer as hour`,
    );
    const from = (rows[0]!.hour + 2) % 24;
    await pool().query(`update environments set email_hours = $1, timezone = 'America/New_York'`, [
      JSON.stringify({ from, until: from + 1 }),
    ]);
    await anIssuedInvoice(pool(), 'ada@acme.com');
    await write(pool());
    await send(emailerOf(pool(), server()));
    const { rows: emails } = await pool().query(
      `select status, attempts, send_at > now() + interval '1 hour' as is_later, send_at = next_attempt_at as is_due_then,
         extract(hour from send_at at time zone 'America/New_York')::integer as hour from emails`,
    );
    assert.deepEqual(emails, [
      { status: 'queued', attempts: 0, is_later: true, is_due_then: true, hour: from },
    ]);
    assert.equal(server().mails.length, 0);
  });

  it('wait for no morning if they are receipts of what the payer does', async () => {
    const { rows } = await pool().query<{ hour: number }>('select extract(hour from now())::integer as hour');
    const from = (rows[0]!.hour + 2) % 24;
    await pool().query('update environments set email_hours = $1', [
      JSON.stringify({ from, until: from + 1 }),
    ]);
    const { invoice } = await anIssuedInvoice(pool(), 'ada@acme.com');
    for (const by of ['pat_1', 'pys_1'])
      await transaction(pool(), (db) =>
        recordPayment(db, given.LIVE, invoice.id, {
          ...{ amount: '1.00', paid_at: null, reference: `pi_of_${by}`, excess: 'refused', by },
          allow_duplicate: true,
        }),
      );
    await write(pool());
    const { rows: receipts } = await pool().query(
      `select p.created_by, e.send_at <= now() as is_at_once from emails e join payments p on p.id = e.object_id
       where e.kind = 'receipt' order by p.id`,
    );
    assert.deepEqual(receipts, [
      { created_by: 'pat_1', is_at_once: false },
      { created_by: 'pys_1', is_at_once: true },
    ]);
  });

  it('do not leave where nobody is to get them', async () => {
    await anIssuedInvoice(pool());
    const { customer } = await anIssuedInvoice(pool(), 'ada@acme.com');
    await pool().query('update customers set email_muted = true where id = $1', [customer.id]);
    await write(pool());
    assert.deepEqual(await fates(), [
      ['invoice', 'kept', 'no_recipient'],
      ['invoice', 'kept', 'muted'],
    ]);
    await anIssuedInvoice(pool(), 'bob@acme.com');
    await write(pool(), false);
    assert.deepEqual((await fates()).at(-1), ['invoice', 'kept', 'no_smtp']);
  });

  it('of test data leave only to the test recipients', async () => {
    await beTestData();
    await anIssuedInvoice(pool(), 'ada@acme.com', 'x@other.com');
    await write(pool());
    assert.deepEqual((await fates()).at(-1), ['invoice', 'kept', 'test_recipient']);
    await pool().query(`update environments set email_test_recipients = '["*@acme.com"]'`);
    await anIssuedInvoice(pool(), 'ada@acme.com', 'x@other.com');
    await write(pool());
    await send(emailerOf(pool(), server()));
    assert.deepEqual(
      server().mails.map(({ taken, to }) => [taken, JSON.stringify(to).includes('other.com')]),
      [[['ada@acme.com'], false]],
    );
  });

  it('are canceled if the invoice is void when their turn comes', async () => {
    const { invoice } = await anIssuedInvoice(pool(), 'ada@acme.com');
    await write(pool());
    await transaction(pool(), (db) => voidInvoice(db, given.LIVE, invoice.id, null));
    await send(emailerOf(pool(), server()));
    assert.deepEqual(await fates(), [['invoice', 'canceled', 'void']]);
    assert.equal(server().mails.length, 0);
  });

  it('go to whom the customer names when their turn comes, by what is true then', async () => {
    const { customer } = await anIssuedInvoice(pool(), 'old@acme.com');
    await write(pool());
    await pool().query(
      `update customers set billing_emails = '["new@acme.com"]', language = 'de' where id = $1`,
      [customer.id],
    );
    await send(emailerOf(pool(), server()));
    assert.deepEqual(server().mails[0]!.taken, ['new@acme.com']);
    const [email] = await emailsOf(pool());
    assert.deepEqual([email!.language, /3,00/.test(email!.text!)], ['de', true]);
  });
});
