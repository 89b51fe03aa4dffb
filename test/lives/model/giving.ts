import {
  isLess,
  minus,
  NOTHING,
  plus,
  rounded,
  total,
  type Rational,
} from '../../support/oracles/price-oracle.ts';
import { carryPeriod } from './expiries.ts';
import { billedPeriods } from './periods.ts';
import { seriesOf } from './series.ts';
import { notBelowZero } from './usage.ts';
import type { Charge, Draw, Grant, Instant, Invoice, Item, Line, FullPeriod, World } from './world.ts';

/** Credit that grants have given (billing.md 4). Only issued invoices count, because a draft draws nothing. */

/** Open and paid invoices in the order of issue. */
export function issuedInvoices({ invoices }: World): Invoice[] {
  const issued = invoices.filter(({ status }) => status === 'open' || status === 'paid');
  // Credit is drawn in the order of issue.
  return issued.toSorted((a, b) => a.number! - b.number!);
}

/** The invoice, not void, that an item is on; null if there is none. */
export function invoiceOfItem({ invoices }: World, item: Item): Invoice | null {
  const valid = invoices.filter(({ status }) => status !== 'void');
  return valid.find(({ lines }) => lines.some((line) => line.item === item)) ?? null;
}

/** The end of a period as it was billed, by the invoices that stand where an end in it or before it came since. */
export function billedTo(world: World, full_period: FullPeriod): Instant {
  const { start, end, ran_to } = full_period;
  if (ran_to === null) return end;
  const issued = issuedInvoices(world).filter(
    ({ period }) => period.kind === 'part' && period.full_period === full_period,
  );
  const latest = issued
    .map(({ says }) => says.end)
    .toSorted()
    .at(-1);
  if (latest === undefined) return start === end ? ran_to : end;
  return latest < end ? end : latest;
}

export type Use = { charge: Charge; full_period: FullPeriod };

/** The lines of a charge and period on some invoices. */
export function linesOf(invoices: readonly Invoice[], { charge, full_period }: Use): Line[] {
  return invoices
    .flatMap(({ lines }) => lines)
    .filter((line) => line.charge === charge && line.full_period === full_period);
}

/** The amount that lines bill: their amounts less the automatic notes on them that stand (billing.md 5). */
export function billedBy(world: World, lines: readonly Line[]): bigint {
  return lines.reduce((sum, line) => sum + line.amount - creditedOn(world, line), 0n);
}

/** The amount before percents that lines bill: of a line with automatic notes as much as they leave of its amount (billing.md 11). */
export function billedBefore(world: World, lines: readonly Line[]): bigint {
  return lines.reduce((sum, line) => {
    const { amount } = line;
    const before = line.amount_before ?? amount;
    const credited = creditedOn(world, line);
    if (credited === 0n || amount === 0n) return sum + before;
    return sum + BigInt(rounded({ n: before * (amount - credited), d: amount }, 0));
  }, 0n);
}

/** The sum of the automatic notes on a line that stand. */
function creditedOn({ invoices }: World, line: Line): bigint {
  const invoice = invoices.find((one) => one.lines.includes(line))!;
  const place = invoice.lines.indexOf(line);
  const notes = invoice.notes.filter(({ automatic, is_void }) => automatic && !is_void);
  const credited = notes.flatMap((made) => made.lines).filter((one) => one.place === place);
  return credited.reduce((sum, { amount }) => sum + amount, 0n);
}

/** The signed sum of the draws on some grants. */
export function sumOf(draws: readonly Draw[], grants: readonly Grant[]): Rational {
  return total(draws.filter(({ grant }) => grants.includes(grant)).map(({ amount }) => amount));
}

/** The sum over all charges and periods: each gets the sum of the grant's draws on lines that are not void, never below zero. */
export function givenBy(world: World, grant: Grant): Rational {
  const all = world.subscriptions.flatMap(billedPeriods);
  return givenTo(world, grant, all);
}

/** The part of it that covers usage of the next full period (billing.md 4, *Carry-over*). */
export function carriedBy(world: World, grant: Grant): Rational {
  const period = carryPeriod(grant);
  return period === null ? NOTHING : givenTo(world, grant, [period]);
}

function givenTo(world: World, grant: Grant, full_periods: readonly FullPeriod[]): Rational {
  const issued = issuedInvoices(world);
  const uses = full_periods.flatMap((full_period) =>
    full_period.plan.charges
      .flatMap((charge) => seriesOf(charge, world.events))
      .map((charge) => ({ charge, full_period })),
  );
  const shares = uses.map((use) => linesOf(issued, use).flatMap(({ draws }) => draws));
  return total(shares.map((draws) => notBelowZero(sumOf(draws, [grant]))));
}

/** The amount less what was given. Writing off expired credit does not count here; a voided grant has nothing left. */
export function remainingOf(world: World, grant: Grant): Rational {
  return grant.is_voided ? NOTHING : minus(grant.amount, givenBy(world, grant));
}

/** Whether a grant, voided or not, has given more than its amount, or more than it may carry over. */
export function isOverdrawn(world: World): boolean {
  return world.grants.some(
    (grant) =>
      isLess(grant.amount, givenBy(world, grant)) ||
      (grant.carry_over_max !== null && isLess(grant.carry_over_max, carriedBy(world, grant))),
  );
}

/**
 * Runs `change`, which issues or voids the invoice, and adds the difference in what each grant has given to the invoice's ledger
 * entries.
 */
export function moveCredit(world: World, invoice: Invoice, change: () => void): void {
  const before = world.grants.map((grant) => givenBy(world, grant));
  change();
  for (const [place, grant] of world.grants.entries()) {
    const moved = minus(givenBy(world, grant), before[place]!);
    invoice.moved.set(grant, plus(invoice.moved.get(grant) ?? NOTHING, moved));
  }
}
