import assert from 'node:assert/strict';
import { creditInvoice } from './credit-notes.ts';
import { takenAlong } from './discounts-on-notes.ts';
import { billedTo, issuedInvoices } from './giving.ts';
import type { Claim } from './lines.ts';
import type { Planned } from './period-sums.ts';
import { sharedOut, type Share } from './shares.ts';
import { note, type FullPeriod, type Invoice, type Line, type World } from './world.ts';
import { monthOf, spanText } from './words.ts';

/** Usage that was billed too high (billing.md 5): what an invoice credits on others, since it is below zero and does not fit. */

/** `money` is what a line of the amount 0 is below zero. */
export type LateLine = { claim: Claim; line: Line; money: bigint };

/** The late lines' money over the lines of their charge and period on other issued invoices, the one issued last first; the rest stays owed. */
export function sharesOf(
  world: World,
  invoice: Invoice,
  late: readonly LateLine[],
): { shares: Share<Claim>[]; planned: Planned[] } {
  const others = issuedInvoices(world).filter((other) => other !== invoice);
  const owed = late.map(({ claim, money }) => ({
    ...{ of: claim, money },
    isOf: (line: Line) => isOf(claim, line),
  }));
  const periods = new Set(late.map(({ claim }) => claim.need.full_period));
  const by_period = [...periods].map((period) => owed.filter(({ of }) => of.need.full_period === period));
  return sharedOut({ world, without: invoice }, others.toReversed(), by_period);
}

function isOf({ need: { charge, full_period } }: Claim, line: Line): boolean {
  return line.charge === charge && line.full_period === full_period;
}

/** Makes the notes of an invoice that is issued: for each period, oldest first, one on each credited invoice, the one issued last first. */
export function correctUsage(world: World, cause: Invoice, shares: readonly Share<Claim>[]): void {
  const periodOf = ({ of }: Share<Claim>) => of.need.full_period;
  const periods = [...new Set(shares.map(periodOf))].toSorted((a, b) => (a.start < b.start ? -1 : 1));
  for (const period of periods) {
    const of_period = shares.filter((share) => periodOf(share) === period);
    const invoices = [...new Set(of_period.map(({ invoice }) => invoice))];
    const origin = { automatic: true, cause, reason: reasonFor(world, period, cause.subscription.timezone) };
    for (const invoice of invoices.toSorted((a, b) => b.number! - a.number!)) {
      const shares_of = of_period.filter((share) => share.invoice === invoice);
      const amount = shares_of.reduce((sum, share) => sum + share.amount, 0n);
      const along = takenAlong(world, { invoice, full_period: period, amount, without: cause });
      const lines = [...shares_of, ...along];
      if (along.length > 0) note(world, 'note of usage takes a discount along');
      const made = creditInvoice(world, invoice, { lines, to_balance: true, origin });
      assert.ok(made, 'lines and invoice have left what is credited');
      note(world, 'automatic note of usage');
    }
  }
}

/** The period as it was billed. */
function reasonFor(world: World, full_period: FullPeriod, timezone: string): string {
  const period = { start: full_period.start, end: billedTo(world, full_period) };
  const month = monthOf(period, timezone);
  return `Usage ${month === null ? `from ${spanText(period, timezone)}` : `of ${month}`} corrected`;
}
