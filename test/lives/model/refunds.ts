import type { ProviderCharge, Refund } from './collection.ts';
import { canWithdraw, dueOf, reverseDeposit, reversePayment } from './owed.ts';
import { pauseOf } from './pauses.ts';
import { receive } from './receipts.ts';
import { note, type Invoice, type Payment, type World } from './world.ts';

/** Refunds (billing.md 23). */

export type RefundRefusal = 'not_refundable' | 'invalid_state' | 'paid_out' | 'out_of_range';

/** The charge of a payment that the provider made, also of the rest of one; none for any other payment. */
export function chargeOf({ collection }: World, payment: Payment): ProviderCharge | undefined {
  return collection.charges.find(({ payments }) => payments.includes(payment));
}

/** The amount that is left of a payment: without what credit notes refund of it. */
export function leftToRefund({ collection }: World, payment: Payment): bigint {
  const refunds = collection.charges.flatMap((charge) => charge.refunds);
  return refunds
    .filter(({ of_note, status }) => of_note === payment && status !== 'failed')
    .reduce((left, { amount }) => left - amount, payment.amount);
}

/** The payments of a charge that stand, the newest first. */
export function standingOf({ payments }: ProviderCharge): Payment[] {
  return payments.filter(({ is_reversed }) => !is_reversed).toReversed();
}

export function isRefundable(world: World, payment: Payment): boolean {
  const charge = chargeOf(world, payment);
  const is_disputed = charge?.disputes.some(({ status }) => status === 'inquiry' || status === 'open');
  return charge !== undefined && !payment.is_reversed && is_disputed === false;
}

/** Every reason for which a refund of a payment is refused. */
export function refundRefusalsOf(world: World, payment: Payment, amount: bigint): RefundRefusal[] {
  if (!isRefundable(world, payment)) return ['not_refundable'];
  return [
    ...(amount > leftToRefund(world, payment) ? ['out_of_range' as const] : []),
    ...(canWithdraw(world, payment.to_balance) ? [] : ['paid_out' as const]),
  ];
}

/** Refunds a part of a payment by hand. */
export function refund(world: World, payment: Payment, amount: bigint): Refund {
  const charge = chargeOf(world, payment)!;
  const made: Refund = { charge, amount, taken: amount, status: 'succeeded', of_note: null, by: 'person' };
  charge.refunds.push(made);
  world.collection.cash -= amount;
  takeOf(world, charge, payment, amount);
  pauseAfter(world, charge.invoice, 'other');
  return made;
}

/** Books a refund that was made at the provider; what exceeds the payments that stand takes nothing more. */
export function refundAtProvider(world: World, charge: ProviderCharge, amount: bigint): Refund {
  const taken = take(world, charge, amount);
  const made: Refund = { charge, amount, taken, status: 'succeeded', of_note: null, by: 'provider' };
  charge.refunds.push(made);
  world.collection.cash -= amount;
  if (taken > 0n) pauseAfter(world, charge.invoice, 'other');
  return made;
}

/** Whether the payments of a charge can be reversed up to an amount: none gave to the balance what was paid out. */
export function canTake(world: World, charge: ProviderCharge, amount: bigint): boolean {
  let [missing, to_balance] = [amount, 0n];
  for (const payment of standingOf(charge)) {
    if (missing <= 0n) break;
    to_balance += payment.to_balance;
    missing -= payment.amount;
  }
  return canWithdraw(world, to_balance);
}

/** Takes an amount of the payments of a charge, the newest first; returns the amount that they had. */
export function take(world: World, charge: ProviderCharge, amount: bigint): bigint {
  let missing = amount;
  for (const payment of standingOf(charge)) {
    if (missing <= 0n) break;
    const part = payment.amount < missing ? payment.amount : missing;
    takeOf(world, charge, payment, part);
    missing -= part;
  }
  return amount - missing;
}

/** Reverses a payment as a whole; its rest is a new payment, of which credit notes refund what they refunded of it. */
function takeOf(world: World, charge: ProviderCharge, payment: Payment, amount: bigint): void {
  const { invoice } = charge;
  const place = invoice.payments.indexOf(payment);
  if (place === -1) reverseDeposit(world, world.deposits.indexOf(payment));
  else reversePayment(world, invoice, place);
  if (amount === payment.amount) return;
  const rest = receive(world, charge, payment.amount - amount, payment.paid_at);
  for (const made of charge.refunds) if (made.of_note === payment) made.of_note = rest;
  note(world, 'rest of a payment');
}

/** Makes a payment again of what a refund or a dispute took; what credit notes refunded of it stays refunded. */
export function giveBack(world: World, charge: ProviderCharge, amount: bigint): void {
  const payment = receive(world, charge, amount);
  for (const made of charge.refunds) if (made.of_note?.is_reversed === true) made.of_note = payment;
}

/** Pauses an open invoice of which something is due; a pause without a last day stays as it is. */
export function pauseAfter(world: World, invoice: Invoice, reason: 'other' | 'disputed'): void {
  if (invoice.status !== 'open' || dueOf(invoice) === 0n) return;
  const pause = pauseOf(world, invoice);
  if (pause !== null && pause.until === null) return;
  world.collection.pauses.set(invoice, { reason, until: null, is_automatic: true });
}

/** Ends a pause that a refund or a dispute made, once none of its invoice stands any more. */
export function releasePause({ collection }: World, invoice: Invoice): void {
  const of_invoice = collection.charges.filter((charge) => charge.invoice === invoice);
  const stands = of_invoice.some(
    ({ refunds, disputes }) =>
      refunds.some(({ status, of_note }) => status !== 'failed' && of_note === null) ||
      disputes.some(({ status }) => status !== 'won'),
  );
  if (!stands && collection.pauses.get(invoice)?.is_automatic === true) collection.pauses.delete(invoice);
}

/** Fails a booked refund: it is a payment again, of what it took. Of a credit note nothing is booked. */
export function failRefund(world: World, made: Refund): void {
  made.status = 'failed';
  world.collection.cash += made.amount;
  if (made.of_note !== null) return;
  if (made.taken > 0n) giveBack(world, made.charge, made.taken);
  releasePause(world, made.charge.invoice);
}

/** The payments of the provider of which a credit note can refund, the newest first. */
function refundableOf(world: World, invoice: Invoice): Payment[] {
  const of_provider = invoice.payments.filter((payment) => isRefundable(world, payment));
  return of_provider.filter((payment) => leftToRefund(world, payment) > 0n).toReversed();
}

/** Whether the payments of the provider of an invoice have an amount left to refund. */
export function canRefundNote(world: World, invoice: Invoice, outside: bigint): boolean {
  const payments = refundableOf(world, invoice);
  return payments.reduce((sum, payment) => sum + leftToRefund(world, payment), 0n) >= outside;
}

/** Refunds what a credit note settles outside of the provider's payments of its invoice, the newest first, one refund for each. */
export function refundNote(world: World, invoice: Invoice, outside: bigint): Refund[] {
  const made: Refund[] = [];
  let missing = outside;
  for (const payment of refundableOf(world, invoice)) {
    if (missing === 0n) break;
    const left = leftToRefund(world, payment);
    const amount = left < missing ? left : missing;
    const charge = chargeOf(world, payment)!;
    const terms = { taken: 0n, status: 'succeeded', of_note: payment, by: 'person' } as const;
    const refunded: Refund = { charge, amount, ...terms };
    charge.refunds.push(refunded);
    world.collection.cash -= amount;
    made.push(refunded);
    missing -= amount;
  }
  return made;
}
