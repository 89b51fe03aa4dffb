import type { Db } from '../connection/pool.ts';

/**
 * SQL: the change `f` has what an erasure takes away: a customer's own fields, a draft, whose customer is as of now, or
 * a text that people have written (contract.md 3).
 */
const IS_ERASED = `(f.type like 'customer.%' or f.type like 'invoice_item.%' or f.type like 'discount.%'
    or f.type like 'pricing_plan.%' or f.type like 'email.%'
    or f.data ->> 'status' = 'draft'
    or coalesce(f.data ->> 'reference', f.data ->> 'reversal_reason', f.data ->> 'payment_reference',
      f.data ->> 'void_reason', f.data -> 'collection_pause' ->> 'note') is not null
    or (f.type like 'balance_entry.%' and f.data ->> 'reason' is not null)
    or (f.type like 'invoice.%' and json_array_length(f.data -> 'payments') > 0))`;

/**
 * Takes the objects from the changes of a customer, by its `cus_` id, that have what an erasure takes away. Their
 * numbers stay. Waits for a batch that is being numbered, which may have read the customer as it was.
 */
export async function eraseChanges(db: Db, environment_id: number, customer_key: string): Promise<void> {
  await db.query(`select from consumers where name = 'feed' for update`);
  await db.query(
    `update feed f set data = null
     where f.environment_id = $1 and f.customer_key = $2 and f.data is not null and f.type <> 'customer.deleted'
       and ${IS_ERASED}`,
    [environment_id, customer_key],
  );
}
