import type { Ending } from '../../domain/collection/attempt.ts';
import type { Decline } from '../../domain/collection/decline.ts';
import type { Db } from '../connection/pool.ts';
import { CUSTOMER_NOW } from '../customers/customer-now.ts';
import { IS_OPEN } from '../invoicing/charged.ts';
import { AMOUNT_TO_CHARGE } from './amount-to-charge.ts';
import { noteUnderWay } from './plans.ts';

export type AttemptKey = { environment_id: number; id: string };

/** An open attempt, as its steps read it. `customer_id` is our `cus_` id; `due` is null if nothing may be charged. */
export type OpenAttemptRow = {
  environment_id: number;
  id: string;
  invoice_id: string;
  invoice_number: string;
  customer_id: string;
  amount: string;
  currency: string;
  provider_id: string;
  provider_reference: string | null;
  payment_method_id: string;
  method_reference: string;
  /** The customer at the provider. */
  customer_reference: string;
  ends_as: Ending | null;
  by: 'schedule' | 'person';
  at: string;
  /** It is a debit that takes days. */
  is_processing: boolean;
  due: string | null;
};

/** The open attempt of an invoice; null if there is none. The caller holds the lock of the customer if it decides. */
export async function findOpenAttempt(
  db: Db,
  { environment_id, invoice_id }: { environment_id: number; invoice_id: string },
): Promise<OpenAttemptRow | null> {
  const { rows } = await db.query<OpenAttemptRow>(
    `select a.environment_id, a.id, a.invoice_id, i.full_number as invoice_number, a.customer_id,
       a.amount::text as amount, a.currency, a.provider_id, a.provider_reference, a.payment_method_id,
       m.reference as method_reference,
       p.reference as customer_reference, a.ends_as, a.by, a.at,
       a.status = 'processing' as is_processing, (${AMOUNT_TO_CHARGE})::text as due
     from payment_attempts a
     join invoices i on i.environment_id = a.environment_id and i.id = a.invoice_id
     join customers c on c.environment_id = a.environment_id and c.id = a.customer_id
     join payment_methods m on m.environment_id = a.environment_id and m.id = a.payment_method_id
     join provider_customers p on p.environment_id = a.environment_id and p.provider_id = a.provider_id
       and p.customer_id = a.customer_id
     where a.environment_id = $1 and a.invoice_id = $2 and ${IS_OPEN}`,
    [environment_id, invoice_id],
  );
  return rows[0] ?? null;
}

/**
 * `customer_id` is our `cus_` id. `created_by` is null for the schedule; `at` is the instant of its plan, null for the
 * customer's now. `request_key` is one of all requests, null without an Idempotency-Key.
 */
export type NewAttempt = {
  id: string;
  invoice_id: string;
  customer_id: string;
  amount: string;
  currency: string;
  provider_id: string;
  payment_method_id: string;
  by: 'schedule' | 'person';
  created_by: string | null;
  at: string | null;
  request_key: string | null;
};

/** Stores an attempt; the caller holds the lock of the customer and has seen that no other one is open. */
export async function insertAttempt(db: Db, environment_id: number, attempt: NewAttempt): Promise<void> {
  await db.query(
    `insert into payment_attempts (environment_id, id, invoice_id, customer_id, number, amount, currency, provider_id,
       payment_method_id, by, created_by, request_key, at)
     select $1, $2, $3, $4, (
       select coalesce(max(number), 0) + 1 from payment_attempts where environment_id = $1 and invoice_id = $3
     ), $5, $6, $7, $8, $9, $10, $11, coalesce($12::timestamptz, ${CUSTOMER_NOW})
     from customers c where c.environment_id = $1 and c.id = $4`,
    [
      environment_id,
      attempt.id,
      attempt.invoice_id,
      attempt.customer_id,
      attempt.amount,
      attempt.currency,
      attempt.provider_id,
      attempt.payment_method_id,
      attempt.by,
      attempt.created_by,
      attempt.request_key,
      attempt.at,
    ],
  );
}

/** Stores the intent of an attempt that has none. `is_confirmed`: it may have charged. */
export async function storeIntent(
  db: Db,
  { environment_id, id }: AttemptKey,
  intent: { reference: string; amount: string; is_confirmed: boolean },
): Promise<void> {
  await db.query(
    `update payment_attempts a set provider_reference = $3, amount = $4,
       confirmed_at = case when $5 then date_trunc('milliseconds', now()) end
     where a.environment_id = $1 and a.id = $2 and a.provider_reference is null and ${IS_OPEN}`,
    [environment_id, id, intent.reference, intent.amount, intent.is_confirmed],
  );
}

/** Lets an attempt that is not confirmed charge another amount. */
export async function setAttemptAmount(
  db: Db,
  { environment_id, id }: AttemptKey,
  amount: string,
): Promise<void> {
  await db.query(
    `update payment_attempts a set amount = $3 where a.environment_id = $1 and a.id = $2 and ${IS_OPEN}`,
    [environment_id, id, amount],
  );
}

/** Notes that an attempt may have charged; `is_processing` if the provider says that it takes days. */
export async function noteConfirmed(
  db: Db,
  { environment_id, id }: AttemptKey,
  is_processing: boolean,
): Promise<void> {
  const status = is_processing ? 'processing' : 'pending';
  await db.query(
    `update payment_attempts a set status = $3, confirmed_at = coalesce(confirmed_at, date_trunc('milliseconds', now()))
     where a.environment_id = $1 and a.id = $2 and ${IS_OPEN} and (a.status <> $3 or a.confirmed_at is null)`,
    [environment_id, id, status],
  );
  await noteUnderWay(db, { environment_id, id }, is_processing ? 'processing' : 'charging');
}

/**
 * Notes what an attempt ends as once its intent is canceled, and what may be tried again. The first end stays, with its
 * code.
 */
export async function noteEnding(
  db: Db,
  { environment_id, id }: AttemptKey,
  {
    ends_as,
    decline_code,
    again,
  }: { ends_as: Ending; decline_code: string | null; again: Decline['again'] | null },
): Promise<void> {
  await db.query(
    `update payment_attempts a set ends_as = $3, decline_code = $4, again = $5
     where a.environment_id = $1 and a.id = $2 and a.ends_as is null and ${IS_OPEN}`,
    [environment_id, id, ends_as, decline_code, again],
  );
}

/** End of an attempt: `amount` is that of its payment. */
export type AttemptEnd =
  | { status: Ending; decline_code: string | null }
  | { status: 'succeeded'; payment_id: string; amount: string };

/**
 * SQL: what may be tried again after the end $3 of the attempt `a`. One that the provider has canceled by itself is
 * answered, as a declined one; one that was canceled before, by what was due, is not.
 */
const AGAIN = `case when $3 = 'declined' or ($3 = 'canceled' and a.ends_as is null and a.provider_reference is not null)
         then coalesce(a.again, 'by_schedule') end`;

/** Ends an open attempt. Throws an Error if it has ended: the caller has seen it under the lock of the customer. */
export async function endAttempt(db: Db, { environment_id, id }: AttemptKey, end: AttemptEnd): Promise<void> {
  const { payment_id, amount, decline_code } =
    end.status === 'succeeded' ? { ...end, decline_code: null } : { ...end, payment_id: null, amount: null };
  const { rowCount } = await db.query(
    `update payment_attempts a set status = $3, payment_id = $4, amount = coalesce($5, amount),
       decline_code = case when $3 <> 'succeeded' then coalesce(decline_code, $6) end, again = ${AGAIN},
       ends_as = case when $3 <> 'succeeded' then $3 end, ended_at = date_trunc('milliseconds', now())
     where a.environment_id = $1 and a.id = $2 and ${IS_OPEN}`,
    [environment_id, id, end.status, payment_id, amount, decline_code],
  );
  if (rowCount !== 1) throw new Error(`attempt ${id} has ended before`);
}

/** Has the payer of an attempt that ended without money get an email of it. */
export async function noteMailed(db: Db, { environment_id, id }: AttemptKey): Promise<void> {
  await db.query('update payment_attempts set is_mailed = true where environment_id = $1 and id = $2', [
    environment_id,
    id,
  ]);
}
