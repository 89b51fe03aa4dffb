import { isAbove, leftOf, sumOf } from '../../../../src/domain/money/figures.ts';
import { pathWith, type Client } from '../../api/client.ts';
import { everyPage } from '../../api/every-page.ts';
import type { CreditNote, Invoice, LineItem } from '../../api/objects.ts';
import { leftToCredit } from '../invoices/invoice-state.tsx';

/**
 * An invoice and what is left to credit of it and of each of its lines, net. What is below 0 is credited with all
 * others only.
 */
export type Creditable = { invoice: Invoice; left: string; lines: CreditableLine[] };
export type CreditableLine = { line: LineItem; left: string };

/**
 * Net amounts to credit by the line's id, as they are entered, empty for a line without a credit; or all that is left
 * of each line.
 */
export type Amounts = Readonly<Record<string, string>> | 'all';

/** Whether something of an invoice is left to credit. */
export function isCreditable(invoice: Invoice): boolean {
  const { status, subtotal } = invoice;
  return (
    (status === 'open' || status === 'paid') && isAbove(subtotal, '0') && isAbove(leftToCredit(invoice), '0')
  );
}

/** Fetches an invoice by its path, and what the credit notes that stand have left of it. For useLoad. */
export async function readCreditable(client: Client, path: string, signal: AbortSignal): Promise<Creditable> {
  const invoice = await client.get<Invoice>(path, signal);
  const notes_path = pathWith('/v1/credit-notes', { invoice_id: invoice.id, status: 'issued' });
  const notes = await everyPage<CreditNote>(client, notes_path, signal);
  const credited = notes.data.flatMap(({ lines }) => lines);
  return {
    invoice,
    left: leftOf(invoice.subtotal, sumOf(credited.map(({ amount }) => amount))),
    lines: invoice.line_items.map((line) => {
      const of_line = credited.filter(({ line_item_id }) => line_item_id === line.id);
      return { line, left: leftOf(line.amount, sumOf(of_line.map(({ amount }) => amount))) };
    }),
  };
}
