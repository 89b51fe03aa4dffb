import { dayAfter } from '../../components/instant.ts';

/** What the filter of invoices holds: a month as 2026-10, or a first and a last day, both of them included. */
export type PeriodFilter = { month?: string | undefined; from?: string | undefined; to?: string | undefined };

/**
 * The range of the API, which bounds the end of the period, for the periods whose last day is in the month, or is one of the days.
 * A period that ends at midnight had its last day before: that of October ends where November begins.
 */
export function rangeOf({ month, from, to }: PeriodFilter): PeriodFilter {
  if (month !== undefined && month !== '') return rangeOf(daysOf(month));
  return { from: from && afterMidnight(from), to: to && afterMidnight(dayAfter(to)) };
}

/** What is no month is left for the API to refuse. */
function daysOf(month: string): PeriodFilter {
  if (!/^\d{4}-(0[1-9]|1[0-2])$/.test(month)) return { from: month };
  const [year, number] = month.split('-').map(Number);
  const last = new Date(Date.UTC(year!, number!, 0)).toISOString().slice(0, 10);
  return { from: `${month}-01`, to: last };
}

function afterMidnight(day: string): string {
  const midnight = Date.parse(day);
  return Number.isNaN(midnight) ? day : new Date(midnight + 1).toISOString();
}
