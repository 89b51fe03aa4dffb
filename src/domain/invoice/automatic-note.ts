import {
  type ComposedCreditNote,
  type CreditableInvoice,
  type CreditableLine,
  noteOf,
  type Settlement,
} from './credit-note.ts';
import { discountsAlong, discountsLeft, type NotedDiscount } from './discounts-along.ts';
import type { LineType } from '../lines/line-type.ts';
import { type Decimal, ZERO, decimal, min, sum } from '../money/decimal.ts';
import { toAmount } from '../money/money.ts';
import { sumsAfter, type PeriodTerms } from './period-lines.ts';

/**
 * A line of an issued invoice that an automatic credit note may credit. `line_key` is equal for the lines that share a
 * rule (`keyOfLine`); `discount_id` is null but for the line of a discount.
 */
export type BilledLine = CreditableLine & {
  type: LineType;
  line_key: string;
  full_period_start: string;
  period_end: string;
  discount_id: string | null;
};

/** An issued invoice, as far as automatic credit notes on it depend on it. */
export type BilledInvoice = Omit<CreditableInvoice, 'lines'> & { id: string; lines: readonly BilledLine[] };

/** Money that an invoice bills no more: net, above zero, of the lines of one `line_key`. */
export type Correction = { line_key: string; full_period_start: string; amount: Decimal };

/**
 * The part of a correction that a line of an issued invoice credits, and the lines of discounts of its full period that
 * come along (billing.md 13).
 */
export type CreditShare = {
  invoice_id: string;
  line: BilledLine;
  full_period_start: string;
  amount: Decimal;
  discounts: readonly NotedDiscount[];
};

/**
 * Shares with the reason, and the use of what was paid, that their notes have; `is_of_issue` if the notes are void with
 * the issue that makes them.
 */
export type ShareGroup = {
  shares: readonly CreditShare[];
  reason: string;
  settle: Settlement;
  is_of_issue: boolean;
};

/** A credit note that billing issues itself (billing.md 7). */
export type AutomaticNote = ComposedCreditNote &
  Pick<ShareGroup, 'reason' | 'is_of_issue'> & { invoice_id: string };

/**
 * The issued invoices that corrections may be of, in the order of issue, and the full periods of which they may have
 * period lines.
 */
export type Bills = { invoices: readonly BilledInvoice[]; periods: readonly PeriodTerms[]; currency: string };

/**
 * The shares of corrections, in their order, each on the lines that billed it: of the invoices the last first, at most
 * what the line and the invoice have left (billing.md 7), of the invoice once discounts that come along are off it.
 */
export function creditShares(
  corrections: readonly Correction[],
  { invoices, periods, currency }: Bills,
): CreditShare[][] {
  const shares = corrections.map((correction) => ({ ...correction, made: [] as CreditShare[] }));
  let terms = periods;
  // Invoice by invoice, since a discount comes along with the note of its invoice that is made first.
  for (const invoice of invoices.toReversed()) {
    let rest = leftOf(invoice);
    for (const { line_key, full_period_start, amount, made } of shares)
      for (const line of invoice.lines) {
        if (line.line_key !== line_key) continue;
        const missing = amount.minus(sum(made.map((share) => share.amount)));
        const wanted = min(rest.lines.get(line.id)!, missing);
        const of_period = terms.find(({ full_period }) => full_period.period_start === full_period_start);
        const of_invoice = { lines: invoice.lines, left: rest.lines, left_of_invoice: rest.invoice };
        // A line of a minimum has no part in the sum that decides about discounts.
        const has_discounts = line.type !== 'minimum' && of_period !== undefined;
        const room = has_discounts ? rest.invoice.plus(discountsLeft(of_period, of_invoice)) : rest.invoice;
        const part = min(wanted, room);
        if (part.lte(ZERO)) continue;
        const discounts = has_discounts ? discountsAlong(of_period, { part, currency, ...of_invoice }) : [];
        const credited = [{ line, amount: part }, ...discounts];
        rest = leftAfter(rest, credited);
        terms = sumsAfter(terms, credited);
        made.push({ invoice_id: invoice.id, line, full_period_start, amount: part, discounts });
      }
  }
  return shares.map(({ made }) => made);
}

/** Amounts that an invoice and its lines have left beside the notes that stand. */
type Left = { invoice: Decimal; lines: ReadonlyMap<string, Decimal> };

function leftOf({ subtotal, lines }: BilledInvoice): Left {
  return {
    invoice: decimal(subtotal).minus(sum(lines.map(({ credited }) => decimal(credited)))),
    lines: new Map(lines.map(({ id, amount, credited }) => [id, decimal(amount).minus(credited)])),
  };
}

function leftAfter(
  { invoice, lines }: Left,
  credited: readonly { line: BilledLine; amount: Decimal }[],
): Left {
  const taken = credited.map(({ line, amount }) => [line.id, lines.get(line.id)!.minus(amount)] as const);
  return {
    invoice: invoice.minus(sum(credited.map(({ amount }) => amount))),
    lines: new Map([...lines, ...taken]),
  };
}

/** The notes of groups of shares, in their order: one for each group and invoice, of these the last one first. */
export function notesOf(groups: readonly ShareGroup[], invoices: readonly BilledInvoice[]): AutomaticNote[] {
  const notes: AutomaticNote[] = [];
  for (const { shares, reason, settle, is_of_issue } of groups)
    for (const { id: invoice_id } of invoices.toReversed()) {
      const of_invoice = shares.filter((share) => share.invoice_id === invoice_id);
      if (of_invoice.length === 0) continue;
      const invoice = creditedBy(invoices, notes).find(({ id }) => id === invoice_id)!;
      const lines = linesOfNote(of_invoice, invoice.currency);
      notes.push({ ...noteOf(invoice, { lines, settle }), invoice_id, reason, is_of_issue });
    }
  return notes;
}

/** The lines of a note: what it credits, then the discounts that come along, each line once. */
function linesOfNote(shares: readonly CreditShare[], currency: string): ComposedCreditNote['lines'] {
  const amounts = new Map<string, Decimal>();
  for (const { line, amount } of [...shares, ...shares.flatMap(({ discounts }) => discounts)])
    amounts.set(line.id, (amounts.get(line.id) ?? ZERO).plus(amount));
  return [...amounts].map(([line_item_id, amount]) => ({ line_item_id, amount: toAmount(amount, currency) }));
}

/** The lines that notes credit, with the amounts. */
export function creditedLines(
  notes: readonly AutomaticNote[],
  invoices: readonly BilledInvoice[],
): { line: BilledLine; amount: Decimal }[] {
  const lines = new Map(invoices.flatMap((invoice) => invoice.lines.map((line) => [line.id, line] as const)));
  return notes.flatMap((note) =>
    note.lines.map(({ line_item_id, amount }) => ({
      line: lines.get(line_item_id)!,
      amount: decimal(amount),
    })),
  );
}

/** The invoices once notes stand. */
export function creditedBy(
  invoices: readonly BilledInvoice[],
  notes: readonly AutomaticNote[],
): BilledInvoice[] {
  return invoices.map((invoice) =>
    notes.filter(({ invoice_id }) => invoice_id === invoice.id).reduce(withNote, invoice),
  );
}

function withNote(invoice: BilledInvoice, note: AutomaticNote): BilledInvoice {
  const credited = new Map(note.lines.map(({ line_item_id, amount }) => [line_item_id, amount]));
  return {
    ...invoice,
    amount_due: toAmount(decimal(invoice.amount_due).minus(note.to_invoice), invoice.currency),
    tax_credited: toAmount(decimal(invoice.tax_credited).plus(note.tax), invoice.currency),
    lines: invoice.lines.map((line) => ({
      ...line,
      credited: toAmount(decimal(line.credited).plus(credited.get(line.id) ?? '0'), invoice.currency),
    })),
  };
}
