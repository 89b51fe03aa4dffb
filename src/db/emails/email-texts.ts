import type { EmailKind } from '../../domain/email/kind.ts';
import type { Language } from '../../domain/email/language.ts';
import type { Db } from '../connection/pool.ts';

/** Which text of an environment. */
export type TextKey = { environment_id: number; kind: EmailKind; language: Language };

/** A text that an environment has in place of Tidemark's. */
export type StoredText = { subject: string; body: string; updated_at: string };

/** The text that stands in place of Tidemark's; null for none. */
export async function findEmailText(
  db: Db,
  { environment_id, kind, language }: TextKey,
): Promise<StoredText | null> {
  const { rows } = await db.query<StoredText>(
    `select subject, body, updated_at from email_texts
     where environment_id = $1 and kind = $2 and language = $3`,
    [environment_id, kind, language],
  );
  return rows[0] ?? null;
}

/** Writes a text in place of Tidemark's; one that is the same stays as it is. */
export async function writeEmailText(
  db: Db,
  { environment_id, kind, language }: TextKey,
  { subject, body }: { subject: string; body: string },
): Promise<void> {
  await db.query(
    `insert into email_texts as t (environment_id, kind, language, subject, body) values ($1, $2, $3, $4, $5)
     on conflict (environment_id, kind, language) do update
     set subject = excluded.subject, body = excluded.body, updated_at = date_trunc('milliseconds', now())
     where (t.subject, t.body) is distinct from (excluded.subject, excluded.body)`,
    [environment_id, kind, language, subject, body],
  );
}

/** Takes a text away: Tidemark's is used again. Returns false if there was none. */
export async function deleteEmailText(db: Db, { environment_id, kind, language }: TextKey): Promise<boolean> {
  const { rowCount } = await db.query(
    'delete from email_texts where environment_id = $1 and kind = $2 and language = $3',
    [environment_id, kind, language],
  );
  return rowCount === 1;
}
