import { insertDiscount } from '../../../src/db/subscriptions/discounts.ts';
import type { Db } from '../../../src/db/connection/pool.ts';
import type { Invoice } from '../../../src/objects/invoice.ts';
import * as given from '../ledger/billing.ts';
import { reseal } from '../ledger/sound-ledger.ts';
import { lineOf, type Plant } from './plant.ts';

/** Puts a period line of the full period of a line on its issued invoice, and its amount on the sums. */
async function addPeriodLine(
  db: Db,
  { id }: Invoice,
  line: { beside: string; type: 'discount' | 'minimum'; amount: string; discounts: readonly object[] },
): Promise<void> {
  await db.query(
    `insert into line_items (environment_id, id, subscription_id, invoice_id, position, type, description, quantity,
       skipped_events, credits_applied, billable_quantity, amount, period_start, period_end, full_period_start, discounts)
     select environment_id, 'li_planted', subscription_id, invoice_id, 99, $2, 'Planted', 1, 0, 0, 1, $3, period_start,
       period_end, full_period_start, $4
     from line_items where id = $1`,
    [line.beside, line.type, line.amount, JSON.stringify(line.discounts)],
  );
  await db.query(
    `update invoices set subtotal = subtotal + $2, tax_amount = round((subtotal + $2) * tax_rate / 100, 2),
       total = subtotal + $2 + round((subtotal + $2) * tax_rate / 100, 2),
       discounts = discounts + case when $3 = 'discount' then $2::numeric else 0 end,
       minimums = minimums + case when $3 = 'minimum' then $2::numeric else 0 end
     where id = $1`,
    [id, line.amount, line.type],
  );
  await reseal(db, id);
}

async function aDiscountOf(db: Db, { id }: Invoice, amount: string): Promise<object[]> {
  const { rows } = await db.query<{ customer_id: string }>('select customer_id from invoices where id = $1', [
    id,
  ]);
  const at = '2026-01-01T00:00:00.000Z';
  await insertDiscount(db, given.LIVE, {
    ...{ id: 'dis_planted', customer_id: rows[0]!.customer_id, subscription_id: null, name: 'Loyalty' },
    ...{ percent: null, amount, event_names: null, from: at, until: null, created_at: at },
  });
  return [{ discount_id: 'dis_planted', name: 'Loyalty', percent: null }];
}

/** Faults of period lines. */
export const PERIOD_LINE_PLANTS: readonly Plant[] = [
  {
    invariant: 'I58',
    what: 'a discount of 5.00 that takes off 6.00',
    plant: async (db, { issued }) => {
      const discounts = await aDiscountOf(db, issued, '5');
      await addPeriodLine(db, issued, {
        ...{ beside: lineOf(issued), type: 'discount', amount: '-6.00', discounts },
      });
      return issued.subscription_id;
    },
  },
  {
    invariant: 'I58',
    what: 'a discount above zero',
    plant: async (db, { issued }) => {
      const discounts = await aDiscountOf(db, issued, '5');
      await addPeriodLine(db, issued, {
        ...{ beside: lineOf(issued), type: 'discount', amount: '6.00', discounts },
      });
      return issued.subscription_id;
    },
  },
  {
    invariant: 'I58',
    what: 'a minimum of a plan without one, in a period that is followed by a billed one',
    plant: async (db, { late }) => {
      const of_late = { beside: lineOf(late, 'late_usage'), type: 'minimum', discounts: [] } as const;
      await addPeriodLine(db, late, { ...of_late, amount: '5.00' });
      return late.subscription_id;
    },
  },
];
