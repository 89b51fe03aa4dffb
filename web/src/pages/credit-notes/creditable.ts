import { isAbove, leftOf } from '../../../../src/domain/figures.ts';
import type { Invoice, LineItem } from '../../api/objects.ts';

/** An invoice and what is left to credit of it and of each of its lines, net. A line below 0 has nothing to credit. */
export type Creditable = { invoice: Invoice; left: string; lines: CreditableLine[] };
export type CreditableLine = { line: LineItem; left: string };

/** The rest of an invoice and of its lines that can be credited, by their ids. */
type LeftToCredit = { left: string; lines: readonly { line: { id: string }; left: string }[] };

/** Net amounts to credit by the line's id, as they are entered: empty for a line without a credit. */
export type Amounts = Readonly<Record<string, string>>;

/** Whether there was something to credit when the invoice was issued. */
export function isCreditable({ status, subtotal }: Invoice): boolean {
  return (status === 'open' || status === 'paid') && isAbove(subtotal, '0');
}

/** All that is left. With lines below 0 the lines have more left than the invoice: then the last ones get less, or nothing. */
export function everythingOf({ left, lines }: LeftToCredit): Amounts {
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
