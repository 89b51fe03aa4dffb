import type { Db } from '../../../src/db/connection/pool.ts';
import type { SoundLedger } from '../ledger/sound-ledger.ts';
import type { Plant } from './plant.ts';

const EMAIL = 'eml_planted';

/** A sound email that was sent, and of it what is changed: a receipt, which no document notes. */
const RECEIPT = {
  ...{ id: EMAIL, kind: 'receipt', object_id: 'pay_planted', reason: 'receipt.pay_planted' },
  ...{ invoice_ids: [], language: 'en', status: 'sent', attempts: 1, sent_at: '2026-03-01T00:00:00Z' },
  ...{ subject: 'Receipt', text: 'Thank you', message_id: '<receipt.pay_planted@acme.com>' },
  to: [{ address: 'ada@acme.com', status: 'sent', response: '250 OK' }],
  ...{ attachments: [], send_at: '2026-03-01T00:00:00Z', created_at: '2026-03-01T00:00:00Z' },
};

async function anEmail(db: Db, { customer }: SoundLedger, changed: object): Promise<string> {
  await db.query(
    `insert into emails
     select (jsonb_populate_record(null::emails, $2 || jsonb_build_object('environment_id', c.environment_id,
       'customer_id', c.id))).* from customers c where c.id = $1`,
    [customer.id, JSON.stringify({ ...RECEIPT, ...changed })],
  );
  return EMAIL;
}

/** A fault of an email, by the members that make it. */
const aFault = (invariant: string, what: string, changed: object): Plant => ({
  invariant,
  what,
  plant: (db, ledger) => anEmail(db, ledger, changed),
});

/** A sound reminder of the issued invoice but for these members. */
const aReminder = (invariant: string, what: string, changed: (ledger: SoundLedger) => object): Plant => ({
  invariant,
  what,
  plant: async (db, ledger) => {
    const { customer, issued } = ledger;
    const { rows } = await db.query<{ day: string }>(
      'select (due_date + 1)::text as day from invoices where id = $1',
      [issued.id],
    );
    const reason = `reminder.${customer.id}.${rows[0]!.day}`;
    const reminder = { kind: 'reminder', object_id: customer.id, reason, invoice_ids: [issued.id] };
    const of_reason = { ...reminder, ...changed(ledger) };
    return anEmail(db, ledger, { ...of_reason, message_id: `<${of_reason.reason}@acme.com>` });
  },
});

/** Faults of emails. */
export const EMAIL_PLANTS: readonly Plant[] = [
  aFault('I60', 'an email with the reason of another object', {
    ...{ reason: 'receipt.pay_other', message_id: '<receipt.pay_other@acme.com>' },
  }),
  aFault('I60', 'an email with the reason of another kind', {
    ...{ reason: 'invoice.pay_planted', message_id: '<invoice.pay_planted@acme.com>' },
  }),
  aFault('I60', 'a second email that nobody sent', {
    ...{ reason: 'receipt.pay_planted.2', message_id: '<receipt.pay_planted.2@acme.com>' },
  }),
  aReminder('I60', 'a reminder of no day', ({ customer }) => ({ reason: `reminder.${customer.id}` })),
  aReminder('I63', 'a reminder of no invoice', () => ({ invoice_ids: [] })),
  aReminder('I63', 'a reminder of an invoice that nobody has', () => ({ invoice_ids: ['inv_other'] })),
  aReminder('I64', 'a reminder of a day long after the due date', ({ customer }) => ({
    reason: `reminder.${customer.id}.2099-01-01`,
  })),
  aFault('I60', 'an email with the Message-ID of another one', { message_id: '<receipt.pay_1@acme.com>' }),
  aFault('I61', 'a sent email without an instant', { sent_at: null }),
  aFault('I61', 'an email that failed at the instant of a 250', { status: 'failed' }),
  aFault('I61', 'a sent email that no address got', {
    to: [{ address: 'ada@acme.com', status: 'refused', response: '550' }],
  }),
  aFault('I61', 'a sent email without its text', { text: null }),
  aFault('I61', 'a sent email without a Message-ID', { message_id: null }),
  {
    invariant: 'I62',
    what: 'a sent invoice that does not say so',
    plant: async (db, ledger) => {
      const { id } = ledger.issued;
      const reason = `invoice.${id}`;
      await anEmail(db, ledger, {
        ...{ kind: 'invoice', object_id: id, reason, message_id: `<${reason}@acme.com>` },
      });
      return id;
    },
  },
  {
    invariant: 'I62',
    what: 'an invoice that says that it was sent without an email',
    plant: async (db, { issued }) => {
      await db.query('update invoices set sent_at = now() where id = $1', [issued.id]);
      return issued.id;
    },
  },
];
