import type { Consumer } from '../db/changes/consumers.ts';
import { insertEmails, issuedInBatch, type Issued, type NewEmail } from '../db/emails/new-emails.ts';
import { departureOf } from '../domain/email/departure.ts';
import { reasonOf } from '../domain/email/message-id.ts';
import { sendAt } from '../domain/email/send-at.ts';
import { newId } from '../keys/ids.ts';

const ROWS_MAX = 2000;

/**
 * The consumer of the log that writes the emails of what was issued (decision 65), in the transaction that moves its
 * place. A row that comes again finds its email there.
 */
export function emailsConsumer({ has_smtp }: { has_smtp: boolean }): Consumer {
  return {
    name: 'emails',
    rows_max: ROWS_MAX,
    work: async (db) => {
      const issued = await issuedInBatch(db, ROWS_MAX);
      await insertEmails(
        db,
        issued.map((document) => newEmail(document, has_smtp)),
      );
    },
  };
}

function newEmail(issued: Issued, has_smtp: boolean): NewEmail {
  const { environment_id, kind, object_id, customer_id, invoice_ids, language, timezone, email_hours, now } =
    issued;
  const departure = departureOf({ ...issued, is_by_hand: false, chosen_to: null, has_smtp });
  return {
    environment_id,
    id: newId('eml'),
    reason: reasonOf(kind, object_id),
    kind,
    customer_id,
    object_id,
    invoice_ids,
    language,
    ...('kept' in departure
      ? { status: 'kept', status_reason: departure.kept }
      : { status: 'queued', status_reason: null }),
    send_at: issued.is_at_once ? now : sendAt(now, timezone, email_hours),
  };
}
