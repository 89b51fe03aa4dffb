import { ERASED_DESCRIPTION, ERASED_DISCOUNT_NAME, ERASED_PLAN_NAME } from '../../domain/people/redaction.ts';
import type { Db } from '../connection/pool.ts';
import { isByProvider } from './refunded.ts';

/** SQL: of an invoice `i` of the customer $2. */
const OF_CUSTOMER = 'i.environment_id = $1 and i.customer_id = $2';

/**
 * Takes away what people have written about a customer: references of payments and transfers, reasons, notes of pauses,
 * descriptions of items, names of discounts, and names and metadata of custom plans (contract.md 3). What an issued
 * invoice or a credit note says stays. The caller holds the locks of the customer and of its subscriptions, without
 * which a draft that is being counted would be written with the former descriptions.
 */
export async function eraseTexts(db: Db, environment_id: number, customer_id: string): Promise<void> {
  for (const statement of [...REFERENCES_AND_REASONS, ...DESCRIPTIONS, ...NAMES_OF_DISCOUNTS, CUSTOM_PLANS])
    await db.query(statement, [environment_id, customer_id]);
}

const REFERENCES_AND_REASONS = [
  // The reference of a charge is no text of a person, and refunds and disputes find their payments by it.
  `update payments p set reference = case when ${isByProvider('p')} then p.reference end, reversal_reason = null
   where environment_id = $1 and customer_id = $2 and (reference is not null or reversal_reason is not null)`,
  `update payment_refunds set reason = null
   where environment_id = $1 and customer_id = $2 and reason is not null`,
  `update transfers set reference = null where environment_id = $1 and customer_id = $2 and reference is not null`,
  `update invoices i set payment_reference = null, void_reason = null, collection_note = null
   where ${OF_CUSTOMER} and coalesce(i.payment_reference, i.void_reason, i.collection_note) is not null`,
  `update customers set collection_note = null
   where environment_id = $1 and id = $2 and collection_note is not null`,
  `update credit_notes k set void_reason = null
   from invoices i where ${OF_CUSTOMER} and k.environment_id = i.environment_id and k.invoice_id = i.id
     and k.void_reason is not null`,
  `update regenerations r set reason = null
   from invoices i where ${OF_CUSTOMER} and r.environment_id = i.environment_id and r.invoice_id = i.id
     and r.reason is not null`,
  `update credit_grants set note = null where environment_id = $1 and customer_id = $2 and note is not null`,
  `update balance_entries set reason = null
   where environment_id = $1 and customer_id = $2 and reason is not null`,
];

/** Deleted items too, and lines of what was never issued. */
const DESCRIPTIONS = [
  `update invoice_items set description = '${ERASED_DESCRIPTION}'
   where environment_id = $1 and customer_id = $2 and description <> '${ERASED_DESCRIPTION}'`,
  `update line_items l set description = '${ERASED_DESCRIPTION}'
   from invoices i where ${OF_CUSTOMER} and i.number is null and l.environment_id = i.environment_id
     and l.invoice_id = i.id and l.type = 'item'`,
];

/** Those of lines of what was never issued too. */
const NAMES_OF_DISCOUNTS = [
  `update discounts set name = '${ERASED_DISCOUNT_NAME}'
   where environment_id = $1 and customer_id = $2 and name <> '${ERASED_DISCOUNT_NAME}'`,
  `update line_items l set discounts = (
     select jsonb_agg(discount.value || '{"name": "${ERASED_DISCOUNT_NAME}"}' order by discount.place)
     from jsonb_array_elements(l.discounts) with ordinality as discount(value, place)),
     description = case l.type when 'discount' then '${ERASED_DISCOUNT_NAME}' else l.description end
   from invoices i where ${OF_CUSTOMER} and i.number is null and l.environment_id = i.environment_id
     and l.invoice_id = i.id and l.discounts <> '[]'`,
];

const CUSTOM_PLANS = `
  update plans set name = '${ERASED_PLAN_NAME}', metadata = '{}'
  where environment_id = $1 and customer_id = $2 and (name <> '${ERASED_PLAN_NAME}' or metadata <> '{}')`;
