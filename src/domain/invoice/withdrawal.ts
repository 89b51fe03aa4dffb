import { decimal, min, type Decimal, ZERO } from '../money/decimal.ts';
import { toAmount } from '../money/money.ts';

/** An invoice and what the balance covers of it. */
export type Covered = { invoice_id: string; amount: string };

/**
 * The parts that are taken from invoices, in their order, and what then is still missing, in the currency's minor
 * digits.
 */
export type Withdrawal = { taken: Covered[]; missing: string };

/**
 * Takes what the balance lacks of an amount from the invoices that it covers, in their order, of each at most what it
 * covers (billing.md 7).
 */
export function withdrawalOf(
  covered: readonly Covered[],
  { amount, balance, currency }: { amount: string; balance: string; currency: string },
): Withdrawal {
  const taken: Covered[] = [];
  let missing: Decimal = decimal(amount).minus(balance);
  for (const { invoice_id, amount: of_invoice } of covered) {
    if (missing.lte(ZERO)) break;
    const part = min(missing, decimal(of_invoice));
    taken.push({ invoice_id, amount: toAmount(part, currency) });
    missing = missing.minus(part);
  }
  return { taken, missing: toAmount(missing.gt(ZERO) ? missing : ZERO, currency) };
}
