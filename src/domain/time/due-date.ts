import { dayAfter, dayOf, startOfDay } from './local-time.ts';

/** A day, `2026-10-31`, and the instant at which it is over. */
export type DueDate = { due_date: string; due_at: string };

/** The day of the issue in a zone plus `net_days`. `due_at` is the end of that day there (billing.md 7). */
export function dueDateOf(issued_at: string, timezone: string, net_days: number): DueDate {
  const due_date = dayAfter(dayOf(issued_at, timezone), net_days);
  return { due_date, due_at: startOfDay(dayAfter(due_date), timezone) };
}
