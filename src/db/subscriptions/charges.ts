import type { Charge } from '../../domain/charge.ts';
import { groupedBy } from '../../domain/grouped.ts';
import { MODELS, PRICING_MODELS, type PricingModel } from '../../domain/pricing/definitions.ts';
import type { Reading } from '../../domain/redaction.ts';
import type { Db } from '../connection/pool.ts';

/** SQL: true if the model of the charge `h` is none of `models`. */
export function isOfNone(models: readonly PricingModel[], h: string): string {
  return `${h}.pricing ->> 'pricing_model' <> all ('{${models.join(',')}}')`;
}

const UNMETERED = PRICING_MODELS.filter((model) => !MODELS[model].is_metered);

/** SQL: true if the charge `h` bills events. */
export function isMeteredCharge(h: string): string {
  return isOfNone(UNMETERED, h);
}

/** The charges of a plan, in plan order. A plan's charges never change. */
export async function chargesOf(db: Db, environment_id: number, plan_id: string): Promise<Charge[]> {
  return (await chargesOfPlans(db, environment_id, [plan_id])).get(plan_id) ?? [];
}

/** The charges of plans by plan id, in plan order. */
export async function chargesOfPlans(
  db: Db,
  environment_id: number,
  plan_ids: readonly string[],
): Promise<Map<string, Charge[]>> {
  const { rows } = await db.query<Charge & { plan_id: string }>(
    `select plan_id, id, event_name, name, unit_name, aggregation, filters, pricing, group_by from charges
     where environment_id = $1 and plan_id = any($2) order by position`,
    [environment_id, plan_ids],
  );
  const charges = rows.map(({ plan_id, ...charge }) => ({ plan_id, charge }));
  return new Map(
    [...groupedBy(charges, ({ plan_id }) => plan_id)].map(([id, of_plan]) => [
      id,
      of_plan.map(({ charge }) => charge),
    ]),
  );
}

/** Reads the filters and aggregations of the charges of all subscriptions of a customer, ended ones too. */
export async function chargesOfCustomer(
  db: Db,
  environment_id: number,
  customer_id: string,
): Promise<Reading[]> {
  const { rows } = await db.query<Reading>(
    `select aggregation, filters, pricing, group_by from charges
     where environment_id = $1
       and plan_id in (select plan_id from subscriptions where environment_id = $1 and customer_id = $2)`,
    [environment_id, customer_id],
  );
  return rows;
}
