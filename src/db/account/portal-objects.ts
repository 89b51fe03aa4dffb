import type { Db } from '../connection/pool.ts';

/** Kinds of objects that a portal link may read by their id. */
export type PortalObject =
  | 'subscription'
  | 'invoice'
  | 'payment'
  | 'credit_note'
  | 'credit_grant'
  | 'payment_method'
  | 'payment_session'
  | 'pricing_plan';

/**
 * SQL by kind: whether the object `$3` of the environment `$1` is one that the customer `$2` may see. An invoice is,
 * once it is issued; a plan, by its id alone, if a subscription has it, had it or will have it: a key would name a
 * version that the customer does not have.
 */
const IS_SHOWN: Readonly<Record<PortalObject, string>> = {
  subscription: `
    select from subscriptions where environment_id = $1 and customer_id = $2 and id = $3`,
  invoice: `
    select from invoices where environment_id = $1 and customer_id = $2 and id = $3 and issued_at is not null`,
  payment: `
    select from payments where environment_id = $1 and customer_id = $2 and id = $3`,
  credit_note: `
    select from credit_notes k join invoices i on i.environment_id = k.environment_id and i.id = k.invoice_id
    where k.environment_id = $1 and i.customer_id = $2 and k.id = $3`,
  credit_grant: `
    select from credit_grants where environment_id = $1 and customer_id = $2 and id = $3`,
  payment_method: `
    select from payment_methods where environment_id = $1 and customer_id = $2 and id = $3`,
  payment_session: `
    select from payment_pages
    where environment_id = $1 and customer_id = $2 and id = $3 and invoice_id is not null`,
  pricing_plan: `
    select from subscriptions s where s.environment_id = $1 and s.customer_id = $2 and (s.plan_id = $3 or exists (
      select from plan_changes p
      where p.environment_id = s.environment_id and p.subscription_id = s.id and p.plan_id = $3))`,
};

/** Whether a customer, by its `cus_` id, may see an object by its portal link. */
export async function isShownToCustomer(
  db: Db,
  { environment_id, customer_id }: { environment_id: number; customer_id: string },
  { kind, id }: { kind: PortalObject; id: string },
): Promise<boolean> {
  const { rowCount } = await db.query(`${IS_SHOWN[kind]} limit 1`, [environment_id, customer_id, id]);
  return rowCount === 1;
}
