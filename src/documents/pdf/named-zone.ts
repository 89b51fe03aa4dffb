import { UTC } from '../../domain/time/local-time.ts';

const TIME_IN_UTC = /(\d\d:\d\d(?::\d\d)?) UTC\b/g;

/** A text without the name of its time zone, which the head of its document has: "from 1 to 31 March 2026". */
export function withoutZone(text: string, timezone: string): string {
  return timezone === UTC ? text.replaceAll(TIME_IN_UTC, '$1') : text.replaceAll(` (${timezone})`, '');
}

/** The time zone that the head of a document names: none for days in UTC, where no text says a time. */
export function namedZone(texts: readonly string[], timezone: string): string | null {
  const is_needed = timezone !== UTC || texts.some((text) => withoutZone(text, timezone) !== text);
  return is_needed ? timezone : null;
}
