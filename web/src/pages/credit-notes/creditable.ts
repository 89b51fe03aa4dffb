import { isAbove, leftOf, sumOf } from '../../../../src/domain/figures.ts';
import { pathWith, type Client } from '../../api/client.ts';
import { everyPage } from '../../api/every-page.ts';
import type { CreditNote, Invoice, LineItem } from '../../api/objects.ts';

/** An invoice and what is left to credit of it and of each of its lines, net. A line below 0 has nothing to credit. */
export type Creditable = { invoice: Invoice; left: string; lines: CreditableLine[] };
export type CreditableLine = { line: LineItem; left: string };

/** Net amounts to credit by the line's id, as they are entered: empty for a line without a credit. */
export type Amounts = Readonly<Record<string, string>>;

/** Whether there was something to credit when the invoice was issued. */
export function isCreditable({ status, subtotal }: Invoice): boolean {
  return (status === 'open' || status === 'paid') && isAbove(subtotal, '0');
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

/** All that is left. With lines below 0 the lines have more left than the invoice: then the last ones get less, or nothing. */
export function everythingOf({ left, lines }: Creditable): Amounts {
  const amounts: Record<string, string> = {};
  let rest = left;
  for (const { line, left: of_line } of lines) {
    if (!isAbove(of_line, '0') || !isAbove(rest, '0')) continue;
    const amount = isAbove(of_line, rest) ? rest : of_line;
    amounts[line.id] = amount;
    rest = leftOf(rest, amount);
  }
  return amounts;
}
