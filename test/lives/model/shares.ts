import { amountsOf } from './amounts.ts';
import { leftOf } from './credit-notes.ts';
import { standingNotes } from './owed.ts';
import type { Invoice, Line } from './world.ts';

/** The money that automatic notes credit (billing.md 7): at most what lines and invoices have left beside all notes that stand. */

/** Money to credit on the lines that fit. */
export type Owed<Of> = { of: Of; money: bigint; isOf: (line: Line) => boolean };
/** The part of it that comes off a line of an invoice. */
export type Share<Of> = { of: Of; invoice: Invoice; place: number; amount: bigint };

/** Shares out what is owed, in its order, over the lines of some invoices, in theirs. */
export function shareOut<Of>(invoices: readonly Invoice[], owed: readonly Owed<Of>[]): Share<Of>[] {
  const left = new Map(invoices.map((invoice) => [invoice, leftOn(invoice)]));
  const shares: Share<Of>[] = [];
  for (const { of, money, isOf } of owed) {
    let missing = money;
    for (const invoice of invoices) {
      const place = invoice.lines.findIndex(isOf);
      if (place === -1) continue;
      const amount = smallest(missing, leftOf(invoice, place), left.get(invoice)!);
      if (amount <= 0n) continue;
      shares.push({ of, invoice, place, amount });
      left.set(invoice, left.get(invoice)! - amount);
      missing -= amount;
    }
  }
  return shares;
}

function leftOn(invoice: Invoice): bigint {
  const nets = standingNotes(invoice).map(({ net }) => net);
  return nets.reduce((left, net) => left - net, amountsOf(invoice).subtotal);
}

function smallest(...amounts: [bigint, ...bigint[]]): bigint {
  return amounts.reduce((a, b) => (b < a ? b : a));
}
