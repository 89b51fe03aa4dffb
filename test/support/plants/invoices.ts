import assert from 'node:assert/strict';
import { reseal } from '../ledger/sound-ledger.ts';
import { change, copyRow, lineOf, type Plant } from './plant.ts';

/** Faults of invoices. */
export const INVOICES_PLANTS: readonly Plant[] = [
  {
    invariant: 'I8',
    what: 'a total that is not the sum',
    plant: (db, { draft }) => change(db, draft.id, 'update invoices set total = total + 0.01 where id = $1'),
  },
  {
    invariant: 'I8',
    what: 'part of a cent',
    plant: (db, { draft }) =>
      change(db, draft.id, 'update invoices set subtotal = subtotal + 0.000 where id = $1'),
  },
  {
    invariant: 'I8',
    what: 'fees of an issued invoice that are called usage',
    plant: (db, { issued }) =>
      change(db, issued.id, 'update invoices set fees = fees + 0.01, usage = usage - 0.01 where id = $1'),
  },
  {
    invariant: 'I9',
    what: 'another currency than the customer has',
    plant: (db, { draft }) => change(db, draft.id, `update invoices set currency = 'EUR' where id = $1`),
  },
  {
    invariant: 'I10',
    what: 'two invoices of one period',
    plant: async (db, { draft }) => {
      await db.query('drop index invoices_period');
      await db.query(
        `create unique index on invoices (environment_id, subscription_id, period_start, id) where status <> 'void'`,
      );
      const sums = { subtotal: '0.00', tax_amount: '0.00', total: '0.00' };
      await copyRow(db, 'invoices', { id: draft.id }, { id: 'inv_twin', ...sums });
      return 'inv_twin';
    },
  },
  {
    invariant: 'I10',
    what: 'a lost index',
    plant: (db) => change(db, 'invoices', 'drop index invoices_period'),
  },
  {
    invariant: 'I13',
    what: 'a number that no invoice has',
    plant: (db) =>
      change(
        db,
        'number 8',
        'update environments set last_invoice_number = last_invoice_number + 1 where livemode',
      ),
  },
  {
    invariant: 'I13',
    what: 'a number beyond the last one given',
    plant: async (db, { late }) => {
      await change(db, late.id, 'update invoices set number = number + 10 where id = $1');
      await db.query('update environments set last_invoice_number = last_invoice_number - 1 where livemode');
      await reseal(db, late.id);
      return late.id;
    },
  },
  {
    invariant: 'I13',
    what: 'an invoice with a number that was skipped',
    plant: async (db, { late }) => {
      await db.query(`update environments set last_invoice_number = last_invoice_number + 1 where livemode`);
      await db.query(
        `insert into invoice_number_gaps (environment_id, number_from, number_to, reason)
         select environment_id, number, number, 'restored' from invoices where id = $1`,
        [late.id],
      );
      return late.id;
    },
  },
  {
    invariant: 'I13',
    what: 'numbers in another order than the invoices',
    plant: async (db, { late, replacing }) => {
      await change(db, late.id, `update invoices set issued_at = '2026-01-31T00:00:00Z' where id = $1`);
      await reseal(db, late.id);
      assert.ok(replacing.number! < late.number!);
      return late.id;
    },
  },
  {
    invariant: 'I14',
    what: 'an issued invoice that was edited',
    plant: async (db, { issued }) => {
      await change(db, lineOf(issued), `update line_items set description = 'Cheaper' where id = $1`);
      return issued.id;
    },
  },
  {
    invariant: 'I14',
    what: 'an issued invoice with another seller',
    plant: (db, { issued }) =>
      change(
        db,
        issued.id,
        `update invoices set seller = seller || '{"footer": "Payable at once"}' where id = $1`,
      ),
  },
  {
    invariant: 'I14',
    what: 'an issued invoice with another customer',
    plant: (db, { issued }) =>
      change(db, issued.id, `update invoices set customer = customer || '{"name": "Heirs"}' where id = $1`),
  },
  {
    invariant: 'I14',
    what: 'an issued invoice whose logo is gone',
    plant: async (db, { issued }) => {
      await change(db, issued.id, `update invoices set logo_sha256 = repeat('0', 64) where id = $1`);
      await reseal(db, issued.id);
      return issued.id;
    },
  },
  {
    invariant: 'I15',
    what: 'a draft that is void',
    plant: (db, { draft }) => change(db, draft.id, 'update invoices set voided_at = now() where id = $1'),
  },
  {
    invariant: 'I15',
    what: 'an open invoice without anything due',
    plant: (db, { issued }) =>
      change(
        db,
        issued.id,
        'update invoices set amount_paid = total where id = $1',
        `insert into payments (environment_id, id, invoice_id, customer_id, amount, paid_at, created_at)
         select environment_id, 'pay_planted', id, customer_id, total, now(), now() from invoices where id = $1`,
      ),
  },
  {
    invariant: 'I36',
    what: 'a payment that no invoice counts',
    plant: (db, { issued }) =>
      change(
        db,
        issued.id,
        `insert into payments (environment_id, id, invoice_id, customer_id, amount, paid_at, created_at)
         select environment_id, 'pay_planted', id, customer_id, 1, now(), now() from invoices where id = $1`,
      ),
  },
  {
    invariant: 'I36',
    what: 'a payment of an invoice of another customer',
    plant: async (db, { issued, held }) => {
      await db.query(
        `insert into payments (environment_id, id, invoice_id, customer_id, amount, paid_at, created_at, reversed_at,
           reversal_reason)
         select i.environment_id, 'pay_planted', i.id, o.customer_id, 1, now(), now(), now(), 'planted'
         from invoices i join invoices o on o.id = $2 where i.id = $1`,
        [issued.id, held.id],
      );
      return 'pay_planted';
    },
  },
  {
    invariant: 'I36',
    what: 'an invoice that was paid in part without a payment',
    plant: (db, { issued }) => change(db, issued.id, 'update invoices set amount_paid = 0.01 where id = $1'),
  },
  {
    invariant: 'I32',
    what: 'an invoice that replaces one which does not know',
    plant: async (db, { draft, voided }) => {
      await db.query('update invoices set replaces = $2 where id = $1', [draft.id, voided.id]);
      return draft.id;
    },
  },
  {
    invariant: 'I32',
    what: 'a request that says it is done and is not',
    plant: async (db, { replacing, late }) => {
      await db.query('update regenerations set new_invoice_id = $2 where new_invoice_id = $1', [
        replacing.id,
        late.id,
      ]);
      return replacing.replaces!;
    },
  },
];
