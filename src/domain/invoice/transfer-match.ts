import { decimal, sum, ZERO } from '../money/decimal.ts';
import { toAmount } from '../money/money.ts';
import { hasNumber } from './named-number.ts';

/** An open invoice. `amount` is what is due, `customer_id` the external id. */
export type OpenInvoice = {
  id: string;
  number: string;
  customer_id: string;
  currency: string;
  amount: string;
};

/** A row of a bank's file. */
type BankRow = { amount: string; currency: string; reference: string };

/** The relation of a row to the open invoices that its reference names (billing.md 7). */
type NamedMatch =
  | { status: 'matched' | 'partial'; invoices: OpenInvoice[]; to_balance: string }
  | { status: 'ambiguous'; candidates: OpenInvoice[] }
  | { status: 'unnamed' };

/**
 * Matches a row above 0 with those of the open invoices that its reference names. All of one customer are paid, if the
 * amount is enough; of one alone a part may be. Each `amount` of the result is what would be paid.
 */
export function matchRow({ amount, currency, reference }: BankRow, open: readonly OpenInvoice[]): NamedMatch {
  const named = open.filter(
    (invoice) => invoice.currency === currency && hasNumber(reference, invoice.number),
  );
  if (named.length === 0) return { status: 'unnamed' };
  const due = sum(named.map((invoice) => decimal(invoice.amount)));
  const is_enough = due.lte(amount);
  const customers = new Set(named.map(({ customer_id }) => customer_id));
  if (customers.size > 1 || (named.length > 1 && !is_enough))
    return { status: 'ambiguous', candidates: named };
  const text = (value: typeof due) => toAmount(value, currency);
  if (is_enough) return { status: 'matched', invoices: named, to_balance: text(decimal(amount).minus(due)) };
  const [invoice] = named;
  return {
    status: 'partial',
    invoices: [{ ...invoice!, amount: text(decimal(amount)) }],
    to_balance: text(ZERO),
  };
}
