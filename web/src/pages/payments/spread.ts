import { differenceOf, inDecimalsOf, isAbove, isZero } from '../../../../src/domain/money/figures.ts';

/** An invoice by what is due of it. */
type Due = { id: string; amount_due: string };

/** The parts of an amount that invoices get, as a transfer takes them, and the rest for the balance. */
type Spread<Invoice extends Due> = { parts: { invoice: Invoice; amount: string }[]; rest: string };

/**
 * Spreads an amount over invoices of one currency, at least one, in their order: each gets what is due of it as long as
 * there is something left. Null if the amount is no decimal above 0.
 */
export function spread<Invoice extends Due>(
  amount: string,
  invoices: readonly Invoice[],
): Spread<Invoice> | null {
  if (!isAbove(amount, '0')) return null;
  const [{ amount_due: like } = { amount_due: amount }] = invoices;
  let left = amount;
  const parts: { invoice: Invoice; amount: string }[] = [];
  for (const invoice of invoices) {
    if (isZero(left)) break;
    const part = isAbove(left, invoice.amount_due) ? invoice.amount_due : left;
    parts.push({ invoice, amount: inDecimalsOf(like, part) });
    left = differenceOf(left, part);
  }
  return { parts, rest: inDecimalsOf(like, left) };
}
