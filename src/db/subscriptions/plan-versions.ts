import type { Plan } from '../../objects/plan.ts';
import type { Db } from '../connection/pool.ts';

/**
 * Locks a key of plans, also one that no plan has yet, until the end of the transaction: its versions are made one
 * after the other.
 */
export async function lockPlanKey(db: Db, environment_id: number, key: string): Promise<void> {
  await db.query(`select pg_advisory_xact_lock(hashtextextended('plan ' || $2, $1))`, [environment_id, key]);
}

/** A plan as far as a migration asks of it. */
export type NamedPlan = Pick<Plan, 'id' | 'currency' | 'interval' | 'interval_count'>;

/**
 * A plan that a request chooses. `opens`: the beginning of its periods is work, because of fees in advance or grants.
 * `customer_id`: the `cus_` id of the only customer that may have it; null for all.
 */
export type ChosenPlan = NamedPlan & {
  archived_at: string | null;
  opens: boolean;
  minimum_amount: string | null;
  based_on: string | null;
  customer_id: string | null;
};

/**
 * Locks the plan that an id names, or a key, which names its newest version, so that it is not archived until the end
 * of the transaction; null if there is none. One statement: it reads the row that it has locked and no other.
 */
export async function lockNamedPlan(
  db: Db,
  environment_id: number,
  name: string,
): Promise<ChosenPlan | null> {
  const { rows } = await db.query<ChosenPlan>(
    `select id, currency, interval, interval_count, archived_at, opens_periods as opens, based_on, customer_id,
       minimum_amount::text as minimum_amount
     from plans
     where environment_id = $1 and (id = $2 or key = $2) order by version desc limit 1 for share`,
    [environment_id, name],
  );
  return rows[0] ?? null;
}

/** Archives a plan, or takes it back. Returns false if there is no such plan, or it is so already. */
export async function setArchived(
  db: Db,
  environment_id: number,
  { id, is_archived }: { id: string; is_archived: boolean },
): Promise<boolean> {
  const { rowCount } = await db.query(
    `update plans set archived_at = case when $3 then date_trunc('milliseconds', now()) end
     where environment_id = $1 and id = $2 and (archived_at is not null) <> $3`,
    [environment_id, id, is_archived],
  );
  return rowCount === 1;
}

/**
 * The plans that a name stands for: the one with the id, or all versions of the key, the newest first; none if there is
 * none.
 */
export async function plansNamed(db: Db, environment_id: number, name: string): Promise<NamedPlan[]> {
  const { rows } = await db.query<NamedPlan>(
    `select id, currency, interval, interval_count from plans where environment_id = $1 and (id = $2 or key = $2)
     order by version desc`,
    [environment_id, name],
  );
  return rows;
}

/** The base of a plan; null for one that is no custom plan. */
export async function baseOfPlan(db: Db, environment_id: number, id: string): Promise<string | null> {
  const { rows } = await db.query<{ based_on: string | null }>(
    'select based_on from plans where environment_id = $1 and id = $2',
    [environment_id, id],
  );
  return rows[0]!.based_on;
}
