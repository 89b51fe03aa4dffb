import type { Db } from '../../../src/db/connection/pool.ts';
import type { Invoice } from '../../../src/objects/invoice.ts';
import { change, copyRow, type Plant } from './plant.ts';

const CUSTOM = 'plan_planted_custom';

/** A copy of a plan with its charges, under another id. */
async function aCopy(db: Db, plan_id: string, id: string, changed: object = {}): Promise<string> {
  await copyRow(db, 'plans', { id: plan_id }, { key: null, version: null, ...changed, id });
  await db.query(
    `insert into charges select (jsonb_populate_record(h, jsonb_build_object('id', h.id || $2, 'plan_id', $2::text))).*
     from charges h where h.plan_id = $1`,
    [plan_id, id],
  );
  return id;
}

async function customerOf(db: Db, { id }: Invoice): Promise<string> {
  const { rows } = await db.query<{ customer_id: string }>('select customer_id from invoices where id = $1', [
    id,
  ]);
  return rows[0]!.customer_id;
}

/** A custom plan of the plan of an invoice, for the customer of the invoice. */
async function aCustomPlan(db: Db, invoice: Invoice, changed: object = {}): Promise<string> {
  const terms = { based_on: invoice.plan_id, customer_id: await customerOf(db, invoice), overrides: [] };
  return aCopy(db, invoice.plan_id, CUSTOM, { ...terms, ...changed });
}

/** Faults of custom plans. */
export const CUSTOM_PLAN_PLANTS: readonly Plant[] = [
  {
    invariant: 'I57',
    what: 'a custom plan whose charges lack an override',
    plant: (db, { issued }) =>
      aCustomPlan(db, issued, {
        overrides: [{ charge: 0, pricing_model: 'per_unit', unit_amount: '7' }],
      }),
  },
  {
    invariant: 'I57',
    what: 'a custom plan with another price than its base, without an override',
    plant: async (db, { issued }) =>
      change(
        db,
        await aCustomPlan(db, issued),
        `update charges set pricing = '{"pricing_model": "per_unit", "unit_amount": "7"}'
         where plan_id = $1 and position = 1`,
      ),
  },
  {
    invariant: 'I57',
    what: 'a custom plan with another interval than its base',
    plant: (db, { issued }) => aCustomPlan(db, issued, { interval_count: 2 }),
  },
  {
    invariant: 'I57',
    what: 'a custom plan based on a custom plan',
    plant: async (db, { issued }) => {
      const based_on = await aCustomPlan(db, issued);
      const customer_id = await customerOf(db, issued);
      return aCopy(db, issued.plan_id, `${CUSTOM}_2`, { based_on, customer_id, overrides: [] });
    },
  },
  {
    invariant: 'I57',
    what: "a subscription to another customer's custom plan",
    plant: async (db, { issued, late }) => {
      await aCopy(db, issued.plan_id, CUSTOM);
      await db.query(
        `update plans set key = null, version = null, based_on = $2, customer_id = $3, overrides = '[]' where id = $1`,
        [issued.plan_id, CUSTOM, await customerOf(db, late)],
      );
      // A plan changes its customer in no other way: what is looked at again is the subscription that changes.
      return change(
        db,
        issued.subscription_id,
        `update subscriptions set created_at = created_at - interval '1 second' where id = $1`,
      );
    },
  },
];
