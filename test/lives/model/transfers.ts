import { canWithdraw, dueOf, isSame, settleOwed, withdraw, moveBalance, type Particulars } from './owed.ts';
import type { Invoice, Payment, Transfer, World } from './world.ts';

/** An invoice of a transfer, and what is paid of it; null is all that is due. */
export type TransferPart = { invoice: Invoice; part: bigint | null };

/**
 * Records a transfer: a payment of each invoice, and one in advance of the rest. False for an invoice that is not open, and for more than
 * is due of one; a duplicate is refused before.
 */
export function recordTransfer(
  world: World,
  parts: readonly TransferPart[],
  { amount, particulars }: { amount: bigint; particulars: Particulars },
): boolean | 'duplicate_payment' {
  if (isReceived(world, amount, particulars)) return 'duplicate_payment';
  if (parts.some(({ invoice, part }) => invoice.status !== 'open' || (part ?? 0n) > dueOf(invoice)))
    return false;
  const { reference, paid_at } = particulars;
  const made: Transfer = { amount, reference, paid_at, payments: [] };
  let rest = amount;
  const pay = (invoice: Invoice | null, of_part: bigint, to_balance: bigint): Payment => {
    const payment = { amount: of_part, to_balance, reference, paid_at, is_reversed: false };
    made.payments.push({ invoice, payment });
    rest -= of_part;
    return payment;
  };
  for (const { invoice, part } of parts) {
    invoice.payments.push(pay(invoice, part ?? dueOf(invoice), 0n));
    settleOwed(invoice);
  }
  if (rest > 0n) {
    moveBalance(world, 'deposit', { amount: rest });
    world.deposits.push(pay(null, rest, rest));
  }
  world.transfers.push(made);
  return true;
}

/** Whether a transfer of which a payment stands is the same, or a payment of no transfer that stands. */
function isReceived(world: World, amount: bigint, particulars: Particulars): boolean {
  const of_transfers = new Set(
    world.transfers.flatMap(({ payments }) => payments.map(({ payment }) => payment)),
  );
  const payments = [...world.deposits, ...world.invoices.flatMap((invoice) => invoice.payments)];
  const received = [
    ...payments.filter((payment) => !payment.is_reversed && !of_transfers.has(payment)),
    ...world.transfers.filter((transfer) => transfer.payments.some(({ payment }) => !payment.is_reversed)),
  ];
  return received.some((made) => isSame(made, { amount, ...particulars }));
}

/** Reverses the payments of a transfer that stand. False if none does, or if what one gave was paid out. */
export function reverseTransfer(world: World, { payments }: Transfer): boolean {
  const standing = payments.filter(({ payment }) => !payment.is_reversed);
  const in_advance = standing.find(({ invoice }) => invoice === null)?.payment;
  if (standing.length === 0) return false;
  if (in_advance !== undefined && !canWithdraw(world, in_advance.amount)) return false;
  for (const { invoice, payment } of standing) {
    payment.is_reversed = true;
    if (invoice !== null && invoice.status !== 'void') settleOwed(invoice);
  }
  if (in_advance !== undefined) withdraw(world, 'deposit', { amount: in_advance.amount });
  return true;
}
