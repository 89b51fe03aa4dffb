import type { Db } from '../connection/pool.ts';

/** Takes or keeps the turn to check for the given time; false if another worker has it. */
export async function holdTurn(db: Db, holder: string, for_ms: number): Promise<boolean> {
  const { rowCount } = await db.query(
    `update check_turn set holder = $1, held_until = now() + $2 * interval '1 millisecond'
     where holder is null or holder = $1 or held_until < now()`,
    [holder, for_ms],
  );
  return rowCount === 1;
}

/** Lets another worker take the turn at once. */
export async function endTurn(db: Db, holder: string): Promise<void> {
  await db.query('update check_turn set holder = null where holder = $1', [holder]);
}
