import type { LineGroup } from '../../domain/lines/scope.ts';
import type { Db } from '../connection/pool.ts';
import { ASKED_FULL_PERIODS, askedFullPeriods, type FullPeriodKey } from './usage-lines.ts';

type GroupOfSubscription = LineGroup & { subscription_id: string };

/** The groups with lines of their own in full periods. */
export async function lineGroups(
  db: Db,
  environment_id: number,
  keys: readonly FullPeriodKey[],
): Promise<GroupOfSubscription[]> {
  if (keys.length === 0) return [];
  const { rows } = await db.query<GroupOfSubscription>(
    `select g.subscription_id, g.charge_id, g.full_period_start, g.series from ${ASKED_FULL_PERIODS}
     join line_groups g on g.environment_id = $1 and g.subscription_id = asked.subscription_id
       and g.full_period_start = asked.full_period_start`,
    [environment_id, ...askedFullPeriods(keys)],
  );
  return rows;
}

/**
 * Keeps that these groups have lines of their own, for every later line of the full period. The caller holds the
 * subscriptions' locks.
 */
export async function keepLineGroups(
  db: Db,
  environment_id: number,
  groups: readonly GroupOfSubscription[],
): Promise<void> {
  if (groups.length === 0) return;
  await db.query(
    `insert into line_groups (environment_id, subscription_id, charge_id, full_period_start, series)
     select $1, g.subscription_id, g.charge_id, g.full_period_start, g.series
     from jsonb_to_recordset($2) as g(subscription_id text, charge_id text, full_period_start timestamptz, series jsonb)
     on conflict do nothing`,
    [environment_id, JSON.stringify(groups)],
  );
}
