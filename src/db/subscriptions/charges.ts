import type { Charge } from '../../domain/charge.ts';
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
  const { rows } = await db.query<Charge>(
    `select id, event_name, name, unit_name, aggregation, filters, pricing, group_by from charges
     where environment_id = $1 and plan_id = $2 order by position`,
    [environment_id, plan_id],
  );
  return rows;
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
