import assert from 'node:assert/strict';
import { transaction } from '../../src/db/connection/pool.ts';
import { voidInvoice } from '../../src/billing/owed/void.ts';
import { insertEmails } from '../../src/db/emails/new-emails.ts';
import { emailerOf, emailsOf, send, useEmails, write } from '../support/ledger/outgoing-emails.ts';
import {
  aDebit,
  anOpenAttempt,
  anOwedInvoice,
  aPayer,
  dayFromNow,
  moveTo,
  sweep,
  useSteps,
} from '../support/ledger/reminders.ts';
import * as given from '../support/ledger/billing.ts';

const PAUSE = {
  reason: 'disputed',
  until: null,
  created_at: '2026-03-01T00:00:00.000Z',
  created_by: 'key_1',
};

describe('a reminder', () => {
  const { pool, server } = useEmails();
  let payer: given.TestCustomer;
  let invoice: string;
  beforeEach(async () => {
    await useSteps(pool(), [1]);
    payer = await aPayer(pool());
    invoice = (await anOwedInvoice(pool(), payer, await dayFromNow(pool(), -1))).id;
  });

  const fates = async () =>
    (await emailsOf(pool())).map(({ status, status_reason: why }) => (why === null ? status : why));
  const pay = (id = invoice) =>
    pool().query(`update invoices set amount_paid = total, status = 'paid', paid_at = now() where id = $1`, [
      id,
    ]);
  const pause = (table: 'invoices' | 'customers', until: string | null = null) =>
    pool().query(`update ${table} set collection_pause = $1`, [
      JSON.stringify({ ...PAUSE, until, ends_at: until === null ? null : `${until}T23:59:59.999Z` }),
    ]);

  const aPlan = (status: 'scheduled' | 'exhausted') =>
    pool().query(
      `insert into collections (environment_id, invoice_id, customer_id, status, first_at, next_attempt_at)
       select environment_id, id, customer_id, $2, now(), case when $2 = 'scheduled' then now() end
       from invoices where id = $1`,
      [invoice, status],
    );

  const STOPS: [what: string, reason: string, stop: () => Promise<unknown>][] = [
    ['the invoice is paid', 'paid', () => pay()],
    [
      'the invoice is void',
      'void',
      () => transaction(pool(), (db) => voidInvoice(db, given.LIVE, invoice, null)),
    ],
    ['a credit note takes all of it', 'paid', () => pool().query(`update invoices set credited = total`)],
    ['the invoice is paused', 'paused', () => pause('invoices')],
    ['the customer is paused', 'paused', () => pause('customers')],
    [
      'a charge of the invoice is under way',
      'charge_in_progress',
      () => anOpenAttempt(pool(), payer, invoice),
    ],
    [
      'a charge of the invoice is planned',
      'charge_in_progress',
      async () => {
        await pool().query(`update environments set charge_mode = 'automatic'`);
        await aPlan('scheduled');
      },
    ],
    [
      'its payer has paid by a debit that takes days',
      'charge_in_progress',
      () => aDebit(pool(), payer, invoice),
    ],
    ['the customer is muted', 'muted', () => pool().query('update customers set email_muted = true')],
  ];
  for (const [what, reason, stop] of STOPS) {
    it(`is not made where ${what}`, async () => {
      await stop();
      await sweep(pool());
      assert.deepEqual(await fates(), []);
    });

    it(`is canceled if ${what} between its writing and its turn: ${reason}`, async () => {
      await sweep(pool());
      await stop();
      await send(emailerOf(pool(), server()));
      assert.deepEqual(await fates(), [reason]);
      assert.equal(server().mails.length, 0);
    });
  }

  it('goes on once all planned charges have failed, and where the mode is manual', async () => {
    await aPlan('scheduled');
    await sweep(pool());
    assert.equal((await fates()).length, 1, 'the mode is manual');
    await pool().query('delete from emails');
    await pool().query(`update environments set charge_mode = 'automatic'`);
    await pool().query(`update collections set status = 'exhausted', next_attempt_at = null`);
    await sweep(pool());
    assert.equal((await fates()).length, 1);
  });

  it('leaves for what is due still, and names no other invoice', async () => {
    const paid = await anOwedInvoice(pool(), payer, await dayFromNow(pool(), -1));
    await sweep(pool());
    assert.deepEqual((await emailsOf(pool()))[0]!.invoice_ids.sort(), [invoice, paid.id].sort());
    await pay(paid.id);
    await send(emailerOf(pool(), server()));
    const [email] = await emailsOf(pool());
    assert.deepEqual([email!.status, email!.invoice_ids], ['sent', [invoice]]);
    assert.ok(!server().mails[0]!.text!.includes(paid.number!));
  });

  it('does not come again of a step whose invoice was paid, and then not, on the same day', async () => {
    await sweep(pool());
    await pay();
    await send(emailerOf(pool(), server()));
    await pool().query(`update invoices set amount_paid = 0, status = 'open', paid_at = null`);
    await sweep(pool());
    assert.deepEqual(await fates(), ['paid']);
  });

  it('is made in a pause whose last day is over, of later steps alone', async () => {
    await pause('invoices', await dayFromNow(pool(), -1));
    await sweep(pool());
    assert.equal((await fates()).length, 1, 'its day is today');
    await pool().query('delete from emails');
    await pool().query('update invoices set due_date = due_date - 1');
    await sweep(pool());
    assert.deepEqual(await fates(), [], 'its day was the last one of the pause');
  });

  it('is passed over if a person ended the pause on its day, or later', async () => {
    await pool().query('update invoices set collection_resumed_at = now()');
    await sweep(pool());
    assert.deepEqual(await fates(), []);
    await pool().query(`update invoices set collection_resumed_at = now() - interval '1 day'`);
    await sweep(pool());
    assert.deepEqual(await fates(), ['queued']);
  });

  it('comes 48 hours after the email of the invoice, and not while that waits', async () => {
    await pool().query('update invoices set issued_at = now()');
    await write(pool());
    await sweep(pool());
    const kinds = async () => (await emailsOf(pool())).map(({ kind }) => kind);
    assert.deepEqual(await kinds(), ['invoice'], 'it waits');
    await send(emailerOf(pool(), server()));
    await sweep(pool());
    assert.deepEqual(await kinds(), ['invoice'], 'it went just now');
    await pool().query(
      `update emails set sent_at = sent_at - interval '48 hours', send_at = send_at - interval '48 hours'`,
    );
    await sweep(pool());
    assert.deepEqual(await kinds(), ['invoice', 'reminder']);
  });

  it('waits for the email of an invoice that the log has not written yet', async () => {
    await pool().query('update invoices set issued_at = now()');
    await sweep(pool());
    assert.deepEqual(await fates(), []);
    await pool().query(`update environments set email_kinds = '[]'`);
    await sweep(pool());
    assert.deepEqual(await fates(), ['queued']);
  });

  it('is passed over if workers were down until its days were over', async () => {
    const send_at = `${await dayFromNow(pool(), -3)}T08:00:00.000Z`;
    await sweep(pool());
    await pool().query('update emails set send_at = $1, next_attempt_at = $1', [send_at]);
    await send(emailerOf(pool(), server()));
    assert.deepEqual(await fates(), ['passed_over']);
  });

  it('of a test clock waits for the clock without a turn, and a payment at 7:59 stops the email of 8:00', async () => {
    await pool().query(`update environments set email_hours = '{"from": 8, "until": 18}'`);
    await pool().query(`update invoices set due_date = '2026-03-10', issued_at = '2026-02-10T00:00:00Z'`);
    await moveTo(pool(), payer, '2026-03-11T00:00:00.000Z');
    const [email] = await emailsOf(pool());
    assert.deepEqual([email!.send_at, email!.next_attempt_at], ['2026-03-11T08:00:00.000Z', null]);
    await send(emailerOf(pool(), server()));
    assert.deepEqual(await fates(), ['queued']);
    await moveTo(pool(), payer, '2026-03-11T07:59:00.000Z');
    await pay();
    await moveTo(pool(), payer, '2026-03-11T08:00:00.000Z');
    await send(emailerOf(pool(), server()));
    assert.deepEqual(await fates(), ['paid']);
  });

  it('and every other email of a test clock is timed by the clock, once that has been set', async () => {
    const [{ now } = { now: '' }] = (
      await pool().query<{ now: string }>(
        `select date_trunc('milliseconds', now()) + interval '1 day' as now`,
      )
    ).rows;
    const receipt = { kind: 'receipt', object_id: 'pay_1', reason: 'receipt.pay_1' } as const;
    const queued = { language: 'en', status: 'queued', status_reason: null, send_at: now } as const;
    const email = { environment_id: given.LIVE, id: 'eml_1', customer_id: payer.id, ...receipt, ...queued };
    await insertEmails(pool(), [{ ...email, invoice_ids: [] }]);
    const due = async () => (await emailsOf(pool()))[0]!.next_attempt_at;
    assert.equal(await due(), now);
    await pool().query('update customers set reminder_days = $1', ['[]']);
    await moveTo(pool(), payer, '2020-01-01T00:00:00.000Z');
    assert.equal(await due(), null);
    await moveTo(pool(), payer, now);
    assert.notEqual(await due(), null);
  });
});
