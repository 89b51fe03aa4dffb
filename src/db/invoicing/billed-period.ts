import type { InvoiceState } from './invoices.ts';
import { PERIOD_COLUMNS, type PeriodKey, type StoredPeriod } from '../subscriptions/periods.ts';
import type { Db } from '../connection/pool.ts';

/** A period, and its invoice that is not void; at most one exists. */
export type BilledPeriod = { period: StoredPeriod; invoice: InvoiceState | null };

/** A period by its start, with its invoice; null if it does not exist. */
export async function findBilledPeriod(
  db: Db,
  key: PeriodKey,
  period_start: string,
): Promise<BilledPeriod | null> {
  const { rows } = await db.query<StoredPeriod & { invoice: InvoiceState | null }>(
    `select ${PERIOD_COLUMNS}, (
       select jsonb_build_object('id', i.id, 'status', i.status, 'usage_revision', i.usage_revision,
         'credit_revision', i.credit_revision, 'period_start', instant_text(i.period_start), 'is_stale', i.is_stale)
       from invoices i
       where i.environment_id = $1 and i.subscription_id = $2 and i.period_start = $3 and i.status <> 'void') as invoice
     from periods where environment_id = $1 and subscription_id = $2 and period_start = $3`,
    [key.environment_id, key.subscription_id, period_start],
  );
  if (rows[0] === undefined) return null;
  const { invoice, ...period } = rows[0];
  return { period, invoice };
}
