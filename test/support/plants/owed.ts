import { findCreditNote, insertCreditNote } from '../../../src/db/invoicing/credit-notes.ts';
import type { Invoice } from '../../../src/objects/invoice.ts';
import { changeOwed } from '../../../src/db/invoicing/owed.ts';
import type { Db } from '../../../src/db/connection/pool.ts';
import * as given from '../ledger/billing.ts';
import { reseal } from '../ledger/sound-ledger.ts';
import { change, lineOf, type Plant } from './plant.ts';

const NOTE = 'cn_planted';

/** A credit note of 1.00 and its tax for the ledger's issued invoice, which does not count it yet. */
async function aNote(db: Db, issued: Invoice, given_amounts: object = {}): Promise<string> {
  const amounts = { subtotal: '1.00', tax: '0.20', total: '1.20', to_invoice: '1.20', to_balance: '0.00' };
  await insertCreditNote(db, given.LIVE, {
    ...{ id: NOTE, invoice_id: issued.id, outside: '0.00', reason: 'Planted', created_by: 'key_1' },
    cause_invoice_id: null,
    ...{ issued_at: issued.issued_at!, lines: [{ line_item_id: lineOf(issued), amount: '1.00' }] },
    ...amounts,
    ...given_amounts,
  });
  return NOTE;
}

async function aSoundNote(db: Db, issued: Invoice, given_amounts: object = {}): Promise<string> {
  await aNote(db, issued, given_amounts);
  const { to_invoice } = (await findCreditNote(db, given.LIVE, NOTE))!;
  await changeOwed(db, given.LIVE, { invoice_id: issued.id, credited: to_invoice });
  return NOTE;
}

const ENTRY = `insert into balance_entries (environment_id, id, customer_id, type, amount, created_at)
  select environment_id, $2, id, 'adjustment', $3, now() from customers where id = $1`;

/** An entry by its type, with a payment and an invoice. */
const ENTRY_OF = `insert into balance_entries (environment_id, id, customer_id, type, amount, payment_id, invoice_id,
    created_at, created_by)
  select environment_id, $2, id, $3, $4, $5, $6, now(), 'key_1' from customers where id = $1`;

/** A payment of 5.00 without an invoice. */
const ADVANCE = `insert into payments (environment_id, id, customer_id, amount, to_balance, paid_at, created_at)
  select environment_id, 'pay_planted', id, 5, 5, now(), now() from customers where id = $1`;

/** A transfer of 5.00 without payments. */
const TRANSFER = `insert into transfers (environment_id, id, customer_id, amount, paid_at, created_at)
  select environment_id, 'trf_planted', id, 5, now(), now() from customers where id = $1`;

/** Faults of balances, payments, transfers and credit notes. */
export const OWED_PLANTS: readonly Plant[] = [
  {
    invariant: 'I37',
    what: 'a balance without an entry',
    plant: (db, { customer }) => change(db, customer.id, 'update customers set balance = 1 where id = $1'),
  },
  {
    invariant: 'I37',
    what: 'a balance that was below 0 in between',
    plant: async (db, { customer }) => {
      await db.query(ENTRY, [customer.id, 'bal_1', '-1']);
      await db.query(ENTRY, [customer.id, 'bal_2', '1']);
      return customer.id;
    },
  },
  {
    invariant: 'I38',
    what: 'an invoice that has more from the balance than its entries say',
    plant: (db, { issued }) =>
      change(db, issued.id, 'update invoices set balance_applied = 0.01 where id = $1'),
  },
  {
    invariant: 'I38',
    what: 'a credit note that says more to the balance than its entries do',
    plant: async (db, { issued }) => {
      await aNote(db, issued, { to_invoice: '0.00', to_balance: '1.20' });
      return NOTE;
    },
  },
  {
    invariant: 'I38',
    what: 'a payment that says more to the balance than its entries do',
    plant: (db, { issued }) =>
      change(
        db,
        issued.id,
        'update invoices set amount_paid = 1 where id = $1',
        `insert into payments (environment_id, id, invoice_id, customer_id, amount, to_balance, paid_at, created_at)
         select environment_id, 'pay_planted', id, customer_id, 3, 2, now(), now() from invoices where id = $1`,
      ).then(() => 'pay_planted'),
  },
  {
    invariant: 'I38',
    what: 'a payment in advance without its entry',
    plant: async (db, { customer }) => {
      await db.query(ADVANCE, [customer.id]);
      return 'pay_planted';
    },
  },
  {
    invariant: 'I38',
    what: 'an invoice on which is due again what a payment gave that stands',
    plant: async (db, { customer, issued }) => {
      await db.query(ADVANCE, [customer.id]);
      await db.query(ENTRY_OF, [customer.id, 'bal_1', 'deposit', '5', 'pay_planted', null]);
      await db.query(ENTRY_OF, [customer.id, 'bal_2', 'applied', '-1', null, issued.id]);
      await db.query(ENTRY_OF, [customer.id, 'bal_3', 'unapplied', '1', 'pay_planted', issued.id]);
      await db.query('update customers set balance = 5 where id = $1', [customer.id]);
      return 'pay_planted';
    },
  },
  {
    invariant: 'I38',
    what: 'an invoice whose balance at the issue has no entry',
    plant: async (db, { issued }) => {
      await db.query('update invoices set balance_at_issue = 1 where id = $1', [issued.id]);
      await reseal(db, issued.id);
      return issued.id;
    },
  },
  {
    invariant: 'I38',
    what: 'an entry that names the invoice of another customer',
    plant: async (db, { customer, held }) => {
      await db.query(ENTRY, [customer.id, 'bal_1', '1']);
      await db.query('update customers set balance = 1 where id = $1', [customer.id]);
      return change(db, held.id, 'update balance_entries set invoice_id = $1').then(() => 'bal_1');
    },
  },
  {
    invariant: 'I54',
    what: 'a transfer without payments',
    plant: async (db, { customer }) => {
      await db.query(TRANSFER, [customer.id]);
      return 'trf_planted';
    },
  },
  {
    invariant: 'I54',
    what: 'a transfer with the payment of another customer',
    plant: async (db, { customer, held }) => {
      const { rows } = await db.query<{ id: string }>(
        'select customer_id as id from invoices where id = $1',
        [held.id],
      );
      const other = rows[0]!.id;
      await db.query(TRANSFER, [customer.id]);
      await db.query(ADVANCE, [other]);
      await db.query(ENTRY_OF, [other, 'bal_1', 'deposit', '5', 'pay_planted', null]);
      await db.query('update customers set balance = 5 where id = $1', [other]);
      await db.query(`update payments set transfer_id = 'trf_planted' where id = 'pay_planted'`);
      return 'trf_planted';
    },
  },
  {
    invariant: 'I39',
    what: 'a credit note that its invoice does not count',
    plant: (db, { issued }) => aNote(db, issued).then(() => issued.id),
  },
  {
    invariant: 'I39',
    what: 'a line above 0 whose credit is below 0',
    plant: async (db, { issued }) => {
      const flat = lineOf(issued, 'flat');
      await aSoundNote(db, issued, {
        lines: [
          { line_item_id: lineOf(issued), amount: '2.00' },
          { line_item_id: flat, amount: '-1.00' },
        ],
      });
      return flat;
    },
  },
  {
    invariant: 'I39',
    what: 'a line that is credited beyond its amount',
    plant: async (db, { issued }) => {
      const line_item_id = lineOf(issued, 'flat'); // of 49.00
      await aSoundNote(db, issued, {
        ...{ subtotal: '50.00', tax: '10.00', total: '60.00', to_invoice: '60.00' },
        lines: [{ line_item_id, amount: '50.00' }],
      });
      return line_item_id;
    },
  },
  {
    invariant: 'I39',
    what: 'an automatic credit note that stands although the invoice of the late line is void',
    plant: async (db, { issued }) => {
      const lines = [{ line_item_id: lineOf(issued, 'flat'), amount: '1.00' }];
      const note = await aSoundNote(db, issued, { created_by: null, lines });
      await db.query(
        `update credit_notes set cause_invoice_id = (select id from invoices where status = 'void' limit 1)
         where id = $1`,
        [note],
      );
      return note;
    },
  },
  {
    invariant: 'I48',
    what: 'a fee in advance of a closed period that is not its price',
    plant: async (db, { issued }) => {
      const { rows } = await db.query<{ id: string }>(
        `update charges set pricing = pricing || '{"billed": "in_advance"}'
         where plan_id = $1 and event_name = 'fee' returning id`,
        [issued.plan_id],
      );
      const lines = [{ line_item_id: lineOf(issued, 'flat'), amount: '1.00' }];
      await aSoundNote(db, issued, { created_by: null, lines });
      return rows[0]!.id;
    },
  },
  {
    invariant: 'I40',
    what: 'a number without a credit note',
    plant: (db) =>
      change(
        db,
        `environment ${given.LIVE}`,
        `update environments set last_credit_note_number = 1 where id = ${given.LIVE}`,
      ),
  },
  {
    invariant: 'I41',
    what: 'a credit note with another reason',
    plant: async (db, { issued }) => {
      await aSoundNote(db, issued);
      return change(db, NOTE, `update credit_notes set reason = 'Other' where id = $1`);
    },
  },
];
