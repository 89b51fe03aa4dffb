/** The days of a field, such as "-3, 1, 7": what is no whole number stays as it is, for the API to refuse. */
export function daysIn(text = ''): (number | string)[] {
  return text
    .split(/[\s,;]+/)
    .filter((word) => word !== '')
    .map((word) => (/^[+-]?\d{1,15}$/.test(word) ? Number(word) : word));
}

/** Word in the field of a customer that gets no reminders. */
const NONE = 'none';

/** The days of a customer's field: null for an empty one, none for NONE. */
export function ownDaysIn(text = ''): (number | string)[] | null {
  const words = text.trim().toLowerCase();
  if (words === '') return null;
  return words === NONE ? [] : daysIn(words);
}

/** The days of a customer as its field has them. */
export function ownDaysText(days: readonly number[] | null): string {
  if (days === null) return '';
  return days.length === 0 ? NONE : days.join(', ');
}

/** When a customer is reminded, in words; null where the account says it. */
export function reminderWords(days: readonly number[] | null): string | null {
  if (days === null) return null;
  return days.length === 0 ? 'none' : `on the days ${days.join(', ')} from the due date`;
}
