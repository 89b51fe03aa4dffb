import type { Dispute, ProviderCharge } from './collection.ts';
import { giveBack, pauseAfter, releasePause, take } from './refunds.ts';
import { note, type World } from './world.ts';

/** Disputes (billing.md 24). */

/** A dispute of a charge, as an inquiry before anything is booked. */
export function newDispute(charge: ProviderCharge, amount: bigint): Dispute {
  const made: Dispute = { charge, amount, taken: 0n, status: 'inquiry' };
  charge.disputes.push(made);
  return made;
}

/** A bank asks: no money has moved. */
export function inquire(world: World, charge: ProviderCharge, amount: bigint): Dispute {
  const made = newDispute(charge, amount);
  pauseAfter(world, charge.invoice, 'disputed');
  note(world, 'inquiry of a bank');
  return made;
}

/** A bank takes the money of a charge, after an inquiry or without one. */
export function openDispute(world: World, made: Dispute): void {
  const { charge, amount } = made;
  made.status = 'open';
  world.collection.cash -= amount;
  made.taken = take(world, charge, amount);
  if (made.taken > 0n) pauseAfter(world, charge.invoice, 'disputed');
  note(world, 'dispute opened');
}

/** The money of a dispute comes back, or an inquiry is closed. */
export function winDispute(world: World, made: Dispute): void {
  if (made.status === 'open') world.collection.cash += made.amount;
  made.status = 'won';
  if (made.taken > 0n) giveBack(world, made.charge, made.taken);
  releasePause(world, made.charge.invoice);
  note(world, 'dispute won');
}

/** The money of a dispute stays away. */
export function loseDispute(world: World, made: Dispute): void {
  made.status = 'lost';
  note(world, 'dispute lost');
}
