import type { ErrorDetail } from '../../domain/money/errors.ts';
import type { OutcomeStatus } from '../../domain/subscription/plan-migration.ts';
import type { PlanMigrationOutcome } from '../../objects/plan-migration.ts';
import type { Db } from '../connection/pool.ts';
import { CANCELED, PLAN_NOW } from './subscriptions.ts';
import type { MigrationKey } from './plan-migrations.ts';

/** The subscriptions that have one of some plans; `customer_ids` are `cus_` ids, null for all customers. */
export type Subscribers = {
  from_plan_ids: readonly string[];
  to_plan_id: string;
  customer_ids: readonly string[] | null;
};

/**
 * SQL: the subscriptions `s` that have not ended and have, at the now of the customer `c`, one of the plans $2, or a
 * custom plan based on one; but $3, and custom plans that are found by this base.
 */
const SUBSCRIBERS = `
  from subscriptions s
  join customers c on c.environment_id = s.environment_id and c.id = s.customer_id
  cross join lateral (
    select l.id, l.based_on from plans l where l.environment_id = s.environment_id and l.id = ${PLAN_NOW} offset 0) as p
  where s.environment_id = $1 and (${CANCELED}) is not true and ($4::text[] is null or s.customer_id = any($4))
    and ((p.id = any($2::text[]) and p.id <> $3) or (p.based_on = any($2::text[]) and p.based_on <> $3))`;

function parametersOf(environment_id: number, { from_plan_ids, to_plan_id, customer_ids }: Subscribers) {
  return [environment_id, from_plan_ids, to_plan_id, customer_ids];
}

/** The number of subscribers. */
export async function countSubscribers(
  db: Db,
  environment_id: number,
  subscribers: Subscribers,
): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    `select count(*)::integer as count ${SUBSCRIBERS}`,
    parametersOf(environment_id, subscribers),
  );
  return rows[0]!.count;
}

/** The ids of the newest subscriptions, newest first. */
export async function newestSubscribers(
  db: Db,
  environment_id: number,
  { limit, ...subscribers }: Subscribers & { limit: number },
): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(`select s.id ${SUBSCRIBERS} order by s.id desc limit $5`, [
    ...parametersOf(environment_id, subscribers),
    limit,
  ]);
  return rows.map(({ id }) => id);
}

/** Makes the subscribers the subscriptions of a migration. Returns how many they are. */
export async function insertSubscribers(
  db: Db,
  { environment_id, migration_id }: MigrationKey,
  subscribers: Subscribers,
): Promise<number> {
  const { rowCount } = await db.query(
    `insert into plan_migration_outcomes (environment_id, migration_id, subscription_id)
     select s.environment_id, $5, s.id ${SUBSCRIBERS}`,
    [...parametersOf(environment_id, subscribers), migration_id],
  );
  return rowCount!;
}

/** Outcomes of a migration, by subscription, the newest first; with `id`, that of the subscription, for a cursor. */
export async function listOutcomes(
  db: Db,
  { environment_id, migration_id }: MigrationKey,
  { status, before, limit }: { status: OutcomeStatus | null; before: string | null; limit: number },
): Promise<(PlanMigrationOutcome & { id: string })[]> {
  const { rows } = await db.query<PlanMigrationOutcome & { id: string }>(
    `select o.subscription_id as id, o.subscription_id, c.external_id as customer_id, o.status, o.reason, o.details
     from plan_migration_outcomes o
     join subscriptions s on s.environment_id = o.environment_id and s.id = o.subscription_id
     join customers c on c.environment_id = s.environment_id and c.id = s.customer_id
     where o.environment_id = $1 and o.migration_id = $2 and o.status is not null
       and ($3::text is null or o.status = $3) and ($4::text is null or o.subscription_id < $4)
     order by o.subscription_id desc limit $5`,
    [environment_id, migration_id, status, before, limit],
  );
  return rows;
}

/** Why a subscription was skipped or refused, and all that the error said; null unless a billing rule refused it. */
export type Why = { reason: string | null; details: readonly ErrorDetail[] | null };

/**
 * A subscription of a migration, in the course of a pass. `changed_at` is the instant of the change that was made,
 * `to_plan_id` its plan if that is not the target.
 */
export type Turn = {
  subscription_id: string;
  status: OutcomeStatus | null;
  changed_at: string | null;
  to_plan_id: string | null;
};

/** The next subscriptions after the one that was reached, with this status of their outcome. */
export async function nextTurns(
  db: Db,
  { environment_id, migration_id }: MigrationKey,
  { reached, of_status, limit }: { reached: string; of_status: OutcomeStatus | null; limit: number },
): Promise<Turn[]> {
  const { rows } = await db.query<Turn>(
    `select subscription_id, status, changed_at, to_plan_id from plan_migration_outcomes
     where environment_id = $1 and migration_id = $2 and subscription_id > $3 and status is not distinct from $4
     order by subscription_id limit $5`,
    [environment_id, migration_id, reached, of_status, limit],
  );
  return rows;
}

/** The subscriptions before the one that was reached, itself among them, for which a change was made or undone. */
export async function lastTurns(
  db: Db,
  { environment_id, migration_id }: MigrationKey,
  { reached, limit }: { reached: string; limit: number },
): Promise<string[]> {
  const { rows } = await db.query<{ subscription_id: string }>(
    `select subscription_id from plan_migration_outcomes
     where environment_id = $1 and migration_id = $2 and subscription_id <= $3 and changed_at is not null
     order by subscription_id desc limit $4`,
    [environment_id, migration_id, reached, limit],
  );
  return rows.map(({ subscription_id }) => subscription_id);
}

/** Writes the outcome of a subscription. The caller moves the migration on to it (moveOn). */
export async function putOutcome(
  db: Db,
  { environment_id, migration_id }: MigrationKey,
  outcome: Turn & Why,
): Promise<void> {
  const { subscription_id, status, reason, changed_at, to_plan_id } = outcome;
  const details = outcome.details === null ? null : JSON.stringify(outcome.details);
  await db.query(
    `update plan_migration_outcomes set status = $4, reason = $5, changed_at = $6, details = $7,
       to_plan_id = $8
     where environment_id = $1 and migration_id = $2 and subscription_id = $3`,
    [environment_id, migration_id, subscription_id, status, reason, changed_at, details, to_plan_id],
  );
}
