import type { Db } from '../connection/pool.ts';
import { IS_PAUSED } from '../customers/collection-pauses.ts';
import { HAS_OPEN_PAGE, IS_CHARGED } from '../invoicing/charged.ts';

/** Terms that decide whether an invoice may be charged, besides its status. `customer_id` is our `cus_` id. */
export type ChargeTerms = {
  customer_id: string;
  is_paused: boolean;
  is_charged: boolean;
  has_open_page: boolean;
};

/** The terms of an invoice that exists; the caller holds the lock of the customer. */
export async function readChargeTerms(
  db: Db,
  environment_id: number,
  invoice_id: string,
): Promise<ChargeTerms> {
  const { rows } = await db.query<ChargeTerms>(
    `select i.customer_id, ${IS_PAUSED} as is_paused, ${IS_CHARGED} as is_charged,
       ${HAS_OPEN_PAGE} as has_open_page
     from invoices i
     join customers c on c.environment_id = i.environment_id and c.id = i.customer_id
     where i.environment_id = $1 and i.id = $2`,
    [environment_id, invoice_id],
  );
  return rows[0]!;
}

/** A method of a customer; `is_usable`: it is active, and its provider is the one of the environment. */
export type ChargedMethod = { id: string; provider_id: string; label: string; is_usable: boolean };

/**
 * A method of a customer by its id, or for null the default one; null if there is none. Until the transaction ends the
 * provider is not deleted, which would leave its attempt open for ever.
 */
export async function findMethodToCharge(
  db: Db,
  environment_id: number,
  { customer_id, method_id }: { customer_id: string; method_id: string | null },
): Promise<ChargedMethod | null> {
  const { rows } = await db.query<ChargedMethod>(
    `select m.id, m.provider_id, m.label, m.status = 'active' and v.deleted_at is null as is_usable
     from payment_methods m
     join payment_providers v on v.environment_id = m.environment_id and v.id = m.provider_id
     where m.environment_id = $1 and m.customer_id = $2 and ($3::text is null and m.is_default or m.id = $3)
     for share of v`,
    [environment_id, customer_id, method_id],
  );
  return rows[0] ?? null;
}
