import { isZero } from '../../../../src/domain/money/figures.ts';
import { pathWith } from '../../api/client.ts';
import type { ClosedMonth, Invoice, List } from '../../api/objects.ts';
import { useLoad } from '../../api/use-load.ts';

/** Whether an invoice may be replaced: it is not void and has no payment and no credit note of a person that stands. */
function isReplaceable({ status, amount_paid, credit_notes }: Invoice): boolean {
  return (
    status !== 'void' &&
    isZero(amount_paid) &&
    credit_notes.every((note) => note.status === 'void' || note.automatic)
  );
}

/**
 * The closed month that keeps an invoice or a credit note from being voided, such as 2026-10; null for none, undefined
 * while that is not known. An id of null asks nothing.
 */
export function useClosedMonth(object_id: string | null): string | null | undefined {
  const path = object_id === null ? null : pathWith('/v1/closed-months', { object_id, limit: '1' });
  const months = useLoad<List<ClosedMonth>>(path);
  if (object_id === null || months.fault !== null) return null;
  return months.value === null ? undefined : (months.value.data[0]?.month ?? null);
}

/** Whether an invoice may be replaced, and the closed month that keeps it from that; null while that is not known. */
export type Replaceable = { is_replaceable: boolean; closed_month: string | null } | null;

/** Asks for the closed month of an invoice: a page asks once, and hands the answer to its parts. */
export function useReplaceable(invoice: Invoice | null): Replaceable {
  const is_issued = invoice?.status === 'open' || invoice?.status === 'paid';
  const closed_month = useClosedMonth(is_issued ? invoice.id : null);
  if (invoice === null || closed_month === undefined) return null;
  return { is_replaceable: closed_month === null && isReplaceable(invoice), closed_month };
}
