import type { ComponentChildren } from 'preact';
import { Link } from '../../shell/environment.tsx';
import { monthInWords } from '../month-end/month.ts';

/** The entry of a document that says why it is neither voided nor regenerated; nothing where no month is closed. */
export function inClosedMonth(month: string | null): [name: string, value: ComponentChildren][] {
  if (month === null) return [];
  const books = (
    <>
      <Link to={`/month-end?month=${month}`}>{monthInWords(month)}</Link> is closed: it is corrected by a
      credit note, and neither voided nor regenerated
    </>
  );
  return [['Books', books]];
}
