import type { Db } from '../db/connection/pool.ts';
import type { ListedEmail } from '../db/emails/email-list.ts';
import type { Email } from '../objects/email.ts';

/**
 * An email as the API shows it (contract.md 12): what a try stored, else what would be sent now. Without its customer's
 * content after an erasure.
 */
export async function shownEmail(db: Db, environment_id: number, email: ListedEmail): Promise<Email> {
  const { reason: _, chosen_to, addresses, attachments, ...rest } = email;
  const to = email.to ?? (chosen_to ?? addresses).map(toAsk);
  return {
    object: 'email',
    ...rest,
    to,
    attachments: (attachments ?? []).map(({ sha256: __, ...file }) => file),
  };
}

function toAsk(address: string): Email['to'][number] {
  return { address, status: 'queued', response: null };
}
