import type { Db } from '../connection/pool.ts';

/** Since when, and in which words, the server refuses the login; null where it does not. */
export type LoginRefusal = { refused_at: string; refusal: string };

/** The server's refusal of the login; null if it takes it, or was not asked yet. */
export async function readLoginRefusal(db: Db): Promise<LoginRefusal | null> {
  const { rows } = await db.query<LoginRefusal>(
    'select refused_at, refusal from email_sender where refused_at is not null',
  );
  return rows[0] ?? null;
}

/** Notes how the server answered the login; null: it took it. */
export async function noteLogin(db: Db, refusal: string | null): Promise<void> {
  await db.query(
    `update email_sender set refusal = $1,
       refused_at = case when $1::text is not null then coalesce(refused_at, date_trunc('milliseconds', now())) end
     where refusal is distinct from $1`,
    [refusal],
  );
}
