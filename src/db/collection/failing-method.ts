import type { Db } from '../connection/pool.ts';

/** Notes that a method must not be charged any more; one that was removed stays so. */
export async function failMethod(
  db: Db,
  { environment_id, payment_method_id }: { environment_id: number; payment_method_id: string },
): Promise<void> {
  await db.query(
    `update payment_methods set status = 'failing' where environment_id = $1 and id = $2 and status = 'active'`,
    [environment_id, payment_method_id],
  );
}
