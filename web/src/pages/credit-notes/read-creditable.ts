import { leftOf, sumOf } from '../../../../src/domain/money/figures.ts';
import { pathWith, type Client } from '../../api/client.ts';
import { everyPage } from '../../api/every-page.ts';
import type { CreditNote, Invoice } from '../../api/objects.ts';
import type { Creditable } from './creditable.ts';

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
