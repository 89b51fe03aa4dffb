import assert from 'node:assert/strict';
import { creditInvoice } from './credit-notes.ts';
import { takenAlong } from './discounts-on-notes.ts';
import { feesIn, isOfFee, worthOf } from './fees.ts';
import { worthOfTime } from './flat-lines.ts';
import { billedBy, issuedInvoices } from './giving.ts';
import { feeEnd, feePeriod, isOver, openPart } from './periods.ts';
import { isFewer, quantityBefore, type QuantityStep } from './quantities.ts';
import { bySettle, SETTLED, shareOut, type Share } from './shares.ts';
import { monthOf, spanText } from './words.ts';
import {
  note,
  type Charge,
  type FullPeriod,
  type Instant,
  type Invoice,
  type Line,
  type Settle,
  type Subscription,
  type World,
} from './world.ts';

/** Automatic notes of lower quantities (billing.md 14), of the fees in advance that run. */

/** The terms of a note: from when the quantity is lower; null where a higher one was withdrawn. */
type Lower = { settle: Settle; since: Instant | null };
type Asked = (charge: Charge) => Lower | null;

/** The full period of the fees in advance that run; null if none do. */
export function runningFees(subscription: Subscription): FullPeriod | null {
  const part = openPart(subscription);
  if (part === null) return null;
  const running = feePeriod(subscription, part.full_period);
  return isOver(feeEnd(subscription, running).last) ? null : running;
}

/** Credits what lower quantities that have come leave too much, by their settle; at the start of a full period `none` is as `balance`. */
export function creditLower(world: World, subscription: Subscription, steps: readonly QuantityStep[]): void {
  const start = runningFees(subscription)?.start;
  credit(world, subscription, ({ event_name }) => {
    const step = steps.find(({ name }) => name === event_name);
    if (step === undefined || !isLower(subscription, step)) return null;
    const { at, settle } = step;
    return { settle: settle === 'none' && at === start ? 'balance' : settle, since: at };
  });
}

/** Whether a step lowers its quantity. */
export function isLower(subscription: Subscription, { name, at, quantity }: QuantityStep): boolean {
  return at !== null && isFewer(quantity, quantityBefore(subscription, name, at));
}

/** Credits what a higher quantity was billed ahead that is withdrawn or replaced, of these names. */
export function creditTakenBack(world: World, subscription: Subscription, names: readonly string[]): void {
  credit(world, subscription, ({ event_name }) =>
    names.includes(event_name) ? { settle: 'balance', since: null } : null,
  );
}

/** Credits what running fees have too much once something that was void leaves more to credit. */
export function creditOwedQuantities(world: World, subscription: Subscription): void {
  credit(world, subscription, () => ({ settle: 'balance', since: null }));
}

function credit(world: World, subscription: Subscription, asked: Asked): void {
  const running = runningFees(subscription);
  if (running === null) return;
  const shares = excessOf(world, { subscription, running, asked });
  const invoices = [...new Set(shares.map(({ invoice }) => invoice))];
  for (const invoice of invoices.toSorted((a, b) => b.number! - a.number!))
    for (const settle of SETTLED) {
      const lines = shares.filter((share) => share.invoice === invoice && share.of.settle === settle);
      if (lines.length > 0) creditLines(world, { subscription, running, invoice, lines });
    }
}

type Running = { subscription: Subscription; running: FullPeriod };

/**
 * The amount that issued lines bill beyond the greater of two worths: that by all that is known, and that by the quantities that have come, up to the
 * boundary.
 */
function excessOf(
  world: World,
  { subscription, running, asked }: Running & { asked: Asked },
): Share<Lower>[] {
  const issued = issuedInvoices(world).filter((invoice) => invoice.subscription === subscription);
  const charges = feesIn(running).filter(({ has_quantity }) => has_quantity);
  const owed = charges.flatMap((charge) => {
    const of = asked(charge);
    if (of === null) return [];
    const isOf = (line: Line) => isOfFee({ charge, full_period: running }, line);
    const billed = issued.flatMap(({ lines }) => lines).filter(isOf);
    const fee = { subscription, charge, full_period: running, discounts: billed[0]?.discounts ?? [] };
    const interval = running.fee_interval!;
    const come = worthOfTime(world, fee, { end: interval.end, interval, come_by: world.now });
    const known = worthOf(world, fee);
    return [{ of, money: billedBy(world, billed) - (come < known ? known : come), isOf }];
  });
  return shareOut(world, issued.toReversed(), bySettle(owed));
}

type Noting = Running & { invoice: Invoice; lines: readonly Share<Lower>[] };

function creditLines(world: World, { subscription, running, invoice, lines }: Noting): void {
  const { timezone } = subscription;
  const { settle, since } = lines[0]!.of;
  const ends = lines.map(({ place }) => invoice.lines[place]!.period.end).toSorted();
  const span = { start: since ?? running.start, end: ends.at(-1)! };
  const month = monthOf(span, timezone);
  const of = month === null ? `from ${spanText(span, timezone)}` : `of ${month}`;
  const reason =
    since === null ? `Quantity ${of} corrected` : `Lower quantity from ${spanText(span, timezone)}`;
  const amount = lines.reduce((sum, line) => sum + line.amount, 0n);
  const along = takenAlong(world, { invoice, full_period: running, amount });
  const made = creditInvoice(world, invoice, {
    ...{ lines: [...lines, ...along], to_balance: settle === 'balance' },
    origin: { automatic: true, cause: null, reason },
  });
  assert.ok(made, 'lines and invoice have left what is credited');
  note(world, since === null ? 'note of a quantity taken back' : `note of a lower quantity, ${settle}`);
}
