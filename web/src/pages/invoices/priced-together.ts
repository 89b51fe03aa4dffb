import { differenceOf, digitsOf, sumOf } from '../../../../src/domain/money/figures.ts';
import { percentsOf } from '../../../../src/domain/pricing/discount.ts';
import { priceTo, type Price } from '../../../../src/domain/pricing/price.ts';
import type { Pricing } from '../../../../src/domain/pricing/definitions.ts';
import type { Bill, Invoice, LineItem, UpcomingLineItem } from '../../api/objects.ts';
import { seriesKey } from './line-key.ts';

/** The bill of a line: an invoice, or the upcoming one, which has neither id nor issue. */
export type BillOfLine = Bill & Partial<Pick<Invoice, 'id' | 'issued_at'>>;

type IssuedBill = Pick<BillOfLine, 'id' | 'issued_at'>;

/** The members of an invoice that say whether it stood, and that name it. */
export type InvoiceBeside = Pick<
  Invoice,
  'id' | 'number' | 'status' | 'plan_id' | 'issued_at' | 'voided_at' | 'line_items'
>;

/** A line of the same charge, price, group and period on another invoice. */
export type LineBeside = { invoice: InvoiceBeside; line: LineItem };

/** Lines priced together: their sums, and the price of these, from which the amounts of the others are taken. */
export type Together = {
  quantity: string;
  credits_applied: string;
  priced: Price;
  other_lines: LineBeside[];
};

/** The lines that may share the price of a line, of any invoice but its own. */
export function linesBeside(
  line: UpcomingLineItem,
  bill: IssuedBill,
  invoices: readonly InvoiceBeside[],
): LineBeside[] {
  const isBeside = (other: LineItem) =>
    (other.type === 'usage' || other.type === 'late_usage') &&
    other.charge_id === line.charge_id &&
    seriesKey(other) === seriesKey(line) &&
    other.period_start >= line.period_start &&
    other.period_end <= line.period_end;
  return invoices
    .filter(({ id }) => id !== bill.id)
    .flatMap((invoice) => invoice.line_items.filter(isBeside).map((other) => ({ invoice, line: other })));
}

/**
 * How the amount of a line comes about beside others (billing.md 5): the price of all lines that stood when its invoice
 * was issued, less the others. Null where that is not its amount: an automatic note has credited one of them, it is a
 * part of a cut period, or an amount was raised to zero.
 */
export function pricedTogether(
  line: UpcomingLineItem,
  bill: IssuedBill,
  { pricing, beside }: { pricing: Pricing; beside: readonly LineBeside[] },
): Together | null {
  for (const is_void_then of [true, false]) {
    const other_lines = beside.filter(({ invoice }) => stoodBeside(invoice, bill, is_void_then));
    const together = priceOf(line, { other_lines, pricing });
    const billed = sumOf(other_lines.map((other) => other.line.amount));
    if (differenceOf(together.priced.amount, billed) === sumOf([line.amount])) return together;
  }
  return null;
}

/**
 * Whether an invoice stood when another one was issued. `is_void_then` decides about a void at the very instant of that
 * issue.
 */
export function stoodBeside(
  other: InvoiceBeside,
  { id, issued_at = null }: IssuedBill,
  is_void_then: boolean,
): boolean {
  if (issued_at === null) return other.status !== 'void';
  if (other.issued_at === null || other.issued_at > issued_at) return false;
  // Ids grow with time: test clocks issue many invoices at one instant.
  if (other.issued_at === issued_at && other.id > (id ?? '')) return false;
  const { voided_at } = other;
  return voided_at === null || voided_at > issued_at || (voided_at === issued_at && !is_void_then);
}

type Asked = { other_lines: LineBeside[]; pricing: Pricing };

function priceOf(line: UpcomingLineItem, { other_lines, pricing }: Asked): Together {
  const lines = [line, ...other_lines.map((other) => other.line)];
  const quantity = sumOf(lines.map((part) => part.quantity));
  const credits_applied = sumOf(lines.map((part) => part.credits_applied));
  const fraction = { numerator: '1', denominator: '1' };
  const percents = percentsOf(line.discounts);
  const usage = { quantity, credit: credits_applied, fraction, percents };
  return {
    quantity,
    credits_applied,
    priced: priceTo(digitsOf(line.amount), pricing, usage),
    other_lines,
  };
}
