import { type Decimal, decimal, max, min, sum, ZERO } from '../money/decimal.ts';
import { conflict, invalid, notFound } from '../money/errors.ts';
import { checkDigits, toAmount } from '../money/money.ts';
import { taxOf } from '../money/tax.ts';

/** A line of an issued invoice. Amounts are net; `credited` is what the credit notes that stand take off it. */
export type CreditableLine = { id: string; amount: string; credited: string };

/**
 * An issued invoice and the credit notes of it that stand. `tax_rate` is in percent, `tax_credited` the tax of these
 * notes.
 */
export type CreditableInvoice = {
  currency: string;
  subtotal: string;
  tax_rate: string;
  amount_due: string;
  lines: readonly CreditableLine[];
  tax_credited: string;
};

export const CREDIT_NOTE_STATUSES = ['issued', 'void'] as const;
export type CreditNoteStatus = (typeof CREDIT_NOTE_STATUSES)[number];

/**
 * The destination of a credit that exceeds what is due: to the customer's balance, or back to the customer outside of
 * this system.
 */
export const SETTLEMENTS = ['balance', 'outside'] as const;
export type Settlement = (typeof SETTLEMENTS)[number];

/**
 * `all` credits what each line has left, those below zero too. `amount` is net; null credits all that the line has
 * left.
 */
export type CreditRequest = {
  lines: readonly CreditedLine[] | 'all';
  settle: Settlement;
};

export type CreditedLine = { line_item_id: string; amount: string | null };

/** Amounts in the currency's minor digits; `to_invoice`, `to_balance` and `outside` add up to `total`. */
export type ComposedCreditNote = {
  lines: { line_item_id: string; amount: string }[];
  subtotal: string;
  tax: string;
  total: string;
  to_invoice: string;
  to_balance: string;
  outside: string;
};

/**
 * Composes a credit note that a request asks for (billing.md 7). Throws not_found `unknown_line_item`; invalid_request
 * for a line that is named twice, or an amount with more digits than the currency; conflict `invalid_state` if a line
 * or the invoice has less left, or nothing.
 */
export function composeCreditNote(invoice: CreditableInvoice, request: CreditRequest): ComposedCreditNote {
  const { currency } = invoice;
  const lines = request.lines === 'all' ? allLines(invoice) : namedLines(invoice, request.lines);
  const net = sum(lines.map(({ amount }) => decimal(amount)));
  const before = sum(invoice.lines.map(({ credited }) => decimal(credited)));
  const creditable = decimal(invoice.subtotal).minus(before);
  if (creditable.lte(ZERO))
    throw conflict('lines', 'invalid_state', 'the invoice has nothing left to credit');
  if (net.gt(creditable))
    throw conflict(
      'lines',
      'invalid_state',
      `lines add up to ${toAmount(net, currency)}, but the invoice has ${toAmount(creditable, currency)} left to credit`,
    );
  return noteOf(invoice, { lines, settle: request.settle });
}

/**
 * The amounts of a credit note, by the lines that it credits, which have so much left. Its tax is that of all that is
 * credited of the invoice, rounded once, less the tax of the notes before, so that notes never add up to more than the
 * invoice. What is still due is reduced first.
 */
export function noteOf(
  invoice: CreditableInvoice,
  { lines, settle }: Pick<ComposedCreditNote, 'lines'> & { settle: Settlement },
): ComposedCreditNote {
  const { currency } = invoice;
  const net = sum(lines.map(({ amount }) => decimal(amount)));
  const before = sum(invoice.lines.map(({ credited }) => decimal(credited)));
  const tax = max(
    ZERO,
    decimal(taxOf(before.plus(net), invoice.tax_rate, currency)).minus(invoice.tax_credited),
  );
  const total = net.plus(tax);
  const to_invoice = min(total, decimal(invoice.amount_due));
  const paid = total.minus(to_invoice);
  return {
    lines,
    subtotal: toAmount(net, currency),
    tax: toAmount(tax, currency),
    total: toAmount(total, currency),
    to_invoice: toAmount(to_invoice, currency),
    to_balance: toAmount(settle === 'balance' ? paid : ZERO, currency),
    outside: toAmount(settle === 'outside' ? paid : ZERO, currency),
  };
}

/**
 * Credits what each line has left. Together that is what the invoice has left, so lines below 0 are credited with all
 * others only.
 */
function allLines({ lines, currency }: CreditableInvoice): ComposedCreditNote['lines'] {
  return lines
    .map((line) => ({ line_item_id: line.id, left: leftOf(line) }))
    .filter(({ left }) => !left.eq(ZERO))
    .map(({ line_item_id, left }) => ({ line_item_id, amount: toAmount(left, currency) }));
}

function namedLines(invoice: CreditableInvoice, lines: readonly CreditedLine[]): ComposedCreditNote['lines'] {
  const { currency } = invoice;
  return lines.map(({ line_item_id, amount }, place) => {
    const line = findLine(invoice, lines, place);
    return { line_item_id, amount: toAmount(amountOf(line, currency, { amount, place }), currency) };
  });
}

function leftOf({ amount, credited }: CreditableLine): Decimal {
  return decimal(amount).minus(credited);
}

function findLine(invoice: CreditableInvoice, lines: readonly CreditedLine[], place: number): CreditableLine {
  const { line_item_id } = lines[place]!;
  const param = `lines[${place}].line_item_id`;
  if (lines.findIndex((line) => line.line_item_id === line_item_id) !== place)
    throw invalid(param, 'not_allowed', `${param} is named before`);
  const line = invoice.lines.find(({ id }) => id === line_item_id);
  if (line === undefined)
    throw notFound(param, 'unknown_line_item', `${param} does not match any line item of the invoice`);
  return line;
}

function amountOf(
  line: CreditableLine,
  currency: string,
  { amount, place }: { amount: string | null; place: number },
): Decimal {
  const param = `lines[${place}].amount`;
  const creditable = leftOf(line);
  if (amount !== null) checkDigits(param, amount, currency);
  if (creditable.lte(ZERO))
    throw conflict(param, 'invalid_state', `line item ${line.id} has nothing left to credit`);
  if (amount === null) return creditable;
  if (decimal(amount).gt(creditable))
    throw conflict(
      param,
      'invalid_state',
      `${param} is above ${toAmount(creditable, currency)}, what the line has left`,
    );
  return decimal(amount);
}
