import type { Email } from '../../objects/email.ts';
import type { Db } from '../connection/pool.ts';
import { SELECT, type ListedEmail } from './email-list.ts';

/** Emails by their ids, in any order, with what their last try sent. */
export async function readEmails(db: Db, environment_id: number, ids: readonly string[]): Promise<Email[]> {
  const { rows } = await db.query<ListedEmail>(`${SELECT} where m.environment_id = $1 and m.id = any($2)`, [
    environment_id,
    ids,
  ]);
  return rows.map(
    ({ reason: _, chosen_to: __, billing_emails: ___, email_attach: ____, email: _____, ...email }) => ({
      object: 'email',
      ...email,
      to: email.to ?? [],
      attachments: (email.attachments ?? []).map(({ sha256: ______, ...file }) => file),
    }),
  );
}
