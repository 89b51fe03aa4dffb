import type { Db } from '../connection/pool.ts';
import type { Kind } from './unit.ts';

/** The table whose size is about the number of units of a kind. */
export const SIZED_BY: { readonly [kind in Kind]?: string } = {
  invoice: 'invoices',
  subscription: 'subscriptions',
  grant: 'credit_grants',
  customer: 'customers',
  item: 'invoice_items',
  plan_key: 'plans',
  plan_migration: 'plan_migrations',
  closed_month: 'closed_months',
  full_period: 'invoices',
  usage_day: 'usage_days',
  event_day: 'event_days',
};

/** Estimates the number of units of each kind, as far as the planner knows. */
export async function countUnits(db: Db): Promise<Map<Kind, number>> {
  const { rows } = await db.query<{ kind: Kind; total: number }>(
    `select sized.kind, c.reltuples::float8 as total
     from jsonb_each_text($1::jsonb) as sized(kind, name)
     join pg_class c on c.oid = to_regclass(sized.name) and c.reltuples > 0`,
    [JSON.stringify(SIZED_BY)],
  );
  return new Map(rows.map(({ kind, total }) => [kind, total]));
}
