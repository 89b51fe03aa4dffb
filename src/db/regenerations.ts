import { newId } from '../ids.ts';
import { countDraft, issueDraft, type BillingSettings } from './billing.ts';
import { invalidState, linkReplacement } from './invoice-transitions.ts';
import { findInvoice, type Invoice } from './invoices.ts';
import { findPeriod } from './periods.ts';
import { CUSTOMER_NOW, lockCustomerAndSubscription } from './subscriptions.ts';
import { voidLocked } from './voids.ts';
import type { Db } from './pool.ts';

/** A request to replace an invoice, as the interface shows it (contract.md 4). */
export type Regeneration = {
  id: string;
  object: 'regeneration';
  livemode: boolean;
  created_at: string;
  status: 'pending' | 'done' | 'refused';
  invoice_id: string;
  new_invoice_id: string | null;
  reason: string | null;
  /** Why it was refused. */
  refusal: string | null;
  requested_at: string;
  finished_at: string | null;
};

const SELECT = `
  select r.id, 'regeneration' as object, n.livemode, r.requested_at as created_at, r.status, r.invoice_id, r.new_invoice_id,
    r.reason, r.refusal, r.requested_at, r.finished_at
  from regenerations r join environments n on n.id = r.environment_id`;

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
 * Stores a request that the subscription's workflow will serve. A request that has a key is stored once, however often it
 * is made. Null where the subscription has no such invoice.
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
    `insert into regenerations (environment_id, id, subscription_id, invoice_id, reason, request_key, status, requested_at)
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

/** What became of the last request of a subscription, for the person who reads its workflow. */
export async function lastRegeneration(
  db: Db,
  key: { environment_id: number; subscription_id: string },
): Promise<Regeneration | null> {
  const { rows } = await db.query<Regeneration>(
    `${SELECT} where r.environment_id = $1 and r.subscription_id = $2 order by r.id desc limit 1`,
    [key.environment_id, key.subscription_id],
  );
  return rows[0] ?? null;
}

/** The oldest request of a subscription that nobody has served. */
export async function findPendingRegeneration(
  db: Db,
  key: { environment_id: number; subscription_id: string },
): Promise<{ id: string; invoice_id: string } | null> {
  const { rows } = await db.query<{ id: string; invoice_id: string }>(
    `select id, invoice_id from regenerations
     where environment_id = $1 and subscription_id = $2 and status = 'pending' order by id limit 1`,
    [key.environment_id, key.subscription_id],
  );
  return rows[0] ?? null;
}

/**
 * Serves a request: void and replacement in the caller's one transaction. A request that was served already stays as it is, so
 * serving twice, or twice at once, changes nothing. Returns the request; conflict `invalid_state` where the invoice cannot be replaced.
 */
export async function serveRegeneration(
  db: Db,
  key: { environment_id: number; subscription_id: string; id: string },
  settings: BillingSettings,
): Promise<Regeneration> {
  const { environment_id, id } = key;
  await lockCustomerAndSubscription(db, environment_id, key.subscription_id);
  const request = (await findRegeneration(db, environment_id, id))!;
  if (request.status !== 'pending') return request;
  const new_invoice_id = await replaceInvoice(db, environment_id, request, settings);
  await finishRegeneration(db, environment_id, { id, status: 'done', new_invoice_id, refusal: null });
  return (await findRegeneration(db, environment_id, id))!;
}

/** Says why a request is not served; one that was served meanwhile stays as it is. */
export async function refuseRegeneration(
  db: Db,
  environment_id: number,
  { id, refusal }: { id: string; refusal: string },
): Promise<Regeneration> {
  await finishRegeneration(db, environment_id, { id, status: 'refused', new_invoice_id: null, refusal });
  return (await findRegeneration(db, environment_id, id))!;
}

async function finishRegeneration(
  db: Db,
  environment_id: number,
  outcome: Pick<Regeneration, 'id' | 'status' | 'new_invoice_id' | 'refusal'>,
): Promise<void> {
  await db.query(
    `update regenerations r set status = $3, new_invoice_id = $4, refusal = $5, finished_at = ${CUSTOMER_NOW}
     from invoices i join customers c on c.environment_id = i.environment_id and c.id = i.customer_id
     where i.environment_id = r.environment_id and i.id = r.invoice_id
       and r.environment_id = $1 and r.id = $2 and r.status = 'pending'`,
    [environment_id, outcome.id, outcome.status, outcome.new_invoice_id, outcome.refusal],
  );
}

/**
 * Voids an invoice and bills its period again, as things are now, in the caller's one transaction: a draft yields a draft with the
 * same hold, an issued invoice an issued one. Returns the new invoice's id; conflict `invalid_state` where it is paid, or void.
 */
export async function replaceInvoice(
  db: Db,
  environment_id: number,
  { invoice_id, reason }: { invoice_id: string; reason: string | null },
  settings: BillingSettings,
): Promise<string> {
  const { subscription_id } = (await findInvoice(db, environment_id, invoice_id))!;
  const subscription = (await lockCustomerAndSubscription(db, environment_id, subscription_id))!;
  const old = (await findInvoice(db, environment_id, invoice_id))!;
  refuseUnlessReplaceable(old);
  await voidLocked(db, subscription, { id: invoice_id, reason: reason ?? 'regenerated' });
  const period = (await findPeriod(db, { environment_id, subscription_id }, old.period_start))!;
  const draft = { subscription, period, invoice: null, usage_revision: 1, may_be_empty: true };
  const counted = (await countDraft(db, draft, settings))!;
  await linkReplacement(db, environment_id, { old_id: invoice_id, new_id: counted.id });
  if (old.status !== 'draft') await issueDraft(db, { subscription, period, invoice: counted }, settings);
  return counted.id;
}

/** Throws conflict `invalid_state` unless the invoice is a draft, open, or paid without a payment (contract.md 4). */
export function refuseUnlessReplaceable({ id, status, amount_paid }: Invoice): void {
  if (status === 'draft' || status === 'open' || (status === 'paid' && /^0(\.0+)?$/.test(amount_paid)))
    return;
  throw invalidState(id, `is ${status} and cannot be regenerated`);
}
