import { Temporal } from 'temporal-polyfill';

/** A day, `2026-10-31`, and the instant at which it is over. */
export type DueDate = { due_date: string; due_at: string };

/** The day of the issue in a zone plus `net_days`. `due_at` is the end of that day there (billing.md 7). */
export function dueDateOf(issued_at: string, timezone: string, net_days: number): DueDate {
  const issued = Temporal.Instant.from(issued_at).toZonedDateTimeISO(timezone);
  const due_day = issued.toPlainDate().add({ days: net_days });
  const end = due_day.add({ days: 1 }).toZonedDateTime(timezone).toInstant();
  return { due_date: due_day.toString(), due_at: end.toString({ fractionalSecondDigits: 3 }) };
}
