import type { Db } from '../connection/pool.ts';
import { CANCELED, PLAN_NOW } from './subscriptions.ts';

/** A customer, by our `cus_` id, and the plan of a subscription of it. */
export type PlanOfCustomer = { customer_id: string; plan_id: string };

/** The plans that customers have now, of subscriptions whose end has not come, the oldest subscription first. */
export async function plansOfCustomers(
  db: Db,
  environment_id: number,
  customer_ids: readonly string[],
): Promise<PlanOfCustomer[]> {
  const { rows } = await db.query<PlanOfCustomer>(
    `select s.customer_id, coalesce(${PLAN_NOW}, s.plan_id) as plan_id
     from subscriptions s
     join customers c on c.environment_id = s.environment_id and c.id = s.customer_id
     where s.environment_id = $1 and s.customer_id = any($2) and (${CANCELED}) is not true
     order by s.id`,
    [environment_id, customer_ids],
  );
  return rows;
}
