/** A month of the calendar, such as 2026-10. */
const MONTH = /^(19[7-9]\d|[2-9]\d{3})-(0[1-9]|1[0-2])$/;

export function isMonth(text: string): boolean {
  return MONTH.test(text);
}

/** The month that many months later. */
export function monthsLater(month: string, months: number): string {
  return textOf(firstOf(month, months));
}

/** The first and the last day of a month. */
export function daysOf(month: string): { from: string; to: string } {
  return { from: `${month}-01`, to: new Date(firstOf(month, 1) - 1).toISOString().slice(0, 10) };
}

const IN_WORDS = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' });

/** "October 2026". */
export function monthInWords(month: string): string {
  return IN_WORDS.format(firstOf(month));
}

const BRIEFLY = new Intl.DateTimeFormat('en-US', { month: 'short', year: 'numeric', timeZone: 'UTC' });

/** "Oct 2026". */
export function monthBriefly(month: string): string {
  return BRIEFLY.format(firstOf(month));
}

function firstOf(month: string, months_later = 0): number {
  const [year, number] = month.split('-').map(Number);
  return Date.UTC(year!, number! - 1 + months_later);
}

function textOf(time_ms: number): string {
  return new Date(time_ms).toISOString().slice(0, 7);
}
