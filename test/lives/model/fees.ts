import { billedBefore, billedBy, issuedInvoices } from './giving.ts';
import { lineOfAmount, worthOfTime, type Discounted, type Time } from './flat-lines.ts';
import { isVoid } from './lines.ts';
import { percentsOf, type Discount } from './percents.ts';
import { feeEnd, feePeriod, followingPeriod, isOver } from './periods.ts';
import { notNegative } from './prices.ts';
import { bySettle, shareOut, type Share } from './shares.ts';
import type {
  Charge,
  FullPeriod,
  Instant,
  Invoice,
  Line,
  OpeningPeriod,
  Part,
  Plan,
  Settle,
  Subscription,
  World,
} from './world.ts';

/** Fees in advance (billing.md 10): what they are worth, and which invoices bill them. */

/** Whether a charge is billed before its time. */
export function isFee({ pricing }: Charge): boolean {
  return pricing.pricing_model === 'flat' && pricing.billed === 'in_advance';
}

function feesOf({ charges }: Plan): Charge[] {
  return charges.filter(isFee);
}

/** Whether a plan has a fee in advance. */
export function hasFees(plan: Plan): boolean {
  return feesOf(plan).length > 0;
}

/** The fees in advance of a period: none where those of the plan before run on. */
export function feesIn({ plan, fee_interval }: FullPeriod): Charge[] {
  return fee_interval === null ? [] : feesOf(plan);
}

/** The time of an opening invoice that is made now, with its number. */
export function openingPeriod(
  subscription: Subscription,
  full_period: FullPeriod,
  number: number,
): OpeningPeriod {
  const { end } = feeEnd(subscription, full_period);
  return { kind: 'opening', start: full_period.start, end, full_period, number };
}

/** The opening invoices of a subscription for the period that starts at this instant, void ones too. */
export function openingsAt({ invoices }: World, subscription: Subscription, start: Instant): Invoice[] {
  return invoices.filter(
    (invoice) =>
      invoice.subscription === subscription &&
      invoice.period.kind === 'opening' &&
      invoice.period.start === start,
  );
}

/** Those with which the period begins. */
export function firstOpeningsAt(world: World, subscription: Subscription, start: Instant): Invoice[] {
  const openings = openingsAt(world, subscription, start);
  return openings.filter(({ period }) => period.kind === 'opening' && period.number === 1);
}

/** The part whose invoice is the home of a period's fees; null if the period is the first one. */
export function homeOf({ full_periods }: Subscription, start: Instant): Part | null {
  return full_periods.find(({ end }) => end === start)?.parts.at(-1) ?? null;
}

type Fee = { charge: Charge; full_period: FullPeriod };

/** The worth of the time of a fee: all of it up to the boundary where its unused time is kept. */
export function worthOf(world: World, fee: Discounted): bigint {
  return fee.full_period.fee_interval === null ? 0n : worthOfTime(world, fee, feeTime(fee));
}

/** The time of a fee up to the end that is known. */
function feeTime({ subscription, full_period }: Discounted): Time {
  const interval = full_period.fee_interval!;
  const { end, settle } = feeEnd(subscription, full_period);
  return { end, interval, kept_to: settle === 'none' ? interval.end : undefined };
}

/** A plan that is exchanged, and exchanged back, bills the same fee. */
export function isOfFee({ charge, full_period: { start } }: Fee, line: Line): boolean {
  return line.type === 'flat' && line.charge === charge && line.full_period.start === start;
}

/** The lines of a fee on other invoices that are not void. */
function otherLines({ invoices }: World, invoice: Invoice, fee: Fee): Line[] {
  const others = invoices.filter((other) => other !== invoice && other.status !== 'void');
  return others.flatMap(({ lines }) => lines).filter((line) => isOfFee(fee, line));
}

/** Whether the invoice of this time closes a full period. */
export function closes(period: Invoice['period']): period is Part {
  return period.kind === 'part' && period === period.full_period.parts.at(-1);
}

/** The fees on an invoice: those of the period that comes, then what those of its own are short of. */
export function feeLines(world: World, invoice: Invoice): Line[] {
  const { subscription, period } = invoice;
  if (period.kind === 'opening')
    return period.number === 1
      ? comingLines(world, invoice, period.full_period)
      : lackingLines(world, invoice, period.full_period);
  if (!closes(period)) return [];
  const coming = followingPeriod(subscription, period.full_period);
  const lines = coming === null ? [] : comingLines(world, invoice, coming);
  const running = feePeriod(subscription, period.full_period);
  const ends_here = feeEnd(subscription, running).last === period.full_period;
  return [...lines, ...(ends_here ? shortLines(world, invoice, running) : [])];
}

/** One of 0.00 beside another line of the fee is not made. */
function comingLines(world: World, invoice: Invoice, full_period: FullPeriod): Line[] {
  return feesIn(full_period).flatMap((charge) => {
    const others = otherLines(world, invoice, { charge, full_period });
    const line = feeLine(world, invoice, { charge, full_period });
    return line.amount <= 0n && others.length > 0 ? [] : [line];
  });
}

function shortLines(world: World, invoice: Invoice, full_period: FullPeriod): Line[] {
  const { subscription } = invoice;
  return isWaiting(world, subscription, full_period) ? [] : lackingLines(world, invoice, full_period);
}

/** The rests of the fees of a period. */
function lackingLines(world: World, invoice: Invoice, full_period: FullPeriod): Line[] {
  return feesIn(full_period).flatMap((charge) => {
    const line = feeLine(world, invoice, { charge, full_period });
    return line.amount <= 0n ? [] : [line];
  });
}

/** A line of the amount that other lines bill too little; below zero if they bill too much. */
function feeLine(world: World, invoice: Invoice, fee: Fee): Line {
  const { subscription } = invoice;
  const { start } = fee.full_period;
  const { end } = feeEnd(subscription, fee.full_period);
  const discounts = percentsOf(world, subscription, { ...fee, end });
  const worthWith = (percents: readonly Discount[]) =>
    worthOf(world, { ...fee, subscription, discounts: percents });
  const others = otherLines(world, invoice, fee);
  const billed_before = billedBy(world, others);
  const amount = worthWith(discounts) - billed_before;
  const before = notNegative(worthWith([]) - billedBefore(world, others));
  const priced = { ...fee, subscription, discounts };
  return lineOfAmount(world, priced, {
    ...{ span: { start, end }, time: feeTime(priced) },
    ...{ amount, before, billed_before },
  });
}

/** Whether the home or the opening of a period is void, and its fees wait for `generate`. */
export function isWaiting(world: World, subscription: Subscription, { start }: FullPeriod): boolean {
  const home = homeOf(subscription, start);
  const openings = firstOpeningsAt(world, subscription, start);
  const is_opening_void = openings.length > 0 && openings.every(({ status }) => status === 'void');
  return (home !== null && isVoid(world, home)) || is_opening_void;
}

/** A fee that was billed, with the end of the time that it is worth. */
export type Ended = { charge: Charge; end: Instant; settle: Settle };

/**
 * The money that issued invoices bill too much of the fees of a period that has ended, or whose plan was exchanged, and of its flat amounts
 * in arrears, where it was billed before its end was known.
 */
export function excessOf(world: World, subscription: Subscription, start: Instant): Share<Ended>[] {
  const issued = issuedInvoices(world);
  const lines = issued.flatMap((invoice) => invoice.lines).filter(({ type }) => type === 'flat');
  const charges = new Set(lines.map(({ charge }) => charge));
  const owed = [...charges].flatMap((charge) => {
    const full_period = endedPeriod(subscription, charge, start);
    if (full_period === null) return [];
    const billed = lines.filter((line) => isOfFee({ charge, full_period }, line));
    const { end, settle } = feeEnd(subscription, full_period);
    // All issued lines of a charge and full period have the same percents.
    const fee = { subscription, charge, full_period, discounts: billed[0]?.discounts ?? [] };
    const worth = isFee(charge) ? worthOf(world, fee) : arrearsOf(world, fee, billed);
    const money = billedBy(world, billed) - worth;
    const of: Ended = { charge, end, settle: isFee(charge) ? settle : 'balance' };
    return [{ of, money, isOf: (line: Line) => isOfFee(fee, line) }];
  });
  return shareOut(world, issued.toReversed(), bySettle(owed));
}

/** The worth of lines of a flat amount in arrears: of each the time up to the end. */
function arrearsOf(world: World, fee: Discounted, lines: readonly Line[]): bigint {
  const { end } = fee.full_period;
  const worthUpTo = (instant: Instant) => worthOfTime(world, fee, { end: instant < end ? instant : end });
  return lines.reduce((sum, { period }) => sum + worthUpTo(period.end) - worthUpTo(period.start), 0n);
}

/** The period of a fee that starts then, if the fee has ended; null while it runs. */
function endedPeriod(subscription: Subscription, charge: Charge, start: Instant): FullPeriod | null {
  const { full_periods, exchanged, left_out } = subscription;
  const isIts = (full_period: FullPeriod) =>
    full_period.start === start && full_period.plan.charges.includes(charge);
  const found = [...full_periods, ...left_out].find(isIts) ?? exchanged.findLast(isIts);
  return found !== undefined && isOver(feeEnd(subscription, found).last) ? found : null;
}
