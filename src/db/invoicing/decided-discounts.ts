import type { Db } from '../connection/pool.ts';
import { ASKED_FULL_PERIODS, askedFullPeriods, type FullPeriodKey } from './usage-lines.ts';

/** The ids of the discounts that the issued lines of a charge and full period have. */
export type DecidedDiscounts = FullPeriodKey & { charge_id: string; discount_ids: string[] };

/**
 * The discounts of charges in full periods that the first of their lines on open and paid invoices has decided
 * (billing.md 11).
 */
export async function decidedDiscounts(
  db: Db,
  environment_id: number,
  keys: readonly FullPeriodKey[],
): Promise<DecidedDiscounts[]> {
  if (keys.length === 0) return [];
  const { rows } = await db.query<DecidedDiscounts>(
    `select distinct on (l.subscription_id, l.charge_id, l.full_period_start) l.subscription_id, l.charge_id,
       l.full_period_start, array(
         select discount ->> 'discount_id' from jsonb_array_elements(l.discounts) as discount) as discount_ids
     from ${ASKED_FULL_PERIODS}
     join line_items l on l.environment_id = $1 and l.subscription_id = asked.subscription_id
       and l.full_period_start = asked.full_period_start and l.charge_id is not null
     join invoices i on i.environment_id = l.environment_id and i.id = l.invoice_id and i.status in ('open', 'paid')
     order by l.subscription_id, l.charge_id, l.full_period_start, i.issued_at, i.id, l.id`,
    [environment_id, ...askedFullPeriods(keys)],
  );
  return rows;
}
