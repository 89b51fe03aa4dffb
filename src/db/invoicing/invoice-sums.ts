import { AMOUNT_DUE } from './amount-due.ts';
import { createParameters } from '../connection/parameters.ts';
import { passesFilter, type InvoiceBounds } from './invoice-filter.ts';
import type { InvoiceSum } from '../../objects/invoice.ts';
import type { Db } from '../connection/pool.ts';

/**
 * Sums by status and currency, in this order; none for a pair without invoices. The customers are a left join, which
 * PostgreSQL leaves out where no filter names one.
 */
export async function sumInvoices(
  db: Db,
  environment_id: number,
  bounds: InvoiceBounds,
): Promise<InvoiceSum[]> {
  const { values, parameter } = createParameters();
  const { rows } = await db.query<InvoiceSum>(
    `select i.status, i.currency, count(*)::float8 as count, sum(i.total)::text as total,
       sum(i.tax_amount)::text as tax, sum(${AMOUNT_DUE})::text as amount_due, sum(i.amount_paid)::text as amount_paid
     from invoices i left join customers c on c.environment_id = i.environment_id and c.id = i.customer_id
     where ${passesFilter(environment_id, bounds, parameter)}
     group by i.status, i.currency
     order by array_position(array['draft', 'open', 'paid', 'void'], i.status), i.currency`,
    values,
  );
  return rows;
}
