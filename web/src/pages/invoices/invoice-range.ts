import { dayAfter } from '../../components/instant.ts';

/** A month as 2026-10, or a first and a last day, both of them included. */
type Days = { month?: string | undefined; from?: string | undefined; to?: string | undefined };

/** The values of the filter of invoices; `by` says which day of an invoice lies among them: that of its issue, or its period's last. */
export type InvoiceDays = Days & { by?: string | undefined };

export const BY_ISSUE = 'issue';

/** The range of the API: its `from` and `to` bound the end of the period. */
type InvoiceRange = Partial<Record<'from' | 'to' | 'issued_from' | 'issued_to', string | undefined>>;

export function rangeOf({ by, month, ...days }: InvoiceDays): InvoiceRange {
  const { from, to } = month === undefined || month === '' ? days : daysOf(month);
  if (by === BY_ISSUE) return { issued_from: from, issued_to: to && dayAfter(to) };
  // A period that ends at midnight had its last day before: that of October ends where November begins.
  return { from: from && afterMidnight(from), to: to && afterMidnight(dayAfter(to)) };
}

/** The days of a month; text that is no month is left for the API to refuse. */
function daysOf(month: string): Days {
  if (!/^\d{4}-(0[1-9]|1[0-2])$/.test(month)) return { from: month };
  const [year, number] = month.split('-').map(Number);
  const last = new Date(Date.UTC(year!, number!, 0)).toISOString().slice(0, 10);
  return { from: `${month}-01`, to: last };
}

function afterMidnight(day: string): string {
  const midnight = Date.parse(day);
  return Number.isNaN(midnight) ? day : new Date(midnight + 1).toISOString();
}
