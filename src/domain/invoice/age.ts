import { Temporal } from 'temporal-polyfill';

/**
 * The ages of what is owed, each with the last day after the due date that it has; the due day itself is `current`
 * (billing.md 7).
 */
export const AGES = {
  current: 0,
  days_1_30: 30,
  days_31_60: 60,
  days_61_90: 90,
  days_over_90: Infinity,
} as const;
export type Age = keyof typeof AGES;

/** An amount of each age, and their sum. */
export type ByAge = Record<Age | 'total', string>;

/** Whole days from a due date to a day of the customer, such as 2026-03-10; 0 up to the due date itself. */
export function daysOverdue(due_date: string, today: string): number {
  if (today <= due_date) return 0;
  return Temporal.PlainDate.from(due_date).until(today, { largestUnit: 'days' }).days;
}
