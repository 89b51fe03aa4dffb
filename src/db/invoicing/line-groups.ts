import type { Series } from '../../domain/series.ts';
import type { Db } from '../connection/pool.ts';

/** A group that has a line of its own in a full period of a subscription, for a charge that groups by properties. */
export type LineGroup = { charge_id: string; full_period_start: string; series: Series };

type SubscriptionKey = { environment_id: number; subscription_id: string };

/** The groups with lines of their own in the given full periods. */
export async function lineGroups(
  db: Db,
  { environment_id, subscription_id }: SubscriptionKey,
  full_period_starts: readonly string[],
): Promise<LineGroup[]> {
  const { rows } = await db.query<LineGroup>(
    `select charge_id, full_period_start, series from line_groups
     where environment_id = $1 and subscription_id = $2 and full_period_start = any($3)`,
    [environment_id, subscription_id, full_period_starts],
  );
  return rows;
}

/** Keeps that these groups have lines of their own, for every later line of the full period. The caller holds the subscription's lock. */
export async function keepLineGroups(
  db: Db,
  { environment_id, subscription_id }: SubscriptionKey,
  groups: readonly LineGroup[],
): Promise<void> {
  if (groups.length === 0) return;
  await db.query(
    `insert into line_groups (environment_id, subscription_id, charge_id, full_period_start, series)
     select $1, $2, g.charge_id, g.full_period_start, g.series
     from jsonb_to_recordset($3) as g(charge_id text, full_period_start timestamptz, series jsonb)
     on conflict do nothing`,
    [environment_id, subscription_id, JSON.stringify(groups)],
  );
}
