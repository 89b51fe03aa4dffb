import { billingParameters, eventBillings, UNRATED_REASONS, type BillingScope } from './event-billing.ts';
import type { Db } from '../pool.ts';

/** Number of unrated events by event name, largest first. */
export async function countUnratedByName(
  db: Db,
  scope: BillingScope,
  limit: number,
): Promise<{ event_name: string; events: number }[]> {
  const { rows } = await db.query<{ event_name: string; events: number }>(
    `${eventBillings()},
     unrated as (
       select event_name from billing group by event_id, event_name having bool_and(cause = any($6::text[]))
     )
     select event_name, count(*)::integer as events from unrated
     group by event_name order by events desc, event_name limit $7`,
    [...billingParameters(scope), UNRATED_REASONS, limit],
  );
  return rows;
}
