import type { Db } from '../connection/pool.ts';
import type { MethodAtProvider } from './methods.ts';

/** A method that is read at the provider now, or if it is removed, ended there. */
export type DueMethod = {
  environment_id: number;
  id: string;
  provider_id: string;
  customer_id: string;
  reference: string;
  is_removed: boolean;
  next_read_at: Date;
};

/** Methods whose turn it is, the oldest first. */
export async function dueMethods(db: Db, limit: number): Promise<DueMethod[]> {
  const { rows } = await db.query<DueMethod>(
    `select environment_id, id, provider_id, customer_id, reference, status = 'removed' as is_removed, next_read_at
     from payment_methods where next_read_at <= now() order by next_read_at limit $1`,
    [limit],
  );
  return rows;
}

/** Has a method that is not removed read at once. */
export async function wakeMethod(
  db: Db,
  environment_id: number,
  { provider_id, reference }: { provider_id: string; reference: string },
): Promise<void> {
  await db.query(
    `update payment_methods set next_read_at = now()
     where environment_id = $1 and provider_id = $2 and reference = $3 and status <> 'removed'`,
    [environment_id, provider_id, reference],
  );
}

/** Writes what the provider says of a method; null: it is gone. It is read again if an event came meanwhile. */
export async function noteMethodRead(
  db: Db,
  { environment_id, id, next_read_at }: DueMethod,
  read: MethodAtProvider | null,
): Promise<void> {
  if (read === null) {
    await db.query(
      `update payment_methods set status = 'removed', is_default = false, next_read_at = null
       where environment_id = $1 and id = $2`,
      [environment_id, id],
    );
    return;
  }
  await db.query(
    `update payment_methods set label = $4, expires = $5,
       next_read_at = case when next_read_at > $3 then next_read_at end
     where environment_id = $1 and id = $2 and status <> 'removed'`,
    [environment_id, id, next_read_at, read.label, read.expires],
  );
}

/** Notes that a removed method is ended at the provider. */
export async function noteMethodEnded(db: Db, { environment_id, id }: DueMethod): Promise<void> {
  await db.query('update payment_methods set next_read_at = null where environment_id = $1 and id = $2', [
    environment_id,
    id,
  ]);
}

/** Puts off the turn of a method of which the provider says nothing now. */
export async function putOffMethod(
  db: Db,
  { environment_id, id }: DueMethod,
  seconds: number,
): Promise<void> {
  await db.query(
    `update payment_methods set next_read_at = now() + make_interval(secs => $3)
     where environment_id = $1 and id = $2 and next_read_at is not null`,
    [environment_id, id, seconds],
  );
}
