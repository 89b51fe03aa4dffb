import type { Charge } from '../../domain/pricing/charge.ts';
import { groupedBy } from '../../domain/money/grouped.ts';
import { MODELS, PRICING_MODELS, type PricingModel } from '../../domain/pricing/definitions.ts';
import type { Reading } from '../../domain/people/redaction.ts';
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

/** Charges by their ids; of any plans, also of archived ones. */
export async function chargesById(
  db: Db,
  environment_id: number,
  ids: readonly string[],
): Promise<Map<string, Charge>> {
  const { rows } = await db.query<Charge>(
    `select id, event_name, name, unit_name, aggregation, filters, pricing, group_by from charges
     where environment_id = $1 and id = any($2)`,
    [environment_id, ids],
  );
  return new Map(rows.map((charge) => [charge.id, charge]));
}

/** The charges of the lines of an invoice, which may be of several plans, in any order. */
export async function chargesOfInvoice(
  db: Db,
  environment_id: number,
  invoice_id: string,
): Promise<Charge[]> {
  const { rows } = await db.query<Charge>(
    `select id, event_name, name, unit_name, aggregation, filters, pricing, group_by from charges
     where environment_id = $1
       and id in (select charge_id from line_items where environment_id = $1 and invoice_id = $2)`,
    [environment_id, invoice_id],
  );
  return rows;
}

/**
 * Reads the filters and aggregations of the charges of all plans of a customer: those of subscriptions that ended, and
 * those to come.
 */
export async function chargesOfCustomer(
  db: Db,
  environment_id: number,
  customer_id: string,
): Promise<Reading[]> {
  const { rows } = await db.query<Reading>(
    `select aggregation, filters, pricing, group_by from charges
     where environment_id = $1
       and plan_id in (
         select p.plan_id from subscriptions s
         join subscription_plans p on p.environment_id = s.environment_id and p.subscription_id = s.id
         where s.environment_id = $1 and s.customer_id = $2)`,
    [environment_id, customer_id],
  );
  return rows;
}
