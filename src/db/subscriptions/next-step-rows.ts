import type { NextDraft } from '../../domain/next-step.ts';
import type { StoredPeriod } from '../../domain/following-period.ts';
import type { Db } from '../connection/pool.ts';

/** The rows that decide what a subscription does next, and the invoice that its workflow shows. */
export type NextStepRows = {
  /** The invoice of the latest period, whatever its status. */
  last_invoice_id: string | null;
  /** The oldest pending request to regenerate an invoice. */
  request: { id: string; invoice_id: string } | null;
  /** The draft to handle first. */
  draft: NextDraft | null;
  /** The open period; null if the subscription has ended. */
  open: StoredPeriod | null;
};

/** Reads them at the customer's `now`, in one statement, since every step of a workflow asks for them. */
export async function readNextStepRows(
  db: Db,
  key: { environment_id: number; subscription_id: string },
  now: string,
): Promise<NextStepRows> {
  const { rows } = await db.query<NextStepRows>(
    `select (
       select id from invoices where environment_id = $1 and subscription_id = $2
       order by period_start desc, id desc limit 1
     ) as last_invoice_id, (
       select jsonb_build_object('id', id, 'invoice_id', invoice_id) from regenerations
       where environment_id = $1 and subscription_id = $2 and status = 'pending' order by id limit 1
     ) as request, (
       select jsonb_build_object('id', id, 'period_start', instant_text(period_start),
         'period_end', instant_text(period_end), 'usage_revision', usage_revision,
         'held_until', instant_text(nullif(hold_until, 'infinity')), 'due', hold_until <= $3,
         'unfinished', credit_revision < usage_revision)
       from invoices where environment_id = $1 and subscription_id = $2 and status = 'draft'
       order by hold_until <= $3 desc, (hold_until > $3 and credit_revision < usage_revision) desc, period_start limit 1
     ) as draft, (
       select jsonb_build_object('kind', kind, 'period_start', instant_text(period_start),
         'period_end', instant_text(period_end), 'interval_start', instant_text(interval_start),
         'interval_end', instant_text(interval_end),
         'full_period_start', instant_text(full_period_start), 'closed_at', null)
       from periods where environment_id = $1 and subscription_id = $2 and closed_at is null
     ) as open`,
    [key.environment_id, key.subscription_id, now],
  );
  return rows[0]!;
}
