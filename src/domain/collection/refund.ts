import { decimal, min, sum, ZERO } from '../money/decimal.ts';
import { toAmount } from '../money/money.ts';

/** Statuses of a refund (billing.md 23). */
export const REFUND_STATUSES = ['pending', 'succeeded', 'failed'] as const;
export type RefundStatus = (typeof REFUND_STATUSES)[number];

/** Statuses of a dispute (billing.md 24): of the first two nobody knows the end. */
export const DISPUTE_STATUSES = ['inquiry', 'open', 'won', 'lost'] as const;
export type DisputeStatus = (typeof DISPUTE_STATUSES)[number];

/** A payment of a charge that stands. */
export type StandingPayment = {
  id: string;
  invoice_id: string | null;
  amount: string;
  to_balance: string;
};

/** Payments that are reversed, the part of them that is taken, and the rest that is paid again; null for none. */
export type Taking<Payment> = { reversed: Payment[]; taken: string; rest: string | null };

/**
 * Takes an amount from payments of a charge, in their order (billing.md 23): each is reversed as a whole until they
 * cover the amount. What exceeds all of them takes nothing more.
 */
export function takingOf<Payment extends StandingPayment>(
  payments: readonly Payment[],
  { amount, currency }: { amount: string; currency: string },
): Taking<Payment> {
  const reversed: Payment[] = [];
  let covered = ZERO;
  for (const payment of payments) {
    if (covered.gte(amount)) break;
    reversed.push(payment);
    covered = covered.plus(payment.amount);
  }
  const taken = min(covered, decimal(amount));
  const rest = covered.minus(taken);
  return {
    reversed,
    taken: toAmount(taken, currency),
    rest: rest.eq(ZERO) ? null : toAmount(rest, currency),
  };
}

/** A step of a refund or a dispute here: `take` reverses payments, `give_back` pays what it took again. */
export type Booking = 'take' | 'give_back' | 'none';

/** What is booked of a refund or a dispute whose money the provider has or has not taken. */
export function bookingOf({
  is_taken,
  taken_amount,
}: {
  is_taken: boolean;
  taken_amount: string | null;
}): Booking {
  if (is_taken === (taken_amount !== null)) return 'none';
  return is_taken ? 'take' : 'give_back';
}

/**
 * Shares of an amount that payments give back, in their order, of each at most what it has left; null if all of them
 * have less.
 */
export function sharesOf<Payment extends { left: string }>(
  payments: readonly Payment[],
  { amount, currency }: { amount: string; currency: string },
): { payment: Payment; amount: string }[] | null {
  if (sum(payments.map(({ left }) => decimal(left))).lt(amount)) return null;
  const shares: { payment: Payment; amount: string }[] = [];
  let missing = decimal(amount);
  for (const payment of payments) {
    const part = min(missing, decimal(payment.left));
    if (part.lte(ZERO)) continue;
    shares.push({ payment, amount: toAmount(part, currency) });
    missing = missing.minus(part);
  }
  return shares;
}
