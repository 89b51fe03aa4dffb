import type { Db } from '../connection/pool.ts';
import { DUE } from '../invoicing/amount-due.ts';
import { PARTIES, type EmailDocument } from './documents.ts';

/** Invoices that an email reads for its list, at most: more than it shows. The sum is of all. */
const LISTED_MAX = 1000;

/**
 * What an email says of all that a customer owes, by its `cus_` id, if it names these invoices; their earliest due date
 * is that of the email. Null if there is no such customer.
 */
export async function findOwedDocument(
  db: Db,
  environment_id: number,
  { customer_id, invoice_ids }: { customer_id: string; invoice_ids: readonly string[] },
): Promise<EmailDocument | null> {
  const { rows } = await db.query<EmailDocument>(
    `with due as (
       select i.id, i.full_number as number, i.due_date, ${DUE} as amount_due, i.currency,
         row_number() over (order by i.due_date, i.id) as place
       from invoices i
       where i.environment_id = $1 and i.customer_id = $2 and i.status = 'open' and ${DUE} > 0
     ), named as (
       select string_agg(i.full_number, ', ' order by i.due_date, i.id) as number, min(i.due_date)::text as due_date,
         coalesce(array_agg(i.full_number order by i.due_date, i.id), '{}') as invoices,
         case when count(*) = 1 then min(i.id) end as invoice_id
       from invoices i where i.environment_id = $1 and i.customer_id = $2 and i.id = any($3)
     ), whole as (
       select coalesce(sum(amount_due), 0)::text as total, sum(amount_due)::text as amount_due,
         coalesce(jsonb_agg(jsonb_build_object('number', number, 'due_date', due_date, 'amount_due', amount_due::text,
           'currency', currency) order by place) filter (where place <= ${LISTED_MAX}), '[]') as owed
       from due
     )
     select 'open' as status, c.currency, coalesce(named.number, '') as number, whole.total, whole.amount_due,
       named.due_date, named.invoices, whole.owed, null as replaces, named.invoice_id, ${PARTIES}
     from customers c
     join environments n on n.id = c.environment_id
     cross join named cross join whole
     where c.environment_id = $1 and c.id = $2`,
    [environment_id, customer_id, invoice_ids],
  );
  return rows[0] ?? null;
}
