import {
  composeCreditNote,
  type ComposedCreditNote,
  type CreditableInvoice,
  type Settlement,
} from './credit-note.ts';
import { type Decimal, ZERO, decimal, min, sum } from '../money/decimal.ts';
import { toAmount } from '../money/money.ts';

/**
 * An issued invoice, and the lines of it that automatic credit notes may credit, by the rule that they share
 * (`lineKey`).
 */
export type BilledInvoice = CreditableInvoice & { id: string; line_keys: ReadonlyMap<string, string> };

/** Money that an invoice bills no more: net, above zero, of the lines of one `lineKey`. */
export type Correction = { line_key: string; full_period_start: string; amount: Decimal };

/** The part of a correction that a line of an issued invoice credits. */
export type CreditShare = {
  invoice_id: string;
  line_item_id: string;
  full_period_start: string;
  amount: Decimal;
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
 * The shares of corrections, in their order, each on the lines that billed it: of the invoices, which come in the order
 * of issue, the last first, at most what the line and the invoice have left (billing.md 7).
 */
export function creditShares(
  corrections: readonly Correction[],
  invoices: readonly BilledInvoice[],
): CreditShare[][] {
  const lines = new Map<string, Decimal>();
  const left_of_invoice = new Map(invoices.map((invoice) => [invoice.id, leftOfInvoice(invoice)]));
  return corrections.map(({ line_key, full_period_start, amount }) => {
    let missing = amount;
    return invoices.toReversed().flatMap((invoice) =>
      invoice.lines.flatMap((line): CreditShare[] => {
        if (invoice.line_keys.get(line.id) !== line_key) return [];
        const of_line = lines.get(line.id) ?? decimal(line.amount).minus(line.credited);
        const of_invoice = left_of_invoice.get(invoice.id)!;
        const part = min(min(of_line, of_invoice), missing);
        if (part.lte(ZERO)) return [];
        lines.set(line.id, of_line.minus(part));
        left_of_invoice.set(invoice.id, of_invoice.minus(part));
        missing = missing.minus(part);
        return [{ invoice_id: invoice.id, line_item_id: line.id, full_period_start, amount: part }];
      }),
    );
  });
}

function leftOfInvoice({ subtotal, lines }: CreditableInvoice): Decimal {
  return decimal(subtotal).minus(sum(lines.map(({ credited }) => decimal(credited))));
}

/** The notes of groups of shares, in their order: one for each group and invoice, of these the last one first. */
export function notesOf(groups: readonly ShareGroup[], invoices: readonly BilledInvoice[]): AutomaticNote[] {
  const notes: AutomaticNote[] = [];
  for (const { shares, reason, settle, is_of_issue } of groups)
    for (const { id: invoice_id } of invoices.toReversed()) {
      const of_invoice = shares.filter((share) => share.invoice_id === invoice_id);
      if (of_invoice.length === 0) continue;
      const invoice = creditedBy(invoices, notes).find(({ id }) => id === invoice_id)!;
      const lines = of_invoice.map(({ line_item_id, amount }) => ({
        line_item_id,
        amount: toAmount(amount, invoice.currency),
      }));
      notes.push({ ...composeCreditNote(invoice, { lines, settle }), invoice_id, reason, is_of_issue });
    }
  return notes;
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
