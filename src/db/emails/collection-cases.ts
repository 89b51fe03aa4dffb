import { daysOverdue } from '../../domain/invoice/age.ts';
import { dayOf } from '../../domain/time/local-time.ts';
import type { CollectionCase } from '../../objects/collection-case.ts';
import type { Db } from '../connection/pool.ts';
import { IS_PAUSED, pauseOf } from '../customers/collection-pauses.ts';
import { CUSTOMER_NOW } from '../customers/customer-now.ts';
import { DUE } from '../invoicing/amount-due.ts';
import { OVERDUE } from '../invoicing/overdue.ts';

/** `customer_id` is the external id or our `cus_` id; null for what is not asked. */
export type CaseFilter = {
  customer_id: string | null;
  currency: string | null;
  overdue: boolean | null;
  paused: boolean | null;
};

/** A case with its place in the order of the list as `id`. */
export type PlacedCase = { id: string; of_list: CollectionCase };

type Row = Omit<CollectionCase, 'days_overdue'> & { now: string; timezone: string };

/** SQL: the last reminder that names the invoice `i`; null for none. */
const LAST_REMINDER = `(
       select jsonb_build_object('email_id', m.id, 'status', m.status, 'send_at', instant_text(m.send_at),
         'sent_at', instant_text(m.sent_at))
       from emails m
       where m.environment_id = i.environment_id and m.invoice_ids @> array[i.id] and m.kind = 'reminder'
       order by m.id desc limit 1)`;

/** Open invoices that are overdue or paused, those with the earliest due dates first. */
export async function listCollectionCases(
  db: Db,
  environment_id: number,
  {
    before,
    limit,
    customer_id,
    currency,
    overdue,
    paused,
  }: CaseFilter & { before: string | null; limit: number },
): Promise<PlacedCase[]> {
  const [due_date = null, invoice_id = null] = before?.split(' ') ?? [];
  const { rows } = await db.query<Row>(
    `select 'collection_case' as object, n.livemode, i.id as invoice_id, i.full_number as number,
       c.external_id as customer_id, c.name as customer_name, i.currency, i.total::text as total,
       (${DUE})::text as amount_due, i.due_date::text as due_date, ${OVERDUE} as overdue,
       ${pauseOf('i')} as invoice_pause, ${pauseOf('c')} as customer_pause, ${LAST_REMINDER} as last_reminder,
       ${CUSTOMER_NOW} as now, coalesce(c.timezone, n.timezone) as timezone
     from invoices i
     join customers c on c.environment_id = i.environment_id and c.id = i.customer_id
     join environments n on n.id = i.environment_id
     where i.environment_id = $1 and i.status = 'open' and (${OVERDUE} or ${IS_PAUSED})
       and ($2::text is null or c.external_id = $2 or c.id = $2)
       and ($3::text is null or i.currency = $3)
       and ($4::boolean is null or (${OVERDUE}) = $4) and ($5::boolean is null or ${IS_PAUSED} = $5)
       and ($6::date is null or (i.due_date, i.id) > ($6, $7))
     order by i.due_date, i.id limit $8`,
    [environment_id, customer_id, currency, overdue, paused, due_date, invoice_id, limit],
  );
  return rows.map(({ now, timezone, ...row }) => ({
    id: `${row.due_date} ${row.invoice_id}`,
    of_list: { ...row, days_overdue: daysOverdue(row.due_date, dayOf(now, timezone)) },
  }));
}
