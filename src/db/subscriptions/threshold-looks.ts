import type { CustomerKey } from './test-clock.ts';
import type { SubscriptionKey } from './live-subscriptions.ts';
import type { Db } from '../connection/pool.ts';

/** Sets the usage at which the open part of a subscription is billed before its end; null takes it away. */
export async function setBillAt(
  db: Db,
  { environment_id, subscription_id }: SubscriptionKey,
  bill_at: string | null,
): Promise<void> {
  await db.query(
    'update subscriptions set bill_at = $3 where environment_id = $1 and id = $2 and bill_at is distinct from $3',
    [environment_id, subscription_id, bill_at],
  );
}

/** Has a worker look at a subscription as soon as the transaction is committed. */
export async function askForLook(
  db: Db,
  { environment_id, subscription_id }: SubscriptionKey,
): Promise<void> {
  await db.query(
    `insert into threshold_looks as l (environment_id, subscription_id, look_at) values ($1, $2, now())
     on conflict (environment_id, subscription_id) do update
     set look_at = least(l.look_at, excluded.look_at), is_asked = true`,
    [environment_id, subscription_id],
  );
}

/** The subscriptions of all environments whose look is due, the longest due first. */
export async function dueLooks(db: Db, limit: number): Promise<SubscriptionKey[]> {
  const { rows } = await db.query<SubscriptionKey>(
    `select environment_id, subscription_id from threshold_looks where look_at <= now()
     order by look_at, environment_id, subscription_id limit $1`,
    [limit],
  );
  return rows;
}

/**
 * Takes looks that are due, before any usage is read: the rollup asks anew for usage that a look does not see. Those
 * that a step of the rollup has locked stay due, because it may wait for others that are taken here. `is_asked` is
 * false for a subscription that had a rest and no usage since.
 */
export async function takeLooks(
  db: Db,
  environment_id: number,
  subscription_ids: readonly string[],
): Promise<{ subscription_id: string; is_asked: boolean }[]> {
  const { rows } = await db.query<{ subscription_id: string; is_asked: boolean }>(
    `delete from threshold_looks l using (
       select environment_id, subscription_id from threshold_looks
       where environment_id = $1 and subscription_id = any($2) and look_at <= now() for update skip locked
     ) as due
     where l.environment_id = due.environment_id and l.subscription_id = due.subscription_id
     returning l.subscription_id, l.is_asked`,
    [environment_id, subscription_ids],
  );
  return rows;
}

/** A look at a subscription that waits for an instant of real time. */
export type LaterLook = {
  subscription_id: string;
  look_at: string;
  /** False for a rest that ends without a look where no usage comes. */
  is_asked: boolean;
};

/** Puts looks off. One that was asked for meanwhile waits too. */
export async function putOffLooks(
  db: Db,
  environment_id: number,
  looks: readonly LaterLook[],
): Promise<void> {
  if (looks.length === 0) return;
  await db.query(
    `insert into threshold_looks as l (environment_id, subscription_id, look_at, is_asked)
     select $1, later.* from unnest($2::text[], $3::timestamptz[], $4::boolean[]) as later
     on conflict (environment_id, subscription_id) do update
     set look_at = greatest(l.look_at, excluded.look_at), is_asked = l.is_asked or excluded.is_asked`,
    [
      environment_id,
      looks.map(({ subscription_id }) => subscription_id),
      looks.map(({ look_at }) => look_at),
      looks.map(({ is_asked }) => is_asked),
    ],
  );
}

/** Puts the look of a subscription off by some time from now. */
export async function restFromLooks(
  db: Db,
  { environment_id, subscription_id }: SubscriptionKey,
  rest_ms: number,
): Promise<void> {
  await db.query(
    `update threshold_looks set look_at = now() + $3 * interval '1 millisecond'
     where environment_id = $1 and subscription_id = $2`,
    [environment_id, subscription_id, rest_ms],
  );
}

/** The subscriptions of a customer that may be billed before the end of a period, the oldest first. */
export async function subscriptionsWithBillAt(db: Db, key: CustomerKey): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(
    `select id from subscriptions
     where environment_id = $1 and customer_id = $2 and bill_at is not null and finished_at is null order by id`,
    [key.environment_id, key.customer_id],
  );
  return rows.map(({ id }) => id);
}
