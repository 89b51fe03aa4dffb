import { localAt } from '../../support/oracles/zone-oracle.ts';
import { later, type Instant, type Span } from './world.ts';

/** Spans in the words of a reason; times of day are left out. */

const MONTHS = [
  ...['January', 'February', 'March', 'April', 'May', 'June'],
  ...['July', 'August', 'September', 'October', 'November', 'December'],
];

type Day = { day: string; month: string; year: string };

function dayOf(instant: Instant, timezone: string): Day {
  const [year = '', month = '', day = ''] = localAt(timezone, instant).slice(0, 10).split('-');
  return { day: `${Number(day)}`, month: MONTHS[Number(month) - 1]!, year };
}

/** "January 2026" of a month of the calendar; null of any other span. */
export function monthOf({ start, end }: Span, timezone: string): string | null {
  const [first, next] = [localAt(timezone, start), localAt(timezone, end)];
  const is_start = (local: string) => local.slice(8) === '01T00:00:00.000Z';
  const { month, year } = dayOf(start, timezone);
  const last = dayOf(later(end, -1), timezone);
  const is_one = is_start(first) && is_start(next) && last.month === month && last.year === year;
  return is_one ? `${month} ${year}` : null;
}

/** "5 January to 4 February 2026": the last day included, and what both days share said once. */
export function spanText({ start, end }: Span, timezone: string): string {
  const [first, last] = [dayOf(start, timezone), dayOf(later(end, -1), timezone)];
  const of_year = first.year === last.year ? '' : ` ${first.year}`;
  const of_month = of_year === '' && first.month === last.month ? '' : ` ${first.month}${of_year}`;
  const to = `${last.day} ${last.month} ${last.year}`;
  return `${first.day}${of_month}` === `${last.day}` ? to : `${first.day}${of_month} to ${to}`;
}
