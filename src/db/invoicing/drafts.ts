import type { DecidedDraft } from '../../domain/invoice/close.ts';
import { decimal } from '../../domain/money/decimal.ts';
import { toAmount } from '../../domain/money/money.ts';
import type { InvoiceCause } from '../../domain/lines/invoice-state.ts';
import type { Subscription } from '../../domain/subscription/subscription.ts';
import type { SubscriptionKey } from '../subscriptions/live-subscriptions.ts';
import type { Db } from '../connection/pool.ts';
import { invalidState } from './owed.ts';

/** The invoice of a close as it is written: a new draft, or one that exists. */
export type DraftToWrite = DecidedDraft & {
  id: string;
  is_new: boolean;
  subscription: Subscription;
  /** The void invoice that a new draft replaces, and whose hold and cause it takes over. */
  replaces: string | null;
  cause: InvoiceCause | null;
};

/** SQL: what the steps write to a draft. Its period ends where an earlier end of the subscription has cut it. */
const WRITTEN = `period_end, subtotal, tax_rate, tax_amount, total, credits_applied, tax_treatment, tax_note, usage_revision,
  credit_revision, is_stale`;
const WRITTEN_TYPES = `period_end timestamptz, subtotal numeric, tax_rate numeric, tax_amount numeric, total numeric, credits_applied numeric,
  tax_treatment text, tax_note text, usage_revision integer, credit_revision integer, is_stale boolean`;

/**
 * Stores drafts without their lines, in one statement. Throws conflict `invalid_state` if one that exists was issued:
 * an issued invoice is never edited.
 */
export async function writeDrafts(
  db: Db,
  environment_id: number,
  drafts: readonly DraftToWrite[],
): Promise<void> {
  if (drafts.length === 0) return;
  const written = drafts.map((draft) => ({ is_new: draft.is_new, ...ownerOf(draft), ...writtenOf(draft) }));
  const { rows } = await db.query<{ id: string }>(
    `with draft as (
       select * from jsonb_to_recordset($2) as d(is_new boolean, id text, subscription_id text, customer_id text,
         plan_id text, kind text, currency text, amount_paid numeric, timezone text, period_start timestamptz,
         created_at timestamptz, replaces text, cause text, hold_until timestamptz, ${WRITTEN_TYPES})
     ), made as (
       insert into invoices (environment_id, id, subscription_id, customer_id, plan_id, kind, currency, amount_paid,
         timezone, period_start, created_at, ${WRITTEN}, status, replaces, cause, hold_until)
       select $1, id, subscription_id, customer_id, plan_id, kind, currency, amount_paid, timezone, period_start,
         created_at, ${WRITTEN}, 'draft', replaces, coalesce(cause, (
           select cause from invoices where environment_id = $1 and id = draft.replaces)), coalesce((
           select hold_until from invoices where environment_id = $1 and id = draft.replaces), hold_until, 'infinity')
       from draft where is_new
       returning id, replaces
     ), replaced as (
       update invoices i set replaced_by = made.id from made where i.environment_id = $1 and i.id = made.replaces
     ), changed as (
       update invoices i set (${WRITTEN}) = row(${WRITTEN.replaceAll(/\w+/g, 'd.$&')})
       from draft d where not d.is_new and i.environment_id = $1 and i.id = d.id and i.status = 'draft' returning i.id
     )
     select id from made union all select id from changed`,
    [environment_id, JSON.stringify(written)],
  );
  const stored = new Set(rows.map(({ id }) => id));
  const issued = drafts.find(({ id }) => !stored.has(id));
  if (issued !== undefined) throw invalidState(issued.id, 'is no longer a draft');
}

function ownerOf({ subscription, kind, period, hold_until, replaces, cause }: DraftToWrite) {
  const { period_start, plan_id } = period;
  const { id: subscription_id, customer_id, currency, timezone, now: created_at } = subscription;
  const amount_paid = toAmount(decimal('0'), currency);
  return {
    subscription_id,
    customer_id,
    plan_id,
    kind,
    currency,
    amount_paid,
    timezone,
    period_start,
    created_at,
    hold_until,
    replaces,
    cause,
  };
}

function writtenOf({ id, period, composed, usage_revision, credit_revision, is_stale }: DraftToWrite) {
  const { subtotal, tax, total, credits_applied } = composed;
  return {
    id,
    period_end: period.period_end,
    subtotal,
    tax_rate: tax.rate,
    tax_amount: tax.amount,
    total,
    credits_applied,
    tax_treatment: tax.treatment,
    tax_note: tax.note,
    usage_revision,
    credit_revision,
    is_stale,
  };
}

/** The drafts of a subscription, oldest period first. */
export async function draftsOf(
  db: Db,
  { environment_id, subscription_id }: SubscriptionKey,
): Promise<{ id: string; period_start: string }[]> {
  const { rows } = await db.query<{ id: string; period_start: string }>(
    `select id, period_start from invoices
     where environment_id = $1 and subscription_id = $2 and status = 'draft' order by period_start, id`,
    [environment_id, subscription_id],
  );
  return rows;
}

/** The drafts of a customer, or of one of its subscriptions, oldest period first. */
export async function draftsOfCustomer(
  db: Db,
  environment_id: number,
  { customer_id, subscription_id }: { customer_id: string; subscription_id: string | null },
): Promise<{ subscription_id: string; period_start: string }[]> {
  const { rows } = await db.query<{ subscription_id: string; period_start: string }>(
    `select subscription_id, period_start from invoices
     where environment_id = $1 and customer_id = $2 and status = 'draft'
       and ($3::text is null or subscription_id = $3)
     order by period_start, id`,
    [environment_id, customer_id, subscription_id],
  );
  return rows;
}
