import { conflict } from '../../domain/money/errors.ts';
import type { Db } from '../connection/pool.ts';

/**
 * Throws conflict `archived` if the events of an invoice, which is to be voided or billed again, are archived or may
 * leave at any moment. The caller holds the customer's lock, or asks again under it.
 */
export async function refuseArchivedInvoice(
  db: Db,
  environment_id: number,
  invoice_id: string,
): Promise<void> {
  const { rows } = await db.query<{ archived_to: string }>(
    `select c.archived_to from invoices i
     join customers c on c.environment_id = i.environment_id and c.id = i.customer_id
     where i.environment_id = $1 and i.id = $2 and (i.period_start < c.archived_to or exists (
       select from line_items l
       where l.environment_id = i.environment_id and l.invoice_id = i.id and l.full_period_start < c.archived_to))`,
    [environment_id, invoice_id],
  );
  if (rows[0] === undefined) return;
  throw conflict(
    null,
    'archived',
    `invoice ${invoice_id} bills events from before ${rows[0].archived_to}, which are archived: write a credit note, or restore the events`,
  );
}

/**
 * Throws conflict `archived` if events of a customer from an instant on are archived, so that a subscription cannot end
 * there any more. The caller holds the customer's lock.
 */
export async function refuseArchivedEnd(
  db: Db,
  { environment_id, customer_id }: { environment_id: number; customer_id: string },
  from: string,
): Promise<void> {
  const { rows } = await db.query<{ archived_to: string }>(
    'select archived_to from customers where environment_id = $1 and id = $2 and archived_to > $3',
    [environment_id, customer_id, from],
  );
  if (rows[0] === undefined) return;
  throw conflict(
    'at',
    'archived',
    `at must not be in a period that begins before ${rows[0].archived_to}: the customer's events before it are archived`,
  );
}

/** Throws conflict `archived`, naming the months, if events of a line are archived. */
export async function refuseArchivedLine(
  db: Db,
  environment_id: number,
  line_item_id: string,
): Promise<void> {
  const { rows } = await db.query<{ events: string; from_month: string; to_month: string }>(
    `select a.events, to_char(min(p.timestamp_from) at time zone 'UTC', 'YYYY-MM') as from_month,
       to_char((max(p.timestamp_to) - interval '1 millisecond') at time zone 'UTC', 'YYYY-MM') as to_month
     from archived_lines a
     join line_item_spans p on p.environment_id = a.environment_id and p.line_item_id = a.line_item_id
     where a.environment_id = $1 and a.line_item_id = $2 group by a.events`,
    [environment_id, line_item_id],
  );
  if (rows[0] === undefined) return;
  const { events, from_month, to_month } = rows[0];
  const months = from_month === to_month ? from_month : `${from_month} to ${to_month}`;
  throw conflict(
    null,
    'archived',
    `the events of line item ${line_item_id}, ${events} in all, are in the archive of ${months}: restore it to list them`,
  );
}
