import { bisect } from '../connection/bisect.ts';
import { attempt, type Db } from '../connection/pool.ts';

/** Batch jobs that skip a customer if the job fails for that customer, and go on with the others. */
export type Job = 'rollup' | 'expired_credit' | 'usage_report';

/**
 * A customer that a job fails for; `noted_at` is the instant of the oldest change that it lacks then, if it is not that
 * of the failure.
 */
export type Customer = { environment_id: number; customer_id: string; noted_at?: string };

/** Back-off before the job tries a skipped customer again. */
export const REST_MS = 300_000;

/**
 * Limit of divisions of what fails; beyond it a part is set aside as a whole, and its customers are tried one by one.
 */
const DIVISIONS_MAX = 64;

/**
 * Works for customers in a part of the transaction. If the rows of some make it fail, sets those customers aside and
 * works for the others, so that no single value stops a job for all.
 */
export function orSetAside<Item extends Customer>(
  db: Db,
  job: Job,
  customers: readonly Item[],
  work: (customers: readonly Item[]) => Promise<void>,
): Promise<void> {
  return bisect(customers, {
    divisions_max: DIVISIONS_MAX,
    tryPart: (part) => attempt(db, () => work(part)),
    giveUp: (part, failure) => setAside(db, job, part, failure.message),
  });
}

/** Skips customers in a job until it succeeds for them; `reason` is a sentence for an operator. */
export async function setAside(
  db: Db,
  job: Job,
  customers: readonly Customer[],
  reason: string,
): Promise<void> {
  await db.query(
    `insert into set_aside as s (environment_id, job, customer_id, reason, failed_at)
     select environment_id, $3, customer_id, $4, coalesce(noted_at, date_trunc('milliseconds', now()))
     from unnest($1::integer[], $2::text[], $5::timestamptz[]) as c(environment_id, customer_id, noted_at)
     on conflict (environment_id, job, customer_id) do update set reason = excluded.reason,
       tried_at = excluded.tried_at, failed_at = least(s.failed_at, excluded.failed_at)`,
    [
      customers.map(({ environment_id }) => environment_id),
      customers.map(({ customer_id }) => customer_id),
      job,
      reason,
      customers.map(({ noted_at }) => noted_at ?? null),
    ],
  );
}

/** Ends the skipping of a customer, once the job has succeeded. Does nothing for a customer that is not skipped. */
export async function endSetAside(
  db: Db,
  job: Job,
  { environment_id, customer_id }: Customer,
): Promise<void> {
  await db.query('delete from set_aside where environment_id = $1 and job = $2 and customer_id = $3', [
    environment_id,
    job,
    customer_id,
  ]);
}

/** Ends the skipping of all customers in a job. */
export async function endAllSetAside(db: Db, job: Job): Promise<void> {
  await db.query('delete from set_aside where job = $1', [job]);
}

/** True if a job skips any customer. */
export async function isAnySetAside(db: Db, job: Job): Promise<boolean> {
  const { rows } = await db.query<{ is_any: boolean }>(
    'select exists (select from set_aside where job = $1) as is_any',
    [job],
  );
  return rows[0]!.is_any;
}

/**
 * The customer whose last try is oldest and at least `rest_ms` ago, without those that wait for another job; null if
 * there is none.
 */
export async function nextSetAside(
  db: Db,
  job: Job,
  rest_ms: number,
  waits_for: Job | null = null,
): Promise<(Customer & { customer_key: string }) | null> {
  const { rows } = await db.query<Customer & { customer_key: string }>(
    `select s.environment_id, s.customer_id, c.key as customer_key
     from set_aside s join customers c on c.environment_id = s.environment_id and c.id = s.customer_id
     where s.job = $1 and s.tried_at <= now() - $2 * interval '1 millisecond' and not exists (
       select from set_aside w
       where w.environment_id = s.environment_id and w.customer_id = s.customer_id and w.job = $3)
     order by s.tried_at limit 1`,
    [job, rest_ms, waits_for],
  );
  return rows[0] ?? null;
}

const ENVIRONMENT = `case when n.livemode then 'live' else 'test' end`;

/** Number of skipped customers by job and environment; rows of zero are left out. */
export async function countSetAside(db: Db): Promise<{ job: Job; environment: string; count: number }[]> {
  const { rows } = await db.query<{ job: Job; environment: string; count: number }>(
    `select s.job, ${ENVIRONMENT} as environment, count(*)::integer as count
     from set_aside s join environments n on n.id = s.environment_id group by 1, 2 order by 1, 2`,
  );
  return rows;
}

/** How many customers of an environment at least one job goes on without. */
export async function countCustomersSetAside(db: Db, environment_id: number): Promise<number> {
  const { rows } = await db.query<{ customers: number }>(
    'select count(distinct customer_id)::integer as customers from set_aside where environment_id = $1',
    [environment_id],
  );
  return rows[0]!.customers;
}

export type SetAside = {
  job: Job;
  environment: string;
  /** The customer's `external_id`. */
  customer_id: string;
  reason: string;
  failed_at: string;
};

/** Lists the skipped customers, oldest failure first; of every environment where `environment_id` is null. */
export async function listSetAside(
  db: Db,
  limit: number,
  environment_id: number | null = null,
): Promise<SetAside[]> {
  const { rows } = await db.query<SetAside>(
    `select s.job, ${ENVIRONMENT} as environment, c.external_id as customer_id, s.reason, s.failed_at
     from set_aside s join environments n on n.id = s.environment_id
     join customers c on c.environment_id = s.environment_id and c.id = s.customer_id
     where $2::integer is null or s.environment_id = $2
     order by s.failed_at, s.job, s.environment_id, s.customer_id limit $1`,
    [limit, environment_id],
  );
  return rows;
}
