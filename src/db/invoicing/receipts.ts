import type { Invoice } from '../../objects/invoice.ts';
import type { Db } from '../connection/pool.ts';
import { BILLED_CUSTOMER, SELLER } from './invoices.ts';

/** Content of a receipt besides its payment. `invoice_number` is null for a payment in advance. */
export type ReceiptParties = Pick<Invoice, 'seller' | 'customer' | 'timezone' | 'logo_sha256'> & {
  invoice_number: string | null;
};

/**
 * The parties of a payment: those of its invoice as it was issued, or of a payment in advance as they are now. Null if
 * the payment does not exist.
 */
export async function findReceiptParties(
  db: Db,
  environment_id: number,
  payment_id: string,
): Promise<ReceiptParties | null> {
  const { rows } = await db.query<ReceiptParties>(
    `select i.full_number as invoice_number, coalesce(i.seller, ${SELLER}) as seller,
       coalesce(i.customer, ${BILLED_CUSTOMER}) as customer,
       coalesce(i.timezone, c.timezone, n.timezone) as timezone,
       case when i.id is null then n.logo_sha256 else i.logo_sha256 end as logo_sha256
     from payments p
     join customers c on c.environment_id = p.environment_id and c.id = p.customer_id
     join environments n on n.id = p.environment_id
     left join invoices i on i.environment_id = p.environment_id and i.id = p.invoice_id
     where p.environment_id = $1 and p.id = $2`,
    [environment_id, payment_id],
  );
  return rows[0] ?? null;
}
