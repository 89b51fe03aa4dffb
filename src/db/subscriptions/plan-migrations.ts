import type { MigrationStatus, OutcomeStatus } from '../../domain/subscription/plan-migration.ts';
import type { ChangeTerms } from '../../domain/subscription/change-terms.ts';
import type { PlanMigration } from '../../objects/plan-migration.ts';
import type { Db } from '../connection/pool.ts';

export type NewMigration = Pick<PlanMigration, 'id' | 'from_plan_id' | 'to_plan_id' | 'at' | 'custom'> & {
  from_plan_ids: readonly string[];
  terms: ChangeTerms;
  /** A key or a session. */
  by: string;
};

export type MigrationKey = { environment_id: number; migration_id: string };

/** A migration as far as the work on it reads it. */
export type MigrationTerms = Pick<PlanMigration, 'status' | 'to_plan_id' | 'at' | 'custom' | 'finished_at'> &
  ChangeTerms & {
    from_plan_ids: string[];
    /** The last subscription that was reached; empty before the first. */
    reached: string;
  };

const SELECT = `
  select m.id, 'plan_migration' as object, n.livemode, m.created_at, m.status, m.from_plan_id, m.to_plan_id, m.at,
    m.custom, m.total, m.changed, m.skipped, m.failed, m.taken_back, m.finished_at
  from plan_migrations m join environments n on n.id = m.environment_id`;

/** Stores a migration, which runs, as yet without subscriptions. */
export async function insertMigration(
  db: Db,
  environment_id: number,
  { id, from_plan_id, from_plan_ids, to_plan_id, at, custom, terms, by }: NewMigration,
): Promise<void> {
  await db.query(
    `insert into plan_migrations (environment_id, id, from_plan_id, from_plan_ids, to_plan_id, at, settle, proration,
       cycle, custom, total, created_by)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, 0, $11)`,
    [
      environment_id,
      id,
      from_plan_id,
      from_plan_ids,
      to_plan_id,
      at,
      terms.settle,
      terms.proration,
      terms.cycle,
      custom,
      by,
    ],
  );
}

/** Stores how many subscriptions a migration has. */
export async function setTotal(
  db: Db,
  { environment_id, migration_id }: MigrationKey,
  total: number,
): Promise<void> {
  await db.query('update plan_migrations set total = $3 where environment_id = $1 and id = $2', [
    environment_id,
    migration_id,
    total,
  ]);
}

/** The migrations with these ids, in any order. */
export async function readMigrations(
  db: Db,
  environment_id: number,
  ids: readonly string[],
): Promise<PlanMigration[]> {
  const { rows } = await db.query<PlanMigration>(`${SELECT} where m.environment_id = $1 and m.id = any($2)`, [
    environment_id,
    ids,
  ]);
  return rows;
}

/** A migration by id; null if it does not exist. */
export async function findMigration(
  db: Db,
  environment_id: number,
  id: string,
): Promise<PlanMigration | null> {
  return (await readMigrations(db, environment_id, [id]))[0] ?? null;
}

/** Migrations, newest first. */
export async function listMigrations(
  db: Db,
  environment_id: number,
  page: { before: string | null; limit: number },
): Promise<PlanMigration[]> {
  const { rows } = await db.query<PlanMigration>(
    `${SELECT} where m.environment_id = $1 and ($2::text is null or m.id < $2) order by m.id desc limit $3`,
    [environment_id, page.before, page.limit],
  );
  return rows;
}

/** The terms of a migration, and how far it is, without a lock. */
export async function readTerms(
  db: Db,
  { environment_id, migration_id }: MigrationKey,
): Promise<MigrationTerms> {
  const { rows } = await db.query<MigrationTerms>(
    `select status, to_plan_id, at, custom, finished_at, from_plan_ids, settle, proration, cycle, reached
     from plan_migrations where environment_id = $1 and id = $2`,
    [environment_id, migration_id],
  );
  return rows[0]!;
}

/** Stops a migration that runs. Returns false if it does not. */
export async function stopMigration(db: Db, environment_id: number, id: string): Promise<boolean> {
  const { rowCount } = await db.query(
    `update plan_migrations set status = 'stopped', finished_at = date_trunc('milliseconds', now())
     where environment_id = $1 and id = $2 and status = 'running'`,
    [environment_id, id],
  );
  return rowCount === 1;
}

/**
 * Ends the changes of a migration, if it runs, and begins to undo them, from the first one on. Returns false if that
 * was asked for before.
 */
export async function beginTakingBack(db: Db, environment_id: number, id: string): Promise<boolean> {
  const { rowCount } = await db.query(
    `update plan_migrations set status = 'taken_back', reached = '', finished_at = null
     where environment_id = $1 and id = $2 and status <> 'taken_back'`,
    [environment_id, id],
  );
  return rowCount === 1;
}

/** Ends a pass over the subscriptions that has reached the last one. Returns false if another pass has begun since. */
export async function finishMigration(
  db: Db,
  { environment_id, migration_id }: MigrationKey,
  pass: Pick<MigrationTerms, 'status'>,
): Promise<boolean> {
  const { rowCount } = await db.query(
    `update plan_migrations set status = case status when 'running' then 'done' else status end,
       finished_at = date_trunc('milliseconds', now())
     where environment_id = $1 and id = $2 and status = $3 and finished_at is null`,
    [environment_id, migration_id, pass.status],
  );
  return rowCount === 1;
}

/** The step of a pass over one subscription; `from` is the status of its outcome before it. */
export type Step = {
  /** `running` while changes are made, `taken_back` while they are undone. */
  pass: MigrationStatus;
  subscription_id: string;
  from: OutcomeStatus | null;
  to: OutcomeStatus;
};

/**
 * Moves a migration on to a subscription, and counts the outcome. Returns false if the migration was stopped, or
 * another process has reached the subscription: then nothing of the transaction must stand. The last lock of the
 * transaction.
 */
export async function moveOn(
  db: Db,
  { environment_id, migration_id }: MigrationKey,
  { pass, subscription_id, from, to }: Step,
): Promise<boolean> {
  const { rowCount } = await db.query(
    `update plan_migrations set reached = $4,
       changed = changed + ($6 = 'changed')::integer - coalesce($5 = 'changed', false)::integer,
       skipped = skipped + ($6 = 'skipped')::integer,
       failed = failed + ($6 = 'failed')::integer,
       taken_back = taken_back + ($6 = 'taken_back')::integer
     where environment_id = $1 and id = $2 and status = $3 and finished_at is null and reached < $4`,
    [environment_id, migration_id, pass, subscription_id, from, to],
  );
  return rowCount === 1;
}

/** Migrations of all environments that have work to do, oldest first; for the reconciler. */
export async function migrationsToRun(db: Db, limit: number): Promise<MigrationKey[]> {
  const { rows } = await db.query<MigrationKey>(
    `select environment_id, id as migration_id from plan_migrations where finished_at is null
     order by id limit $1`,
    [limit],
  );
  return rows;
}
