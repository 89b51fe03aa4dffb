import { countedWords, type TitledCharge } from './charge-title.ts';
import { canonical, decimal } from '../money/decimal.ts';
import { dayOf, isStartOfDay, localText, nextMonth, UTC } from '../time/local-time.ts';
import { type Period, addMilliseconds } from '../time/period.ts';
import { isolated } from '../money/isolated.ts';
import { exactAmount, toAmount } from '../money/money.ts';
import { modelOf, type Pricing } from '../pricing/definitions.ts';
import { offsetInWords } from '../time/repeated-time.ts';

/** A flat line. */
export type DescribedFee = {
  charge: TitledCharge;
  amount: string;
  period: Period;
  timezone: string;
  currency: string;
};

/**
 * A line of usage. `quantity` is the gross quantity, `creditable` the same quantity in creditable units.
 * `others_quantity` is the quantity of the other lines of the charge and period. `timezone` is that of the
 * subscription.
 */
export type DescribedLine = {
  charge: TitledCharge;
  quantity: string;
  others_quantity: string;
  is_late: boolean;
  creditable: string;
  credits_applied: string;
  period: Period;
  timezone: string;
  currency: string;
};

const MONTHS: Record<string, string> = {
  '01': 'January',
  '02': 'February',
  '03': 'March',
  '04': 'April',
  '05': 'May',
  '06': 'June',
  '07': 'July',
  '08': 'August',
  '09': 'September',
  '10': 'October',
  '11': 'November',
  '12': 'December',
};

/**
 * The description of a line of usage for the person who pays: charge, quantity, and the days of the period in the
 * subscription's time zone, which is named unless it is UTC. "API calls: 15,000 events, 3,000 of them covered by
 * credit, from 1 to 31 January 2026 (Europe/Berlin)".
 */
export function describeLine(line: DescribedLine): string {
  const { charge, period, timezone, currency } = line;
  const title = `${line.is_late ? 'Late usage: ' : ''}${charge.title}`;
  const counted = `${grouped(line.quantity)}${countedWords(charge, line.quantity)}`;
  const formats = {
    quantity: grouped,
    amount: (amount: string) => grouped(toAmount(decimal(amount), currency)),
  };
  const model = modelOf(charge.pricing);
  const limit = model.limitOf(decimal(line.quantity).plus(line.others_quantity), formats);
  const beside =
    line.others_quantity === '0'
      ? ''
      : `, priced together with ${grouped(line.others_quantity)} billed before`;
  const priced = `${model.ofQuantity(formats)}${counted}${limit === null ? '' : `, ${limit}`}`;
  return `${title}: ${priced}${describeCredit(line)}, ${describeSpan(period, timezone)}${beside}`;
}

/**
 * The description of a flat line: charge, share, and days. "Rent, 31.00 of 62.00, from 1 to 15 April 2026, a part of
 * the period from 1 to 30 April 2026".
 */
export function describeFee({ charge, amount, period, timezone, currency }: DescribedFee): string {
  const { period_start, period_end, interval_start, interval_end } = period;
  const share = shareInWords(amount, charge.pricing, currency);
  const title = share === null ? charge.title : `${charge.title}, ${share}`;
  if (period_start === interval_start && period_end === interval_end)
    return `${title}, ${describeSpan(period, timezone)}`;
  const whole = { period_start: interval_start, period_end: interval_end };
  const part = spanInWords(period, timezone);
  return `${title}, ${part}, a part of the period ${describeSpan(whole, timezone)}`;
}

/** The description of a line of a full period as a whole: "Loyalty, from 1 to 30 April 2026". */
export function describePeriodLine(name: string, period: Span, timezone: string): string {
  return `${isolated(name)}, ${describeSpan(period, timezone)}`;
}

/**
 * "31.00 of 62.00" for a flat line that bills another amount than a period costs, else null. Of 62.005 the whole is
 * "62.005 rounded to 62.01".
 */
export function shareInWords(amount: string, pricing: Pricing, currency: string): string | null {
  if (!('flat_amount' in pricing)) return null;
  const price = decimal(pricing.flat_amount);
  const whole = exactAmount(price, currency);
  if (amount === whole) return null;
  if (amount === toAmount(price, currency)) return `${grouped(whole)} rounded to ${grouped(amount)}`;
  return `${grouped(amount)} of ${grouped(whole)}`;
}

function describeCredit({ charge, quantity, creditable, credits_applied }: DescribedLine): string {
  const model = modelOf(charge.pricing);
  if (model.creditsOf !== null) {
    return ` for ${grouped(creditable)} credits, ${grouped(credits_applied)} of them from grants`;
  }
  const free = 'free_units' in model.fields ? canonical(decimal(quantity).minus(creditable)) : '0';
  const returned = credits_applied.startsWith('-')
    ? `, ${grouped(credits_applied.slice(1))} of credit returned`
    : '';
  return describeShare(free, 'free') + describeShare(credits_applied, 'covered by credit') + returned;
}

function describeShare(units: string, words: string): string {
  return units === '0' || units.startsWith('-') ? '' : `, ${grouped(units)} of them ${words}`;
}

type Span = Pick<Period, 'period_start' | 'period_end'>;

let last = { of: '', words: '' };

/**
 * A span in words with its time zone, unless that is UTC: "from 1 to 31 January 2026 (Europe/Berlin)". Keeps the last
 * one: the lines of an invoice are mostly of one span, and local days are costly.
 */
function describeSpan(span: Span, timezone: string): string {
  const of = `${span.period_start} ${span.period_end} ${timezone}`;
  if (of !== last.of)
    last = { of, words: `${spanInWords(span, timezone)}${timezone === UTC ? '' : ` (${timezone})`}` };
  return last.words;
}

/**
 * "from 1 to 31 January 2026" or "on 1 January 2026", local days: with the last day of the span, and with times unless
 * both ends are the beginning of a day. A time of day that occurs twice names its offset. The caller names a time zone
 * other than UTC.
 */
export function spanInWords({ period_start, period_end }: Span, timezone: string): string {
  if (!isStartOfDay(period_start, timezone) || !isStartOfDay(period_end, timezone)) {
    const [from, to] = [timeInWords(period_start, timezone), timeInWords(period_end, timezone)];
    return `from ${from} to ${to}${timezone === UTC ? ' UTC' : ''}`;
  }
  const first = dayOf(period_start, timezone);
  const last = dayOf(addMilliseconds(period_end, -1), timezone);
  if (first === last) return `on ${dayInWords(first)}`;
  if (first.slice(0, 7) === last.slice(0, 7)) return `from ${dayOfMonth(first)} to ${dayInWords(last)}`;
  if (first.slice(0, 4) === last.slice(0, 4)) return `from ${dayAndMonth(first)} to ${dayInWords(last)}`;
  return `from ${dayInWords(first)} to ${dayInWords(last)}`;
}

/** "of January 2026" for a month of the calendar, by local days, else as spanInWords. */
export function periodInWords(span: Span, timezone: string): string {
  const first = dayOf(span.period_start, timezone);
  const next = dayOf(span.period_end, timezone);
  const is_month =
    isStartOfDay(span.period_start, timezone) &&
    isStartOfDay(span.period_end, timezone) &&
    first.endsWith('-01') &&
    nextMonth(first) === next;
  return is_month ? `of ${MONTHS[first.slice(5, 7)]} ${first.slice(0, 4)}` : spanInWords(span, timezone);
}

function dayOfMonth(day: string): string {
  return day.slice(8, 10).replace(/^0/, '');
}

function dayAndMonth(day: string): string {
  return `${dayOfMonth(day)} ${MONTHS[day.slice(5, 7)]}`;
}

/** A day such as 2026-01-31 as "31 January 2026". */
export function dayInWords(day: string): string {
  return `${dayAndMonth(day)} ${day.slice(0, 4)}`;
}

/** "31 October 2027 02:30 CEST": seconds only if they are not 0, the offset only if the time of day occurs twice. */
function timeInWords(instant: string, timezone: string): string {
  const local = localText(instant, timezone);
  const offset = offsetInWords(instant, timezone);
  const time = `${dayInWords(local)} ${local.slice(11, 19).replace(/:00$/, '')}`;
  return offset === null ? time : `${time} ${offset}`;
}

/** Commas between thousands: "15,000.5". */
export function grouped(quantity: string): string {
  const [whole = '', ...decimals] = quantity.split('.');
  return [whole.replace(/\B(?=(\d{3})+$)/g, ','), ...decimals].join('.');
}
