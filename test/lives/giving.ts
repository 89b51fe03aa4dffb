import { isLess, minus, NOTHING, plus, total, type Rational } from '../support/price-oracle.ts';
import { notBelowZero } from './usage.ts';
import type { Charge, Draw, Grant, Invoice, Line, FullPeriod, World } from './world.ts';

/** What grants have given (billing.md 4). A draft shows credit and draws none, so that issued invoices alone are asked. */

export function issuedInvoices({ invoices }: World): Invoice[] {
  const issued = invoices.filter(({ status }) => status === 'open' || status === 'paid');
  // Credit is drawn in the order of issuing.
  return issued.toSorted((a, b) => a.number! - b.number!);
}

export type Use = { charge: Charge; full_period: FullPeriod };

export function linesOf(invoices: readonly Invoice[], { charge, full_period }: Use): Line[] {
  return invoices
    .flatMap(({ lines }) => lines)
    .filter((line) => line.charge === charge && line.full_period === full_period);
}

export function sumOf(draws: readonly Draw[], grants: readonly Grant[]): Rational {
  return total(draws.filter(({ grant }) => grants.includes(grant)).map(({ amount }) => amount));
}

/** In sum: to a charge and period a grant has given the sum of its draws on lines that are not void, never below zero. */
export function givenBy(world: World, grant: Grant): Rational {
  const issued = issuedInvoices(world);
  const uses = world.subscriptions.flatMap(({ plan, full_periods }) =>
    full_periods.flatMap((full_period) => plan.charges.map((charge) => ({ charge, full_period }))),
  );
  const shares = uses.map((use) => linesOf(issued, use).flatMap(({ draws }) => draws));
  return total(shares.map((draws) => notBelowZero(sumOf(draws, [grant]))));
}

/** Writing off what nothing can use any more does not count. Of a voided grant nothing remains. */
export function remainingOf(world: World, grant: Grant): Rational {
  return grant.is_voided ? NOTHING : minus(grant.amount, givenBy(world, grant));
}

/** Whether a grant, voided or not, has given more than its amount. */
export function isOverdrawn(world: World): boolean {
  return world.grants.some((grant) => isLess(grant.amount, givenBy(world, grant)));
}

/** Issues or voids the invoice by `change`: the ledger names it for the difference that this makes to what the grants have given. */
export function moveCredit(world: World, invoice: Invoice, change: () => void): void {
  const before = world.grants.map((grant) => givenBy(world, grant));
  change();
  for (const [place, grant] of world.grants.entries()) {
    const moved = minus(givenBy(world, grant), before[place]!);
    invoice.moved.set(grant, plus(invoice.moved.get(grant) ?? NOTHING, moved));
  }
}
