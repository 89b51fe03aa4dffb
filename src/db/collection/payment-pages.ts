import type { Db } from '../connection/pool.ts';
import { rowsOfBatch } from '../changes/consumers.ts';
import { DUE } from '../invoicing/amount-due.ts';
import type { PageKey } from './pages.ts';

/** A page on which an invoice is paid, while it is open. */
export type PaymentPage = PageKey & {
  provider_id: string;
  customer_id: string;
  /** The customer at the provider. */
  customer_reference: string;
  invoice_id: string;
  invoice_number: string;
  amount: string;
  currency: string;
  saves_method: boolean;
  expires_at: string;
  /** Its payer has paid by a debit that takes days. */
  is_under_way: boolean;
  /** It is over, or charges something else than is due: it is closed at the provider. */
  is_closing: boolean;
  /** The provider takes a request that makes it. */
  may_be_made: boolean;
};

const SELECT = `
  select y.environment_id, y.id, y.provider_id, y.customer_id, p.reference as customer_reference, y.reference,
    y.invoice_id, i.full_number as invoice_number, y.amount::text as amount, y.currency, y.saves_method, y.expires_at,
    y.intent_reference is not null as is_under_way,
    y.intent_reference is null and (y.expires_at <= now() or i.status <> 'open' or ${DUE} <> y.amount) as is_closing,
    y.expires_at > now() + interval '30 minutes 10 seconds' as may_be_made
  from payment_pages y
  join invoices i on i.environment_id = y.environment_id and i.id = y.invoice_id
  join provider_customers p on p.environment_id = y.environment_id and p.provider_id = y.provider_id
    and p.customer_id = y.customer_id`;

/** The open page of an invoice; null if there is none. The caller holds the lock of the customer if it decides. */
export async function findOpenPage(
  db: Db,
  { environment_id, invoice_id }: { environment_id: number; invoice_id: string },
): Promise<PaymentPage | null> {
  const { rows } = await db.query<PaymentPage>(
    `${SELECT} where y.environment_id = $1 and y.invoice_id = $2 and y.status = 'open'`,
    [environment_id, invoice_id],
  );
  return rows[0] ?? null;
}

/** A page by its id, while it is open; null for any other. */
export async function findPaymentPage(
  db: Db,
  environment_id: number,
  id: string,
): Promise<PaymentPage | null> {
  const { rows } = await db.query<PaymentPage>(
    `${SELECT} where y.environment_id = $1 and y.id = $2 and y.status = 'open'`,
    [environment_id, id],
  );
  return rows[0] ?? null;
}

/** Open pages of a provider, the oldest first. */
export async function pagesOfProvider(
  db: Db,
  environment_id: number,
  { provider_id, limit }: { provider_id: string; limit: number },
): Promise<PaymentPage[]> {
  const { rows } = await db.query<PaymentPage>(
    `${SELECT} where y.environment_id = $1 and y.provider_id = $2 and y.status = 'open' order by y.id limit $3`,
    [environment_id, provider_id, limit],
  );
  return rows;
}

/** Pages whose turn it is, the oldest first. */
export async function duePaymentPages(db: Db, limit: number): Promise<PaymentPage[]> {
  const { rows } = await db.query<PaymentPage>(
    `${SELECT} where y.next_read_at <= now() order by y.next_read_at limit $1`,
    [limit],
  );
  return rows;
}

/** A page that is made at the provider next. `customer_id` is our `cus_` id. */
export type NewPaymentPage = {
  id: string;
  customer_id: string;
  provider_id: string;
  invoice_id: string;
  amount: string;
  currency: string;
  saves_method: boolean;
  created_by: string;
};

/**
 * Stores a page before it is made, open a minute longer than the 30 that the provider takes at least: so long may its
 * request be sent again. The caller holds the lock of the customer and has seen that no other one is open.
 */
export async function insertPaymentPage(db: Db, environment_id: number, page: NewPaymentPage): Promise<void> {
  await db.query(
    `insert into payment_pages (environment_id, id, customer_id, provider_id, invoice_id, amount, currency,
       saves_method, created_by, expires_at, next_read_at)
     select $1, $2, $3, $4, $5, $6, $7, $8, $9, e.at, e.at
     from (select date_trunc('second', now()) + interval '31 minutes' as at) as e`,
    [
      environment_id,
      page.id,
      page.customer_id,
      page.provider_id,
      page.invoice_id,
      page.amount,
      page.currency,
      page.saves_method,
      page.created_by,
    ],
  );
}

/** Has an open page read again each hour, and at its end; one that is to be closed, in a minute. */
export async function putOffPaymentPage(
  db: Db,
  { environment_id, id, is_closing }: Pick<PaymentPage, 'environment_id' | 'id' | 'is_closing'>,
): Promise<void> {
  await db.query(
    `update payment_pages set next_read_at = now() + case when $3 or expires_at < now() then interval '1 minute'
       else least(interval '1 hour', expires_at - now()) end
     where environment_id = $1 and id = $2 and status = 'open'`,
    [environment_id, id, is_closing],
  );
}

/** Notes that the payer of a page has paid by a debit that takes days, which is read each hour from then on. */
export async function notePageUnderWay(
  db: Db,
  { environment_id, id }: PageKey,
  intent_reference: string,
): Promise<void> {
  await db.query(
    `update payment_pages set intent_reference = $3, next_read_at = now() + interval '1 hour'
     where environment_id = $1 and id = $2 and status = 'open'`,
    [environment_id, id, intent_reference],
  );
}

/** End of a page, with its charge at the provider if there was one. */
type PageEnd = { intent_reference: string | null; payment_id: string | null };

/** Ends an open page: complete with a payment, else expired. Returns false for one that has ended. */
export async function endPaymentPage(
  db: Db,
  { environment_id, id }: PageKey,
  { intent_reference, payment_id }: PageEnd,
): Promise<boolean> {
  const { rowCount } = await db.query(
    `update payment_pages set status = case when $4::text is null then 'expired' else 'complete' end,
       intent_reference = coalesce($3, intent_reference), payment_id = $4, next_read_at = null
     where environment_id = $1 and id = $2 and status = 'open'`,
    [environment_id, id, intent_reference, payment_id],
  );
  return rowCount === 1;
}

/** Has the pages closed on which the invoices of a customer are paid. */
export async function closePagesOf(db: Db, environment_id: number, customer_id: string): Promise<void> {
  await db.query(
    `update payment_pages set expires_at = least(expires_at, date_trunc('milliseconds', now())), next_read_at = now()
     where environment_id = $1 and customer_id = $2 and invoice_id is not null and status = 'open'
       and intent_reference is null`,
    [environment_id, customer_id],
  );
}

/** Has the pages read at once whose invoice the next batch of the consumer `collections` has changed. */
export async function wakePagesInBatch(db: Db, rows_max: number): Promise<void> {
  await db.query(
    `update payment_pages y set next_read_at = now()
     from ${rowsOfBatch('collections', rows_max)} as r
     where r.table_name = 'invoices' and r.before is not null and y.environment_id = r.environment_id
       and y.invoice_id = r.after ->> 'id' and y.status = 'open' and y.intent_reference is null`,
  );
}
