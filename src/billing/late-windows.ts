import type { ComposedInvoice } from '../domain/invoice.ts';
import { addDays } from '../domain/period.ts';
import type { BillingSettings } from './draft.ts';
import type { CountedInvoice } from './invoice-lines.ts';

/** Upper bound on the time from an event's `created_at`, the start of its transaction, to its commit: the statement timeout is shorter. */
const STORED_WITHIN_MINUTES = 2;

/**
 * Full periods whose late window this invoice closes: no event can be stored in time any more, and no late line waits. Includes the
 * invoice's own period if the window has passed, the period is uncut and this is its first invoice.
 */
export function lateWindowsToClose(
  { own, late, parts, counted }: CountedInvoice,
  { waiting }: ComposedInvoice,
  { now, late_usage_days }: BillingSettings & { now: string },
): { full_period_start: string; late_usage_until: string }[] {
  const stored_by = new Date(Date.parse(now) - STORED_WITHIN_MINUTES * 60_000).toISOString();
  const isUncut =
    parts.length === 1 &&
    counted.every(
      ({ others, full_period_start }) => full_period_start !== own.period_start || others.length === 0,
    );
  return [...(isUncut ? [own] : []), ...late]
    .map(({ period_start, period_end }) => ({
      full_period_start: period_start,
      late_usage_until: addDays(period_end, late_usage_days),
    }))
    .filter(({ late_usage_until }) => late_usage_until <= stored_by)
    .filter(({ full_period_start }) => !waiting.includes(full_period_start));
}
