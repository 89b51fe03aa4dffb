import { minus, plus, rational, rounded, times } from '../support/price-oracle.ts';
import { linesFor, totalOf } from './lines.ts';
import { noteLines } from './situations.ts';
import type { Invoice, LatePeriod, Part, Subscription, World } from './world.ts';

/** Lines, then tax, rounded once on the subtotal. */
export function amountsOf({ lines, tax_rate }: Invoice): { subtotal: bigint; tax: bigint; total: bigint } {
  const subtotal = totalOf(lines);
  const { n, d } = times({ n: subtotal, d: 1n }, rational(tax_rate));
  const tax = BigInt(rounded({ n, d: d * 100n }, 0));
  return { subtotal, tax, total: subtotal + tax };
}

type Making = { subscription: Subscription; period: Part | LatePeriod; replaces?: Invoice };

/** A draft shows its credit; nothing is drawn yet. */
export function makeDraft(world: World, { subscription, period, replaces }: Making): Invoice {
  const invoice: Invoice = {
    subscription,
    period,
    status: 'draft',
    lines: [],
    tax_rate: world.tax_rate,
    number: null,
    created_at: world.now,
    issued_at: null,
    paid_at: null,
    voided_at: null,
    amount_paid: 0n,
    replaces: replaces ?? null,
    replaced_by: null,
  };
  invoice.lines = linesFor(world, invoice).lines;
  world.invoices.push(invoice);
  return invoice;
}

/** Counts again, draws the credit, gives the number. A total of zero is paid at once. */
export function issue(world: World, invoice: Invoice): void {
  const { lines, balances } = linesFor(world, invoice);
  invoice.lines = lines;
  for (const [grant, remaining] of balances) grant.remaining = remaining;
  invoice.number = ++world.numbered;
  invoice.issued_at = world.now;
  invoice.status = 'open';
  if (amountsOf(invoice).total === 0n) {
    invoice.status = 'paid';
    invoice.paid_at = world.now;
  }
  noteLines(world, invoice);
}

export function payInvoice(world: World, invoice: Invoice): boolean {
  if (invoice.status !== 'open') return false;
  invoice.status = 'paid';
  invoice.paid_at = world.now;
  invoice.amount_paid = amountsOf(invoice).total;
  return true;
}

/** A draft, an open or a zero paid one. Draws go back to their lots; what comes back to a voided lot is void at once. */
export function voidInvoice(world: World, invoice: Invoice): boolean {
  const { status, lines, amount_paid } = invoice;
  if (status === 'void' || (status === 'paid' && amount_paid !== 0n)) return false;
  if (status !== 'draft') {
    const draws = lines.flatMap((line) => line.draws);
    for (const { grant, amount } of draws)
      if (!grant.is_voided) grant.remaining = plus(grant.remaining, amount);
    if (world.grants.some(({ remaining }) => remaining.n < 0n)) {
      for (const { grant, amount } of draws)
        if (!grant.is_voided) grant.remaining = minus(grant.remaining, amount);
      return false;
    }
  }
  invoice.status = 'void';
  invoice.voided_at = world.now;
  return true;
}

/** The new invoice; null where the old one may not be replaced. A draft yields a draft. */
export function regenerateInvoice(world: World, invoice: Invoice): Invoice | null {
  const { status: before, subscription, period } = invoice;
  if (!voidInvoice(world, invoice)) return null;
  const made = makeDraft(world, { subscription, period, replaces: invoice });
  invoice.replaced_by = made;
  if (before !== 'draft') issue(world, made);
  return made;
}
