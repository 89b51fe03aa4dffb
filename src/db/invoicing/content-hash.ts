import { createHash } from 'node:crypto';
import type { Invoice } from '../../objects/invoice.ts';

/** Version of the content hash of newly issued invoices. */
export const CONTENT_HASH_VERSION = 2;

/**
 * The version whose hash covers a member first: all that an issued invoice says. Null is what may change after the
 * issue, or is not said. The hash follows the order of this table: a new member is a line at its end, with a new
 * version.
 */
export const SEALED_SINCE: Readonly<Record<keyof Invoice, number | null>> = {
  object: null,
  livemode: null,
  created_at: null,
  status: null,
  payment_status: null,
  amount_due: null,
  amount_paid: null,
  balance_applied: null,
  credited: null,
  overdue: null,
  collection_pause: null,
  collection: null,
  payments: null,
  payment_reference: null,
  paid_at: null,
  credit_notes: null,
  replaced_by: null,
  voided_at: null,
  void_reason: null,
  sent_at: null,
  id: 1,
  number: 1,
  kind: 1,
  customer_id: 1,
  subscription_id: 1,
  plan_id: 1,
  currency: 1,
  period_start: 1,
  period_end: 1,
  line_items: 1,
  subtotal: 1,
  tax: 1,
  total: 1,
  credits_applied: 1,
  balance_at_issue: 1,
  issued_at: 1,
  due_date: 1,
  timezone: 1,
  hide_zero_lines: 1,
  seller: 1,
  customer: 1,
  replaces: 1,
  logo_sha256: 2,
  cause: 2,
  // Of a further opening alone: other hashes stay as they were.
  opening_number: 2,
};

/** Members that the hash covers only where they are not null: other hashes stay as they were. */
const SEALED_WHERE_SET: ReadonlySet<string> = new Set(['cause', 'opening_number']);

type Sealed = Readonly<Record<Exclude<keyof Invoice, 'line_items'>, unknown>> & Pick<Invoice, 'line_items'>;

/**
 * SHA-256 over everything in an issued invoice that never changes. Invoices keep the hash of the version that they were
 * issued with. Members of line items, the tax, seller and customer have a frozen order, on which the hash depends.
 */
export function contentHash(invoice: Sealed, version = CONTENT_HASH_VERSION): Buffer {
  const sealed = Object.entries(SEALED_SINCE).filter(([, since]) => since !== null && since <= version);
  const said = { ...invoice, line_items: invoice.line_items.map(sealedLine) };
  const content = sealed.flatMap(([member]): [string, unknown][] => {
    const value: unknown = Reflect.get(said, member);
    const is_left_out = member === 'opening_number' ? !isFurtherOpening(invoice) : value === null;
    return is_left_out && SEALED_WHERE_SET.has(member) ? [] : [[member, value]];
  });
  return createHash('sha256').update(JSON.stringify(content)).digest();
}

/** Whether it is an opening inside its period (billing.md 14). */
function isFurtherOpening({ opening_number }: Pick<Sealed, 'opening_number'>): boolean {
  return opening_number !== null && opening_number !== 1;
}

/**
 * A line without the members that say something of a discounted line, or of a fee with a quantity, alone: other hashes
 * stay as they were.
 */
function sealedLine({
  discounts,
  amount_before,
  stretches,
  billed_before,
  ...line
}: Invoice['line_items'][number]) {
  return {
    ...line,
    ...(discounts.length > 0 && { discounts, amount_before }),
    ...(stretches !== null && { stretches, billed_before }),
  };
}
