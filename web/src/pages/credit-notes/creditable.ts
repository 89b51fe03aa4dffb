import { isAbove } from '../../../../src/domain/money/figures.ts';
import type { Invoice, LineItem } from '../../api/objects.ts';
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
