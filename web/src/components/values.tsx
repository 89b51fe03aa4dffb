import type { ComponentChildren } from 'preact';
import type { Revenue } from '../api/objects.ts';
import { grouped } from './grouped.ts';
import { dayIn, dayOrTimeIn, endsIn } from './instant.ts';

/** The sum of whole numbers given as text. */
export function sumOfCounts(counts: readonly string[]): string {
  return counts.reduce((sum, count) => sum + BigInt(count), 0n).toString();
}

/** An amount with grouped digits and its currency. */
export function Money({ amount, currency }: { amount: string; currency: string }) {
  return (
    <span class="number">
      {grouped(amount)} <span class="unit">{currency}</span>
    </span>
  );
}

/** A quantity with grouped digits. */
export function Quantity({ value }: { value: string | number }) {
  return <span class="number">{grouped(String(value))}</span>;
}

/** An instant in UTC, such as 2026-11-21 09:30:05 UTC; the tooltip has the reader's local time and the milliseconds. */
export function Time({ at }: { at: string | null }) {
  if (at === null) return <span class="faint">never</span>;
  return (
    <time dateTime={at} title={`${localTime(at)} where you are; ${at}`}>
      {utcTime(at)} <span class="unit">UTC</span>
    </time>
  );
}

/** The day of an instant in UTC, where its time tells nobody anything; the tooltip has the instant. */
export function Day({ at }: { at: string | null }) {
  return <PrintedDay at={at} timezone="UTC" />;
}

/** The day of an instant in the time zone of a document, as the document prints it; the tooltip has the instant. */
export function PrintedDay({ at, timezone }: { at: string | null; timezone: string }) {
  if (at === null) return <span class="faint">never</span>;
  return (
    <time dateTime={at} title={at}>
      {dayIn(timezone, at)} <span class="unit">{timezone}</span>
    </time>
  );
}

/** The day that an instant begins in a time zone, or the instant itself where it begins none; the tooltip has both. */
export function DayOrTime({ at, timezone }: { at: string; timezone: string }) {
  return (
    <time dateTime={at} title={`${localTime(at)} where you are; ${at}`}>
      {dayOrTimeIn(timezone, at)} <span class="unit">{timezone}</span>
    </time>
  );
}

/** The last day of what ends at an instant, in a time zone; the tooltip has the instant. */
export function LastDay({ at, timezone }: { at: string | null; timezone: string }) {
  if (at === null) return <span class="faint">never</span>;
  return (
    <time dateTime={at} title={at}>
      {dayIn(timezone, new Date(Date.parse(at) - 1).toISOString())} <span class="unit">{timezone}</span>
    </time>
  );
}

/**
 * A half-open interval in a time zone, which it names. If it is of days, its first and its last day, else both ends
 * with their times.
 */
export function Period({ from, to, timezone }: Pick<Revenue, 'from' | 'to' | 'timezone'>) {
  const [first, last] = endsIn(timezone, { from, to });
  return (
    <span class="period" title={`from ${localTime(from)} to ${localTime(to)} where you are`}>
      <time dateTime={from}>{first}</time>
      {first !== last && (
        <>
          {' '}
          to <time dateTime={to}>{last}</time>
        </>
      )}{' '}
      <span class="unit">{timezone}</span>
    </span>
  );
}

/** A text for a column: if it is too long it ends in an ellipsis, and the tooltip has the full text. */
export function Cut({ text, children = text }: { text: string; children?: ComponentChildren }) {
  return (
    <span class="cut" title={text}>
      {children}
    </span>
  );
}

/** An instant of the API as `2026-11-21 09:30:05`, without the milliseconds. */
export function utcTime(at: string): string {
  return `${at.slice(0, 10)} ${at.slice(11, 19)}`;
}

function localTime(at: string): string {
  return new Date(at).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'long' });
}

/** A name of the API in plain words: too_late becomes "too late". */
export function words(name: string): string {
  return name.replaceAll('_', ' ');
}

/** An id or a key in a monospaced font; may break anywhere. */
export function Code({ children }: { children: string }) {
  return <code class="id">{children}</code>;
}
