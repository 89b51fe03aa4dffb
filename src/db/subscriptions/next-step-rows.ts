import type { StoredPeriod } from '../../domain/subscription/following-period.ts';
import type { NextDraft } from '../../domain/subscription/next-step.ts';
import type { Db } from '../connection/pool.ts';

/** The rows that decide what a subscription does next, and what its workflow shows. */
export type NextStepRows = {
  /** The invoice of the latest period, whatever its status. */
  last_invoice: { id: string; period_start: string } | null;
  /** The oldest pending request to regenerate an invoice. */
  request: { id: string; invoice_id: string } | null;
  /** The outcome of the last regeneration. */
  last_regeneration: { invoice_id: string; new_invoice_id: string | null; refusal: string | null } | null;
  drafts: NextDraft[];
  /** The open period; null if the subscription has ended. */
  open: StoredPeriod | null;
};

/**
 * Reads them of subscriptions, each at the now of its customer, in one statement, since every step of a workflow asks
 * for them.
 */
export async function readNextStepRows(
  db: Db,
  environment_id: number,
  subscriptions: readonly { id: string; now: string }[],
): Promise<Map<string, NextStepRows>> {
  const { rows } = await db.query<NextStepRows & { subscription_id: string }>(
    `select asked.id as subscription_id, (
       select jsonb_build_object('id', id, 'period_start', instant_text(period_start)) from invoices
       where environment_id = $1 and subscription_id = asked.id order by period_start desc, id desc limit 1
     ) as last_invoice, (
       select jsonb_build_object('id', id, 'invoice_id', invoice_id) from regenerations
       where environment_id = $1 and subscription_id = asked.id and status = 'pending' order by id limit 1
     ) as request, (
       select jsonb_build_object('invoice_id', invoice_id, 'new_invoice_id', new_invoice_id, 'refusal', refusal)
       from regenerations where environment_id = $1 and subscription_id = asked.id order by id desc limit 1
     ) as last_regeneration, (
       select coalesce(jsonb_agg(jsonb_build_object('id', id, 'period_start', instant_text(period_start),
         'period_end', instant_text(period_end), 'usage_revision', usage_revision,
         'held_until', instant_text(nullif(hold_until, 'infinity')), 'due', hold_until <= asked.now,
         'unfinished', credit_revision < usage_revision)), '[]')
       from invoices where environment_id = $1 and subscription_id = asked.id and status = 'draft'
     ) as drafts, (
       select jsonb_build_object('kind', kind, 'period_start', instant_text(period_start),
         'period_end', instant_text(period_end), 'interval_start', instant_text(interval_start),
         'interval_end', instant_text(interval_end),
         'full_period_start', instant_text(full_period_start), 'plan_id', plan_id,
         'opened_at', instant_text(opened_at), 'closed_at', null)
       from periods where environment_id = $1 and subscription_id = asked.id and closed_at is null
     ) as open
     from unnest($2::text[], $3::timestamptz[]) as asked(id, now)`,
    [environment_id, subscriptions.map(({ id }) => id), subscriptions.map(({ now }) => now)],
  );
  return new Map(rows.map(({ subscription_id, ...facts }) => [subscription_id, facts]));
}
