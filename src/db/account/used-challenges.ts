import type { Db } from '../connection/pool.ts';

/** Marks a challenge as answered, until it expires. Returns false if it was answered before. */
export async function takeChallenge(
  db: Db,
  { hash, expires_at }: { hash: Buffer; expires_at: string },
): Promise<boolean> {
  await db.query('delete from used_challenges where expires_at < now()');
  const { rowCount } = await db.query(
    `insert into used_challenges (challenge_hash, expires_at) values ($1, $2) on conflict do nothing`,
    [hash, expires_at],
  );
  return rowCount === 1;
}
