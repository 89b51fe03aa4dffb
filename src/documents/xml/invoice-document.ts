import { pricingOfLine } from '../../domain/pricing/series.ts';
import type { Invoice } from '../../objects/invoice.ts';
import type { Charge } from '../../domain/pricing/charge.ts';
import { canonical, decimal } from '../../domain/money/decimal.ts';
import { conflict } from '../../domain/money/errors.ts';
import { dayOf } from '../../domain/time/local-time.ts';
import { toAmount } from '../../domain/money/money.ts';
import { addMilliseconds } from '../../domain/time/period.ts';
import { percentsOf } from '../../domain/pricing/discount.ts';
import { withPercents } from '../../domain/pricing/price.ts';
import { unitPriceOf } from '../../domain/pricing/unit-price.ts';
import type { Days, EDocument, ELine } from './e-document.ts';

type Line = Invoice['line_items'][number];

type Span = { period_start: string; period_end: string };

/** An invoice, the `charges` of its plan, and the invoice that it `replaces`. */
export type Billed = { invoice: Invoice; charges: readonly Charge[]; replaces: Invoice | null };

/** The sentence that the PDF prints too. */
export const TEST = 'TEST: test data, no payment is due';

/**
 * The content of the e-invoice of an issued invoice: all of it is stored with the invoice. It leaves out payments, so
 * it stays the same. Throws conflict for a draft, which has no number, and for a void invoice, which must not be
 * booked.
 */
export function invoiceDocument({ invoice, charges, replaces }: Billed): EDocument {
  const { number, issued_at, status, timezone, currency, livemode } = invoice;
  const { footer } = invoice.seller;
  if (number === null || issued_at === null || status === 'void') throw notIssued(status);
  return {
    kind: 'invoice',
    number,
    issue_date: dayOf(issued_at, timezone),
    due_date: invoice.due_date,
    currency,
    notes: [...(livemode ? [] : [TEST]), ...(footer === null ? [] : [footer])],
    preceding: precedingOf(replaces),
    days: daysOf(invoice, timezone),
    seller: invoice.seller,
    customer: invoice.customer,
    lines: invoice.line_items.map((line) => ({
      ...pricesOf(line, charges),
      description: line.description,
      amount: line.amount,
      days: daysOf(line, timezone),
    })),
    tax: invoice.tax,
    subtotal: invoice.subtotal,
    total: invoice.total,
    ...settled(invoice),
  };
}

/**
 * The quantity of a line and its price, on a line with percents also the price before them. Of a fee both are amounts.
 * Rests and roundings may leave the price before percents below the other one: it is null then (billing.md 9).
 */
function pricesOf(
  line: Line,
  charges: readonly Charge[],
): Pick<ELine, 'quantity' | 'unit_price' | 'price_before'> {
  const priced = unitPriceOf(line, pricingOfLine(charges, line));
  if (priced === null) return { quantity: line.quantity, unit_price: null, price_before: null };
  if (line.amount_before === null) return { ...priced, price_before: null };
  if (line.type === 'flat') {
    const is_less = decimal(line.amount).lte(line.amount_before);
    return { ...priced, price_before: is_less ? line.amount_before : null };
  }
  const unit_price = canonical(withPercents(decimal(priced.unit_price), percentsOf(line.discounts)));
  return { ...priced, unit_price, price_before: priced.unit_price };
}

/**
 * The amount that the balance covered at the issue (BT-113), and the rest. It leaves out payments, which come later.
 */
function settled({ total, currency, balance_at_issue }: Invoice): Pick<EDocument, 'prepaid' | 'payable'> {
  return { prepaid: balance_at_issue, payable: toAmount(decimal(total).minus(balance_at_issue), currency) };
}

function notIssued(status: string): Error {
  const message =
    status === 'void'
      ? 'the invoice is void: it must not be booked, and so has no e-invoice'
      : 'the invoice is a draft: it has an e-invoice once it is issued';
  return conflict(null, 'invalid_state', message);
}

function precedingOf(replaced: Invoice | null): EDocument['preceding'] {
  if (replaced === null || replaced.number === null || replaced.issued_at === null) return null;
  return { number: replaced.number, issue_date: dayOf(replaced.issued_at, replaced.timezone) };
}

/** The local days of a span: its last one is that of its last millisecond. */
export function daysOf({ period_start, period_end }: Span, timezone: string): Days {
  return { first: dayOf(period_start, timezone), last: dayOf(addMilliseconds(period_end, -1), timezone) };
}
