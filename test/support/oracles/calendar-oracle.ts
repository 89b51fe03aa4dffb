import type { Interval } from '../../../src/domain/time/period.ts';

/** Boundaries by counting days, without Temporal or Date: an independent oracle for src/domain/time/period.ts. */
export function oracleBoundary(anchor: string, interval: Interval, intervals: number): string {
  const [year, month, day] = [anchor.slice(0, 4), anchor.slice(5, 7), anchor.slice(8, 10)].map(Number) as [
    number,
    number,
    number,
  ];
  const time = anchor.slice(10);
  if (interval === 'day' || interval === 'week') {
    return dateOf(dayNumber(year, month, day) + intervals * (interval === 'day' ? 1 : 7)) + time;
  }
  const months = year * 12 + (month - 1) + intervals * (interval === 'month' ? 1 : 12);
  const [toYear, toMonth] = [Math.floor(months / 12), (((months % 12) + 12) % 12) + 1];
  return dateText(toYear, toMonth, Math.min(day, monthLength(toYear, toMonth))) + time;
}

/** Whether a year of the Gregorian calendar is a leap year. */
export function isLeap(year: number): boolean {
  return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
}

/** Number of days; months count from 1. */
export function monthLength(year: number, month: number): number {
  if (month === 2) return isLeap(year) ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}

/** A date as 2026-01-31. */
export function dateText(year: number, month: number, day: number): string {
  const pad = (value: number, digits: number) => `${value}`.padStart(digits, '0');
  return `${pad(year, 4)}-${pad(month, 2)}-${pad(day, 2)}`;
}

/** Days since 0000-03-01. Years begin in March, so that the leap day is the last. */
function dayNumber(year: number, month: number, day: number): number {
  const y = month > 2 ? year : year - 1;
  const m = (month + 9) % 12;
  return (
    y * 365 +
    Math.floor(y / 4) -
    Math.floor(y / 100) +
    Math.floor(y / 400) +
    Math.floor((m * 306 + 5) / 10) +
    day -
    1
  );
}

function dateOf(days: number): string {
  let year = Math.floor(days / 365.2425) + 1;
  while (dayNumber(year, 1, 1) > days) year -= 1;
  let month = 12;
  while (dayNumber(year, month, 1) > days) month -= 1;
  return dateText(year, month, days - dayNumber(year, month, 1) + 1);
}
