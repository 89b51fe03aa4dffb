import { countedWords, type TitledCharge } from './charge-title.ts';
import { canonical, decimal } from './decimal.ts';
import { type Period, addDays } from './period.ts';

/**
 * `quantity` is the gross quantity, `creditable` the same quantity in creditable units. `others_quantity` is the quantity of the other
 * lines of the charge and period.
 */
export type DescribedLine = {
  charge: TitledCharge;
  quantity: string;
  others_quantity: string;
  is_late: boolean;
  creditable: string;
  credits_applied: string;
  period: Period;
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
 * The description of a line for the person who pays: charge, quantity and period, in UTC. "API calls: 15,000 events, 3,000 of them covered by
 * credit, from 1 to 31 January 2026".
 */
export function describeLine(line: DescribedLine): string {
  const { charge, period } = line;
  if (charge.pricing.pricing_model === 'flat') return describeFlat(charge, period);
  const title = `${line.is_late ? 'Late usage: ' : ''}${charge.title}`;
  const counted = `${grouped(line.quantity)}${countedWords(charge, line.quantity)}`;
  const beside =
    line.others_quantity === '0'
      ? ''
      : `, priced together with ${grouped(line.others_quantity)} billed before`;
  return `${title}: ${counted}${describeCredit(line)}, ${describeSpan(period)}${beside}`;
}

function describeFlat({ title }: TitledCharge, period: Period): string {
  const { period_start, period_end, interval_start, interval_end } = period;
  const fee = `${title}, ${describeSpan(period)}`;
  if (period_start === interval_start && period_end === interval_end) return fee;
  const whole = describeSpan({ period_start: interval_start, period_end: interval_end });
  return `${fee}, a part of the period ${whole}`;
}

function describeCredit({ charge, quantity, creditable, credits_applied }: DescribedLine): string {
  // The only model that counts credit in another unit than usage.
  if (charge.pricing.pricing_model === 'credit') {
    return ` for ${grouped(creditable)} credits, ${grouped(credits_applied)} of them from grants`;
  }
  const free = canonical(decimal(quantity).minus(creditable));
  const returned = credits_applied.startsWith('-')
    ? `, ${grouped(credits_applied.slice(1))} of credit returned`
    : '';
  return describeShare(free, 'free') + describeShare(credits_applied, 'covered by credit') + returned;
}

function describeShare(units: string, words: string): string {
  return units === '0' || units.startsWith('-') ? '' : `, ${grouped(units)} of them ${words}`;
}

/** "from 1 to 31 January 2026" or "on 1 January 2026": with the last day of the span, and with times unless both ends are midnight. */
export function describeSpan({
  period_start,
  period_end,
}: Pick<Period, 'period_start' | 'period_end'>): string {
  if (!isMidnight(period_start) || !isMidnight(period_end)) {
    return `from ${dayAndTime(period_start)} to ${dayAndTime(period_end)} UTC`;
  }
  const first = period_start;
  const last = addDays(period_end, -1);
  if (first === last) return `on ${day(first)}`;
  if (first.slice(0, 7) === last.slice(0, 7)) return `from ${dayOfMonth(first)} to ${day(last)}`;
  if (first.slice(0, 4) === last.slice(0, 4)) return `from ${dayAndMonth(first)} to ${day(last)}`;
  return `from ${day(first)} to ${day(last)}`;
}

function isMidnight(instant: string): boolean {
  return instant.endsWith('T00:00:00.000Z');
}

function dayOfMonth(instant: string): string {
  return instant.slice(8, 10).replace(/^0/, '');
}

function dayAndMonth(instant: string): string {
  return `${dayOfMonth(instant)} ${MONTHS[instant.slice(5, 7)]}`;
}

/** "31 January 2026", in UTC. */
export function day(instant: string): string {
  return `${dayAndMonth(instant)} ${instant.slice(0, 4)}`;
}

/** "31 January 2026 14:05", with seconds only if they are not 0. */
function dayAndTime(instant: string): string {
  return `${day(instant)} ${instant.slice(11, 19).replace(/:00$/, '')}`;
}

/** Commas between thousands: "15,000.5". */
export function grouped(quantity: string): string {
  const [whole = '', ...decimals] = quantity.split('.');
  return [whole.replace(/\B(?=(\d{3})+$)/g, ','), ...decimals].join('.');
}
