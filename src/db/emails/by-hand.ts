import type { EmailKind } from '../../domain/email/kind.ts';
import { reasonOf } from '../../domain/email/message-id.ts';
import { newId } from '../../keys/ids.ts';
import { CUSTOMER_NOW } from '../customers/customer-now.ts';
import type { Db } from '../connection/pool.ts';

/** An email that a person sends. `customer_id` is our `cus_` id. */
export type NewEmail = {
  kind: EmailKind;
  customer_id: string;
  object_id: string;
  invoice_ids: readonly string[];
  /** Null: those that the customer has when it is tried. */
  chosen_to: readonly string[] | null;
  resend_of: string | null;
  created_by: string;
};

/** Times that the consumer of the log may take the same reason between two statements: it writes each once. */
const WRITES_MAX = 3;

/**
 * Writes an email that leaves at once, with the next reason of its document, and returns its id. The caller holds the
 * customer's lock, so that only the consumer of the log may take a reason meanwhile.
 */
export async function insertByHand(db: Db, environment_id: number, email: NewEmail): Promise<string> {
  for (let write = 1; write <= WRITES_MAX; write++) {
    const id = await insertOnce(db, environment_id, email);
    if (id !== null) return id;
  }
  throw new Error(`the reason of an email of ${email.object_id} was taken ${WRITES_MAX} times`);
}

/** Null if its reason was taken meanwhile. */
async function insertOnce(db: Db, environment_id: number, email: NewEmail): Promise<string | null> {
  const { kind, customer_id, object_id, invoice_ids, chosen_to, resend_of, created_by } = email;
  const reason = reasonOf(kind, object_id, (await countEmailsOf(db, environment_id, email)) + 1);
  const to = chosen_to === null ? null : JSON.stringify(chosen_to);
  const { rows } = await db.query<{ id: string }>(
    `insert into emails (environment_id, id, reason, kind, customer_id, object_id, invoice_ids, language, chosen_to,
       status, send_at, next_attempt_at, resend_of, created_by)
     select $1, $2, $3, $4, $5, $6, $7, coalesce(c.language, n.language), $8, 'queued',
       ${CUSTOMER_NOW}, date_trunc('milliseconds', now()), $9, $10
     from customers c join environments n on n.id = c.environment_id
     where c.environment_id = $1 and c.id = $5
     on conflict (environment_id, reason) do nothing
     returning id`,
    [
      environment_id,
      newId('eml'),
      reason,
      kind,
      customer_id,
      object_id,
      invoice_ids,
      to,
      resend_of,
      created_by,
    ],
  );
  return rows[0]?.id ?? null;
}

async function countEmailsOf(
  db: Db,
  environment_id: number,
  { kind, object_id }: Pick<NewEmail, 'kind' | 'object_id'>,
): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    `select count(*)::integer as count from emails where environment_id = $1 and object_id = $2 and kind = $3`,
    [environment_id, object_id, kind],
  );
  return rows[0]!.count;
}

/** How many emails people have sent to a customer, by its `cus_` id, in the last hour. */
export async function countByHand(db: Db, environment_id: number, customer_id: string): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    `select count(*)::integer as count from emails
     where environment_id = $1 and customer_id = $2 and created_by is not null
       and created_at > now() - interval '1 hour'`,
    [environment_id, customer_id],
  );
  return rows[0]!.count;
}
