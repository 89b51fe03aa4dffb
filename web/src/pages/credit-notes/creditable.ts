import { isAbove } from '../../../../src/domain/figures.ts';
import type { Invoice, LineItem } from '../../api/objects.ts';

/** An invoice and what is left to credit of it and of each of its lines, net. What is below 0 is credited with all others only. */
export type Creditable = { invoice: Invoice; left: string; lines: CreditableLine[] };
export type CreditableLine = { line: LineItem; left: string };

/** Net amounts to credit by the line's id, as they are entered, empty for a line without a credit; or all that is left of each line. */
export type Amounts = Readonly<Record<string, string>> | 'all';

/** Whether there was something to credit when the invoice was issued. */
export function isCreditable({ status, subtotal }: Invoice): boolean {
  return (status === 'open' || status === 'paid') && isAbove(subtotal, '0');
}
