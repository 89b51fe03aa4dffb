import type { Db } from '../connection/pool.ts';
import type { Subscription } from './subscription-context.ts';

/** A due period of another subscription of the same customer. */
export type DuePeriod = { subscription_id: string; period_end: string };

/**
 * Reads for each of the customer's other subscriptions the first period to issue now: an ended period whose hold is over, or a draft
 * whose hold is over. Earliest end first. Held drafts and parked subscriptions are left out: they hold up no other (billing.md 1).
 */
export async function duePeriodsOfOthers(
  db: Db,
  subscription: Subscription,
  { grace_period_ms, limit }: { grace_period_ms: number; limit: number },
): Promise<DuePeriod[]> {
  const { environment_id, customer_id, id, now, livemode, hold_drafts } = subscription;
  const { rows } = await db.query<DuePeriod>(
    `select s.id as subscription_id, due.period_end
     from subscriptions s
     cross join lateral (
       select min(ended.period_end) as period_end from (
         select p.period_end from periods p
         where p.environment_id = s.environment_id and p.subscription_id = s.id and p.closed_at is null
           and p.period_end <= $4::timestamptz - make_interval(secs => $5) and not $6
         union all
         select i.period_end from invoices i
         where i.environment_id = s.environment_id and i.subscription_id = s.id and i.status = 'draft'
           and i.hold_until <= $4
       ) as ended
     ) as due
     where s.environment_id = $1 and s.customer_id = $2 and s.id <> $3 and s.finished_at is null and s.attention is null
       and due.period_end is not null
     order by due.period_end, s.id limit $7`,
    [environment_id, customer_id, id, now, livemode ? grace_period_ms / 1000 : 0, hold_drafts, limit],
  );
  return rows;
}
