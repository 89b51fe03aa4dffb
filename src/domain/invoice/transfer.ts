import { decimal, sum } from '../money/decimal.ts';
import { conflict, invalid } from '../money/errors.ts';
import { checkDigits, toAmount } from '../money/money.ts';

/** An invoice and what is due of it, in the currency of its customer. */
export type PayableInvoice = {
  id: string;
  status: 'draft' | 'open' | 'paid' | 'void';
  amount_due: string;
  issued_at: string | null;
};

/** An invoice as a request names it; without an amount all that is due. */
export type NamedInvoice = { id: string; amount?: string | undefined };

/** Money received, in the currency's decimals at most. */
type Received = { amount: string; currency: string };

/** The part of a transfer that each invoice gets, and the rest. */
type SpreadTransfer = { paid: { invoice_id: string; amount: string }[]; to_balance: string };

/**
 * Checks a transfer before anything is read. Throws invalid_request `out_of_range` for an amount of more decimals than
 * the currency, and at `invoices` if their amounts alone are above that of the transfer, and `not_allowed` at an
 * invoice that is named before.
 */
export function checkTransfer({ amount, currency }: Received, invoices: readonly NamedInvoice[]): void {
  checkDigits('amount', amount, currency);
  const named = new Set<string>();
  for (const [place, invoice] of invoices.entries()) {
    const param = `invoices[${place}]`;
    if (invoice.amount !== undefined) checkDigits(`${param}.amount`, invoice.amount, currency);
    if (named.has(invoice.id)) throw invalid(`${param}.id`, 'not_allowed', `${param}.id is named before`);
    named.add(invoice.id);
  }
  const sent = invoices.flatMap((invoice) => (invoice.amount === undefined ? [] : [invoice.amount]));
  restOf({ amount, currency }, sent);
}

/**
 * Spreads a transfer over invoices, of which `payable` has each named one. Throws conflict `invalid_state` for one that
 * is not open, or of which less is due than is to be paid, and invalid_request `out_of_range` at `invoices` if they
 * take more than the transfer has.
 */
export function spreadTransfer(
  received: Received,
  invoices: readonly NamedInvoice[],
  payable: ReadonlyMap<string, PayableInvoice>,
): SpreadTransfer {
  const paid = invoices.map(({ id, amount }, place) => {
    const { status, amount_due } = payable.get(id)!;
    const param = `invoices[${place}]`;
    if (status !== 'open')
      throw conflict(`${param}.id`, 'invalid_state', `invoice ${id} is ${status} and cannot become paid`);
    if (amount !== undefined && decimal(amount).gt(amount_due))
      throw conflict(
        `${param}.amount`,
        'invalid_state',
        `${param}.amount is above ${amount_due}, what is due`,
      );
    return { invoice_id: id, amount: toAmount(decimal(amount ?? amount_due), received.currency) };
  });
  const to_balance = restOf(
    received,
    paid.map(({ amount }) => amount),
  );
  return { paid, to_balance };
}

/**
 * The rest that amounts leave of a transfer. Throws invalid_request `out_of_range` at `invoices` if they are above it.
 */
function restOf({ amount, currency }: Received, taken: readonly string[]): string {
  const all = sum(taken.map(decimal));
  if (all.gt(amount)) {
    const message = `invoices take ${toAmount(all, currency)}, which is above amount, ${toAmount(decimal(amount), currency)}`;
    throw invalid('invoices', 'out_of_range', message);
  }
  return toAmount(decimal(amount).minus(all), currency);
}
