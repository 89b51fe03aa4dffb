import { deposit, payInvoice } from './owed.ts';
import type { ProviderCharge } from './collection.ts';
import { note, type Invoice, type Payment, type World } from './world.ts';

/** Books money that the provider has charged for an invoice, once. */
export function book(world: World, invoice: Invoice, amount: bigint): Payment {
  const charge: ProviderCharge = { invoice, amount, payments: [], refunds: [], disputes: [] };
  world.collection.charges.push(charge);
  return receive(world, charge, amount);
}

/**
 * Makes a payment of money of a charge: what exceeds the amount due goes to the balance, and of a void invoice it is a payment in advance.
 */
export function receive(
  world: World,
  { invoice, payments }: ProviderCharge,
  amount: bigint,
  paid_at = world.now,
): Payment {
  const particulars = { reference: null, paid_at, is_allowed: false };
  if (invoice.status === 'void') deposit(world, amount, particulars);
  else payInvoice(world, invoice, { part: amount, to_balance: true, particulars });
  const payment = (invoice.status === 'void' ? world.deposits : invoice.payments).at(-1)!;
  payments.push(payment);
  if (invoice.status === 'void') note(world, 'charge of a void invoice in advance');
  else if (payment.to_balance > 0n) note(world, 'charge of more than is due to the balance');
  return payment;
}
