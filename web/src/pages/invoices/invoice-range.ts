import { dayAfter } from '../../components/instant.ts';

/** A month as 2026-10, or a first and a last day, both of them included. */
type Days = Partial<Record<'month' | 'from' | 'to', string | undefined>>;

/**
 * The values of the filter of invoices; `by` says which day of an invoice lies among them: that of its issue, or its
 * period's last.
 */
export type InvoiceDays = Days & { by?: string | undefined };

export const BY_ISSUE = 'issue';

/**
 * The filters of the API: `from` and `to` bound the end of the period, and a month goes by the days that each invoice
 * prints.
 */
type InvoiceRange = Partial<
  Record<'from' | 'to' | 'issued_from' | 'issued_to' | 'period_month' | 'issued_month', string | undefined>
>;

export function rangeOf({ by, month, from, to }: InvoiceDays): InvoiceRange {
  if (by === BY_ISSUE)
    return month ? { issued_month: month } : { issued_from: from, issued_to: to && dayAfter(to) };
  if (month) return { period_month: month };
  // A period that ends at midnight had its last day before: that of October ends where November begins.
  return { from: from && afterMidnight(from), to: to && afterMidnight(dayAfter(to)) };
}

function afterMidnight(day: string): string {
  const midnight = Date.parse(day);
  return Number.isNaN(midnight) ? day : new Date(midnight + 1).toISOString();
}
