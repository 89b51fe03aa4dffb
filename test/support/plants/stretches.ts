import type { Db } from '../../../src/db/connection/pool.ts';
import type { Invoice } from '../../../src/objects/invoice.ts';
import { reseal } from '../ledger/sound-ledger.ts';
import { lineOf, type Plant } from './plant.ts';

const FROM = '2026-01-01T00:00:00.000Z';
const HALF = '2026-01-16T00:00:00.000Z';
const TO = '2026-02-01T00:00:00.000Z';

type Stretch = [period_start: string, period_end: string, amount: string];

/** Gives the fee of an issued invoice stretches, and nothing that was billed before. */
async function stretched(db: Db, invoice: Invoice, stretches: readonly Stretch[]): Promise<string> {
  const line = lineOf(invoice, 'flat');
  const said = stretches.map(([period_start, period_end, amount]) => ({
    ...{ period_start, period_end, quantity: '1', amount },
  }));
  await db.query('update line_items set stretches = $2, billed_before = 0 where id = $1', [
    line,
    JSON.stringify(said),
  ]);
  await reseal(db, invoice.id);
  return line;
}

/** Makes the fee of the plan of an invoice one for each of a quantity. */
function withQuantity(db: Db, { plan_id }: Invoice) {
  return db.query(
    `update charges set pricing = pricing || '{"quantity": "subscription"}' where plan_id = $1 and event_name = 'fee'`,
    [plan_id],
  );
}

/** Faults of stretches. */
export const STRETCH_PLANTS: readonly Plant[] = [
  {
    invariant: 'I59',
    what: 'stretches of a charge without a quantity',
    plant: (db, { issued }) => stretched(db, issued, [[FROM, TO, '49.00']]),
  },
  {
    invariant: 'I59',
    what: 'a line of a charge with a quantity that has no stretches',
    plant: async (db, { issued }) => {
      await withQuantity(db, issued);
      // Charges never change, so that nothing else says that the invoice is concerned.
      await db.query(`update invoices set hold_until = hold_until + interval '1 second' where id = $1`, [
        issued.id,
      ]);
      return lineOf(issued, 'flat');
    },
  },
  {
    invariant: 'I59',
    what: 'stretches that do not sum to the amount of their line',
    plant: async (db, { issued }) => {
      await withQuantity(db, issued);
      return stretched(db, issued, [[FROM, TO, '48.00']]);
    },
  },
  {
    invariant: 'I59',
    what: 'stretches with a gap between them',
    plant: async (db, { issued }) => {
      await withQuantity(db, issued);
      const later = '2026-01-17T00:00:00.000Z';
      return stretched(db, issued, [
        [FROM, HALF, '24.00'],
        [later, TO, '25.00'],
      ]);
    },
  },
  {
    invariant: 'I59',
    what: 'stretches that end before their line',
    plant: async (db, { issued }) => {
      await withQuantity(db, issued);
      return stretched(db, issued, [[FROM, HALF, '49.00']]);
    },
  },
];
