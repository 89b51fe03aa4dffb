import type { Subscription } from '../../domain/subscription/subscription.ts';
import type { Db } from '../connection/pool.ts';

/** A due period of another subscription of the same customer. */
export type DuePeriod = { subscription_id: string; period_end: string };

/** A due period, and the subscription whose sibling has it. */
type OfSibling = DuePeriod & { of_subscription: string };

/**
 * Reads for each of the other subscriptions of the customers the first period to issue now: an ended period whose hold
 * is over, or a draft whose hold is over. At most `limit` for each subscription, earliest end first. Held drafts and
 * parked subscriptions are left out: they hold up no other (billing.md 1).
 */
export async function duePeriodsOfSiblings(
  db: Db,
  environment_id: number,
  subscriptions: readonly Subscription[],
  { grace_period_ms, limit }: { grace_period_ms: number; limit: number },
): Promise<Map<string, DuePeriod[]>> {
  const due_periods = new Map<string, DuePeriod[]>(subscriptions.map(({ id }) => [id, []]));
  const questions = subscriptions
    .filter(({ has_siblings }) => has_siblings)
    .map(({ id, customer_id, now, livemode, hold_drafts }) => ({
      id,
      customer_id,
      now,
      hold_drafts,
      grace_seconds: livemode ? grace_period_ms / 1000 : 0,
    }));
  if (questions.length === 0) return due_periods;
  const { rows } = await db.query<OfSibling>(
    `select asked.id as of_subscription, sibling.id as subscription_id, sibling.period_end
     from jsonb_to_recordset($2) as asked(id text, customer_id text, now timestamptz, hold_drafts boolean,
       grace_seconds float8)
     cross join lateral (
       select s.id, due.period_end
       from subscriptions s
       cross join lateral (
         select min(ended.period_end) as period_end from (
           select p.period_end from periods p
           where p.environment_id = s.environment_id and p.subscription_id = s.id and p.closed_at is null
             and p.period_end <= asked.now - make_interval(secs => asked.grace_seconds) and not asked.hold_drafts
           union all
           select i.period_end from invoices i
           where i.environment_id = s.environment_id and i.subscription_id = s.id and i.status = 'draft'
             and i.hold_until <= asked.now
         ) as ended
       ) as due
       where s.environment_id = $1 and s.customer_id = asked.customer_id and s.id <> asked.id
         and s.finished_at is null and s.attention is null and due.period_end is not null
       order by due.period_end, s.id limit $3) as sibling
     order by asked.id, sibling.period_end, sibling.id`,
    [environment_id, JSON.stringify(questions), limit],
  );
  for (const { of_subscription, ...due } of rows) due_periods.get(of_subscription)!.push(due);
  return due_periods;
}
