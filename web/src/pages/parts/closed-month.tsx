import type { ComponentChildren } from 'preact';
import { Link } from '../../shell/environment.tsx';
import { monthInWords } from '../month-end/month.ts';

const CONSEQUENCES = {
  invoice: 'it is corrected by a credit note, and neither voided nor regenerated',
  credit_note: 'it is corrected by an item on the next invoice, and not voided',
} as const;

/** The entry of a document that says why it is not voided; nothing where no month is closed. */
export function inClosedMonth(
  kind: keyof typeof CONSEQUENCES,
  month: string | null,
): [name: string, value: ComponentChildren][] {
  if (month === null) return [];
  const books = (
    <>
      <Link to={`/month-end?month=${month}`}>{monthInWords(month)}</Link> is closed: {CONSEQUENCES[kind]}
    </>
  );
  return [['Books', books]];
}
