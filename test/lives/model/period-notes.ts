import assert from 'node:assert/strict';
import { creditInvoice, leftOf } from './credit-notes.ts';
import { billedTo, issuedInvoices } from './giving.ts';
import { excessOfMinimum, minimumsOn } from './period-lines.ts';
import { shareOut } from './shares.ts';
import { monthOf, spanText } from './words.ts';
import { note, type FullPeriod, type Invoice, type Subscription, type World } from './world.ts';

/** Automatic notes of minimums (billing.md 13). */

/** Credits what an invoice that is issued could not take off the minimums that it brings to the rule. */
export function correctMinimums(world: World, cause: Invoice): void {
  for (const full_period of minimumsOn(world, cause))
    correctMinimum(world, { subscription: cause.subscription, full_period, cause });
}

type Correcting = { subscription: Subscription; full_period: FullPeriod; cause: Invoice | null };

/** Credits what the lines of a minimum have too much: one note for each invoice, the one issued last first. */
export function correctMinimum(world: World, { subscription, full_period, cause }: Correcting): void {
  const money = excessOfMinimum(world, { subscription, full_period });
  const { start } = full_period;
  const issued = issuedInvoices(world).filter((invoice) => invoice.subscription === subscription);
  const shares = shareOut(world, issued.toReversed(), [
    [{ of: full_period, money, isOf: (line) => line.type === 'minimum' && line.full_period.start === start }],
  ]);
  const span = { start, end: billedTo(world, full_period) };
  const month = monthOf(span, subscription.timezone);
  const of = month === null ? `from ${spanText(span, subscription.timezone)}` : `of ${month}`;
  const origin = { automatic: true, cause, reason: `Minimum ${of} corrected` };
  for (const { invoice, place, amount } of shares) {
    assert.ok(leftOf(invoice, place) >= amount);
    const made = creditInvoice(world, invoice, { lines: [{ place, amount }], to_balance: true, origin });
    assert.ok(made, 'lines and invoice have left what is credited');
    note(world, cause === null ? 'note of a minimum after an end' : 'note of a minimum at an issue');
  }
}
