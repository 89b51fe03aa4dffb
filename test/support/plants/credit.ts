import type { Db } from '../../../src/db/connection/pool.ts';
import * as given from '../ledger/billing.ts';
import { change, type Plant } from './plant.ts';

/** Faults of credit. */
export const CREDIT_PLANTS: readonly Plant[] = [
  {
    invariant: 'I16',
    what: 'a balance that its ledger does not give',
    plant: (db, { grant }) =>
      change(db, grant, 'update credit_grants set remaining = remaining + 1 where id = $1'),
  },
  {
    invariant: 'I16',
    what: 'a return that takes',
    plant: async (db, { grant }) => {
      await db.query(
        `insert into credit_ledger (environment_id, grant_id, type, amount, created_at)
         values ($1, $2, 'returned', 1, now()), ($1, $2, 'returned', -1, now())`,
        [given.LIVE, grant],
      );
      return grant;
    },
  },
  {
    invariant: 'I17',
    what: 'a balance that was below 0 for a while',
    plant: async (db, { grant }) => {
      await db.query(
        `insert into credit_ledger (environment_id, grant_id, type, amount, created_at)
         values ($1, $2, 'expired', -20, now()), ($1, $2, 'expired', 20, now())`,
        [given.LIVE, grant],
      );
      return grant;
    },
  },
  {
    invariant: 'I18',
    what: "another customer's credit",
    plant: async (db, { grant, draft }) => {
      await db.query(
        `update credit_grants set customer_id = (select customer_id from invoices where id = $2) where id = $1`,
        [grant, draft.id],
      );
      return grant;
    },
  },
  {
    invariant: 'I18',
    what: 'credit that had expired before the usage',
    plant: (db, { grant }) =>
      change(db, grant, `update credit_grants set expires_at = '2025-12-31' where id = $1`),
  },
  {
    invariant: 'I18',
    what: 'credit that was given after the usage',
    plant: (db, { grant }) =>
      change(db, grant, `update credit_grants set created_at = '2026-02-01' where id = $1`),
  },
  {
    invariant: 'I18',
    what: 'credit for another event',
    plant: (db, { grant }) =>
      change(
        db,
        grant,
        `update credit_grants set event_names = '["other"]', expires_at = '2099-01-01' where id = $1`,
      ),
  },
  {
    invariant: 'I51',
    what: 'a period without a grant of its plan',
    plant: async (db, { issued }) => {
      await db.query(`update plans set grants = '[{"amount": "5"}]' where id = $1`, [issued.plan_id]);
      const { rows } = await db.query<{ id: string }>(
        `update periods set opened_at = period_start where subscription_id = $1 returning subscription_id as id`,
        [issued.subscription_id],
      );
      return rows[0]!.id;
    },
  },
  {
    invariant: 'I51',
    what: 'a grant of a plan that outlives its period',
    plant: async (db, { issued, grant }) => {
      const terms = `period_bound = '2026-03-01', expires_at = '2026-03-01'`;
      await ofPlan(db, grant, { subscription_id: issued.subscription_id, terms });
      return grant;
    },
  },
  {
    invariant: 'I51',
    what: 'a grant of a plan that outlives the change that takes it back',
    plant: async (db, { issued, grant }) => {
      const { subscription_id, plan_id } = issued;
      const terms = `expires_in_days = 59, expires_at = '2026-03-01'`;
      await ofPlan(db, grant, { subscription_id, terms });
      await db.query(
        `insert into plan_changes (environment_id, subscription_id, at, plan_id, is_day, take_back_grants)
         values ($1, $2, '2026-02-01', $3, false, true)`,
        [given.LIVE, subscription_id, plan_id],
      );
      return grant;
    },
  },
  {
    invariant: 'I19',
    what: 'credit that another line of the invoice has',
    plant: (db, { issued }) =>
      change(
        db,
        issued.id,
        `update credit_draws d set line_item_id = f.id
         from line_items l join line_items f on f.invoice_id = l.invoice_id and f.type = 'flat'
         where d.line_item_id = l.id and l.invoice_id = $1`,
      ),
  },
  {
    invariant: 'I34',
    what: 'lines that have more credit than the ledger has drawn',
    plant: (db, { grant }) =>
      change(
        db,
        grant,
        `update credit_ledger set amount = amount + 1 where grant_id = $1 and type = 'drawn'`,
        'update credit_grants set remaining = remaining + 1 where id = $1',
      ),
  },
  {
    invariant: 'I34',
    what: 'a void invoice that kept its credit',
    plant: async (db, { voided }) => {
      const { rows } = await db.query<{ grant_id: string }>(
        `delete from credit_ledger where invoice_id = $1 and type = 'returned' returning grant_id`,
        [voided.id],
      );
      return change(db, rows[0]!.grant_id, 'update credit_grants set remaining = 0 where id = $1');
    },
  },
];

/** Makes a grant one of a plan, for January. */
async function ofPlan(
  db: Db,
  grant: string,
  { subscription_id, terms }: { subscription_id: string; terms: string },
): Promise<void> {
  await db.query(
    `update credit_grants set subscription_id = $2, place = 0, created_at = '2026-01-01',
       full_period_start = '2026-01-01', ${terms} where id = $1`,
    [grant, subscription_id],
  );
}
