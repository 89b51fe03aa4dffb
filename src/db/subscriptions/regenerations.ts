import type { ErrorDetail } from '../../domain/money/errors.ts';
import { newId } from '../../keys/ids.ts';
import { CUSTOMER_NOW } from '../customers/customer-now.ts';
import type { Db } from '../connection/pool.ts';

/** A request to replace an invoice, as the API shows it (contract.md 4). */
export type Regeneration = {
  id: string;
  object: 'regeneration';
  livemode: boolean;
  created_at: string;
  status: 'pending' | 'done' | 'refused';
  invoice_id: string;
  new_invoice_id: string | null;
  reason: string | null;
  /** The reason why the request was refused. */
  refusal: string | null;
  /** All that the error said. Null unless a billing rule refused the request. */
  details: readonly ErrorDetail[] | null;
  requested_at: string;
  finished_at: string | null;
};

const SELECT = `
  select r.id, 'regeneration' as object, n.livemode, r.requested_at as created_at, r.status, r.invoice_id,
    r.new_invoice_id, r.reason, r.refusal, r.details, r.requested_at, r.finished_at
  from regenerations r join environments n on n.id = r.environment_id`;

/** A request by id; null if it does not exist. */
export async function findRegeneration(
  db: Db,
  environment_id: number,
  id: string,
): Promise<Regeneration | null> {
  const { rows } = await db.query<Regeneration>(`${SELECT} where r.environment_id = $1 and r.id = $2`, [
    environment_id,
    id,
  ]);
  return rows[0] ?? null;
}

/**
 * Stores a request; the subscription's workflow serves it. Idempotent by `request_key`: a repeated key returns the
 * first request. Returns the request's id, or null if the subscription has no such invoice.
 */
export async function requestRegeneration(
  db: Db,
  environment_id: number,
  request: {
    invoice_id: string;
    subscription_id: string;
    reason: string | null;
    request_key: string | null;
  },
): Promise<string | null> {
  const { rows } = await db.query<{ id: string }>(
    `insert into regenerations (environment_id, id, subscription_id, invoice_id, reason, request_key, status,
       requested_at)
     select i.environment_id, $2, i.subscription_id, i.id, $4, $5, 'pending', ${CUSTOMER_NOW}
     from invoices i join customers c on c.environment_id = i.environment_id and c.id = i.customer_id
     where i.environment_id = $1 and i.id = $3 and i.subscription_id = $6
     on conflict (environment_id, request_key) do update set request_key = excluded.request_key
     returning id`,
    [
      environment_id,
      newId('reg'),
      request.invoice_id,
      request.reason,
      request.request_key,
      request.subscription_id,
    ],
  );
  return rows[0]?.id ?? null;
}

/** A request by its `request_key`; null if it does not exist. */
export async function findRegenerationByKey(
  db: Db,
  environment_id: number,
  request_key: string,
): Promise<Regeneration | null> {
  const { rows } = await db.query<Regeneration>(
    `${SELECT} where r.environment_id = $1 and r.request_key = $2`,
    [environment_id, request_key],
  );
  return rows[0] ?? null;
}

/** Lets the rest of the transaction be the act of who asked for a request: a caller, or a signal by hand. */
export async function actAsAsked(db: Db, environment_id: number, id: string): Promise<void> {
  await db.query(
    `select set_config('tidemark.actor', coalesce(actor, 'signal'), true)
     from regenerations where environment_id = $1 and id = $2`,
    [environment_id, id],
  );
}

/** Subscriptions of all environments with a pending request, oldest request first; for the reconciler. */
export async function subscriptionsWithRequests(
  db: Db,
  limit: number,
): Promise<{ environment_id: number; subscription_id: string }[]> {
  const { rows } = await db.query<{ environment_id: number; subscription_id: string }>(
    `select environment_id, subscription_id from regenerations where status = 'pending'
     group by environment_id, subscription_id order by min(id) limit $1`,
    [limit],
  );
  return rows;
}

/**
 * Refuses a pending request with the reason `refusal` and its details; a request served meanwhile stays unchanged.
 * Returns the request.
 */
export async function refuseRegeneration(
  db: Db,
  environment_id: number,
  refused: { id: string; refusal: string; details: Regeneration['details'] },
): Promise<Regeneration> {
  const { id } = refused;
  await finishRegeneration(db, environment_id, { ...refused, status: 'refused', new_invoice_id: null });
  return (await findRegeneration(db, environment_id, id))!;
}

/** Stores the outcome of a pending request, at the customer's now; a finished request stays unchanged. */
export async function finishRegeneration(
  db: Db,
  environment_id: number,
  outcome: Pick<Regeneration, 'id' | 'status' | 'new_invoice_id' | 'refusal' | 'details'>,
): Promise<void> {
  const details = outcome.details === null ? null : JSON.stringify(outcome.details);
  await db.query(
    `update regenerations r set status = $3, new_invoice_id = $4, refusal = $5, details = $6,
       finished_at = ${CUSTOMER_NOW}
     from invoices i join customers c on c.environment_id = i.environment_id and c.id = i.customer_id
     where i.environment_id = r.environment_id and i.id = r.invoice_id
       and r.environment_id = $1 and r.id = $2 and r.status = 'pending'`,
    [environment_id, outcome.id, outcome.status, outcome.new_invoice_id, outcome.refusal, details],
  );
}
