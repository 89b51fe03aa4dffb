import {
  composeCreditNote,
  type ComposedCreditNote,
  type CreditableInvoice,
  type Settlement,
} from './credit-note.ts';
import { type Decimal, ZERO, decimal, min, sum } from './decimal.ts';
import { groupedBy } from './grouped.ts';
import { toAmount } from './money.ts';

/** An issued invoice, and the lines of it that automatic credit notes may credit, by the rule that they share (`lineKey`). */
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

/** A credit note that billing issues itself (billing.md 7). */
export type AutomaticNote = ComposedCreditNote & { invoice_id: string; reason: string };

/**
 * The shares of corrections, in their order, each on the lines that billed it: of the invoices, which come in the order of issue, the last
 * first, at most what the line and the invoice have left (billing.md 7).
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

/** The notes of shares: one for each full period, oldest first, and invoice, the last one first. */
export function notesOf(
  shares: readonly CreditShare[],
  invoices: readonly BilledInvoice[],
  { reasonOf, settle }: { reasonOf: (full_period_start: string) => string; settle: Settlement },
): AutomaticNote[] {
  const states = new Map(invoices.map((invoice): [string, CreditableInvoice] => [invoice.id, invoice]));
  const by_period = [...groupedBy(shares, ({ full_period_start }) => full_period_start)];
  by_period.sort(([a], [b]) => (a < b ? -1 : 1));
  return by_period.flatMap(([full_period_start, of_period]) =>
    invoices.toReversed().flatMap(({ id: invoice_id }): AutomaticNote[] => {
      const of_invoice = of_period.filter((share) => share.invoice_id === invoice_id);
      if (of_invoice.length === 0) return [];
      const invoice = states.get(invoice_id)!;
      const lines = of_invoice.map(({ line_item_id, amount }) => ({
        line_item_id,
        amount: toAmount(amount, invoice.currency),
      }));
      const note = composeCreditNote(invoice, { lines, settle });
      states.set(invoice_id, creditedBy(invoice, note));
      return [{ ...note, invoice_id, reason: reasonOf(full_period_start) }];
    }),
  );
}

/** The invoice once a note stands. */
function creditedBy(invoice: CreditableInvoice, note: ComposedCreditNote): CreditableInvoice {
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
