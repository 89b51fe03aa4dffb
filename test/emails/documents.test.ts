import assert from 'node:assert/strict';
import { issueCreditNote } from '../../src/billing/owed/credit-note.ts';
import { recordPayment } from '../../src/billing/owed/pay.ts';
import { reversePayment } from '../../src/billing/owed/reverse.ts';
import { transaction } from '../../src/db/connection/pool.ts';
import {
  anIssuedInvoice,
  emailerOf,
  emailsOf,
  send,
  useEmails,
  write,
} from '../support/ledger/outgoing-emails.ts';
import * as given from '../support/ledger/billing.ts';

const BY = 'key_1';
const PAID = { paid_at: null, reference: null, allow_duplicate: false, by: BY };

/** billing.md 16. */
describe('the emails of credit notes and payments', () => {
  const { pool, server } = useEmails();

  const pay = (id: string, amount: string) =>
    transaction(pool(), (db) => recordPayment(db, given.LIVE, id, { amount, excess: 'refused', ...PAID }));
  const credit = (id: string) =>
    transaction(pool(), (db) =>
      issueCreditNote(db, given.LIVE, id, { lines: 'all', settle: 'balance', reason: 'Outage', by: BY }),
    );
  /** Each message by its subject, with the names of its files. */
  const received = () =>
    server().mails.map(({ subject, attachments }) => [
      subject,
      attachments.map(({ filename, size }) => [filename, size > 0]),
    ]);

  it('leave with their papers, after that of the invoice', async () => {
    const { invoice } = await anIssuedInvoice(pool(), 'ada@acme.com');
    const payment = (await pay(invoice.id, '1.00'))!;
    const note = (await credit(invoice.id))!;
    await write(pool());
    await send(emailerOf(pool(), server()));
    const company = (await pool().query<{ name: string }>('select name from environments')).rows[0]!.name;
    assert.deepEqual(
      received().toSorted(([a], [b]) => String(a).localeCompare(String(b))),
      [
        [`Credit note ${note.number} from ${company}`, [[`${note.number}.pdf`, true]]],
        [`Invoice ${invoice.number} from ${company}`, [[`${invoice.number}.pdf`, true]]],
        [`Receipt for your payment to ${company}`, [[`receipt-${payment}.pdf`, true]]],
      ],
    );
    const emails = await emailsOf(pool());
    assert.deepEqual(
      emails.map(({ kind, object_id, invoice_ids, status }) => [kind, object_id, invoice_ids, status]),
      [
        ['invoice', invoice.id, [invoice.id], 'sent'],
        ['receipt', payment, [invoice.id], 'sent'],
        ['credit_note', note.id, [invoice.id], 'sent'],
      ],
    );
  });

  it('of a payment that is reversed before its turn is canceled', async () => {
    const { invoice } = await anIssuedInvoice(pool(), 'ada@acme.com');
    // An external id that does not look like one of ours.
    await pool().query("update customers set external_id = 'acme'");
    const id = (await pay(invoice.id, '3.00'))!;
    await write(pool());
    await transaction(pool(), (db) =>
      reversePayment(db, given.LIVE, { id, invoice_id: null, reason: 'bounced', by: BY }),
    );
    await send(emailerOf(pool(), server()));
    const [, receipt] = await emailsOf(pool());
    assert.deepEqual([receipt!.status, receipt!.status_reason], ['canceled', 'reversed']);
    assert.equal(server().mails.length, 1);
  });

  it('has no e-invoice that cannot be made, and says why', async () => {
    await pool().query(`update environments set email_attach = '["pdf", "xml"]'`);
    const { invoice } = await anIssuedInvoice(pool(), 'ada@acme.com');
    await write(pool());
    await send(emailerOf(pool(), server()));
    const [email] = await emailsOf(pool());
    const files = email!.attachments!.map(({ filename, bytes, error }) => [filename, bytes, error]);
    assert.deepEqual(files[1]!.slice(0, 2), [`${invoice.number}.xml`, null]);
    assert.match(String(files[1]![2]), /address|country/);
    assert.equal(server().mails[0]!.attachments.length, 1);
  });
});
