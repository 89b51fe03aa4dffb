import type { CanceledReason } from '../../domain/email/email.ts';
import type { Db } from '../connection/pool.ts';
import { CUSTOMER_NOW } from '../customers/customer-now.ts';
import { IS_PAUSED } from '../customers/collection-pauses.ts';
import { DUE } from '../invoicing/amount-due.ts';
import { IS_CHARGED, IS_PLANNED } from '../invoicing/charged.ts';

/** SQL: the time zone of the customer `c` of the environment `n`, as the database counts its days. */
export const ZONE = 'known_zone(coalesce(c.timezone, n.timezone))';

/** SQL: the customer's day, of `c` and `n`. */
export const TODAY = `(${CUSTOMER_NOW} at time zone ${ZONE})::date`;

/** SQL: nobody is to be reminded of the invoice `i` of `c` by itself; a person may. */
const IS_LEFT_ALONE = `c.email_muted or ${IS_PAUSED} or ${IS_CHARGED} or ${IS_PLANNED}`;

/** SQL: a reminder of the invoice `i` of `c` is true. */
export const IS_REMINDED = `i.status = 'open' and ${DUE} > 0 and not (${IS_LEFT_ALONE})`;

/** SQL: why a reminder of the invoice `i` of `c` is untrue; null if it is true. $4: a person sends it. */
const STOP = `case
    when i.status = 'void' then 'void'
    when i.status <> 'open' or ${DUE} <= 0 then 'paid'
    when $4 then null
    when c.email_muted then 'muted'
    when ${IS_PAUSED} then 'paused'
    when ${IS_CHARGED} or ${IS_PLANNED} then 'charge_in_progress' end`;

/** An invoice that a reminder names, and why the reminder of it is untrue by now. */
export type NamedInvoice = { invoice_id: string; stop: CanceledReason | null };

/** The invoices that a reminder names, in its order, as they are now. */
export async function namedInvoices(
  db: Db,
  environment_id: number,
  { customer_id, invoice_ids, is_by_hand }: Reminded,
): Promise<NamedInvoice[]> {
  const { rows } = await db.query<NamedInvoice>(
    `select i.id as invoice_id, ${STOP} as stop
     from invoices i
     join customers c on c.environment_id = i.environment_id and c.id = i.customer_id
     where i.environment_id = $1 and c.id = $2 and i.id = any($3)
     order by array_position($3, i.id)`,
    [environment_id, customer_id, invoice_ids, is_by_hand],
  );
  return rows;
}

/** Whom a reminder is for, by the `cus_` id, the invoices that it names, and whether a person sends it. */
export type Reminded = { customer_id: string; invoice_ids: readonly string[]; is_by_hand: boolean };
