import { insertDiscount } from '../../../src/db/subscriptions/discounts.ts';
import type { Db } from '../../../src/db/connection/pool.ts';
import type { Invoice } from '../../../src/objects/invoice.ts';
import * as given from '../ledger/billing.ts';
import { reseal } from '../ledger/sound-ledger.ts';
import { lineOf, type Plant } from './plant.ts';

const DISCOUNT = 'dis_planted';

/** A discount of a percent that changes no amount, of the customer of an invoice. */
async function aDiscount(db: Db, { id }: Invoice, subscription_id: string | null = null): Promise<void> {
  const { rows } = await db.query<{ customer_id: string }>('select customer_id from invoices where id = $1', [
    id,
  ]);
  const at = '2026-01-01T00:00:00.000Z';
  await insertDiscount(db, given.LIVE, {
    ...{ id: DISCOUNT, customer_id: rows[0]!.customer_id, subscription_id, name: 'Loyalty' },
    ...{ percent: '0.0001', amount: null, event_names: null, from: at, until: null, created_at: at },
  });
}

/** Gives a line of an issued invoice the discount, by a name. */
async function onLine(
  db: Db,
  invoice: Invoice,
  { line, name }: { line: string; name: string },
): Promise<string> {
  const discounts = [{ discount_id: DISCOUNT, name, percent: '0.0001' }];
  await db.query('update line_items set discounts = $2, amount_before = amount where id = $1', [
    line,
    JSON.stringify(discounts),
  ]);
  await reseal(db, invoice.id);
  return line;
}

/** Faults of discounts. */
export const DISCOUNT_PLANTS: readonly Plant[] = [
  {
    invariant: 'I56',
    what: 'a late line with a discount that the line of its period has not',
    plant: async (db, { late }) => {
      await aDiscount(db, late);
      return onLine(db, late, { line: lineOf(late, 'late_usage'), name: 'Loyalty' });
    },
  },
  {
    invariant: 'I56',
    what: 'a line with another name of its discount',
    plant: async (db, { issued }) => {
      await aDiscount(db, issued);
      return onLine(db, issued, { line: lineOf(issued), name: 'Launch' });
    },
  },
  {
    invariant: 'I56',
    what: "a line with another customer's discount",
    plant: async (db, { issued, late }) => {
      await aDiscount(db, late);
      return onLine(db, issued, { line: lineOf(issued), name: 'Loyalty' });
    },
  },
  {
    invariant: 'I56',
    what: "a discount of another customer's subscription",
    plant: async (db, { issued, late }) => {
      await aDiscount(db, issued, late.subscription_id);
      return DISCOUNT;
    },
  },
];
