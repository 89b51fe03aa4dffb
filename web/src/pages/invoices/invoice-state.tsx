import { isAbove, leftOf, sumOf } from '../../../../src/domain/money/figures.ts';
import type { Invoice } from '../../api/objects.ts';
import { Badge } from '../../components/badge.tsx';

/** The rest of the total of an issued invoice beside the credit notes that stand, tax included. */
export function leftToCredit({ total, credit_notes }: Pick<Invoice, 'total' | 'credit_notes'>): string {
  const standing = credit_notes.filter(({ status }) => status === 'issued');
  return leftOf(total, sumOf(standing.map((note) => note.total)));
}

/** Whether the credit notes that stand credit all of an issued invoice. */
function isCreditedInFull(invoice: Invoice): boolean {
  const { status, total } = invoice;
  const is_issued = status === 'open' || status === 'paid';
  return is_issued && isAbove(total, '0') && !isAbove(leftToCredit(invoice), '0');
}

/** The state of an invoice in one badge: its status, or what says more about it. */
export function InvoiceState({ invoice }: { invoice: Invoice }) {
  return <Badge status={stateOf(invoice)} />;
}

type Noted = Pick<Invoice, 'kind'> & Partial<Pick<Invoice, 'cause' | 'opening_number'>>;

const CAUSES = { threshold: 'billed before the end' } as const;
const KINDS = { period: null, opening: 'fees in advance', late: 'after the end' } as const;

/** Words that set an invoice apart from the one that bills its period at the end; null for that one. */
export function noteOfKind({ kind, cause = null, opening_number = null }: Noted): string | null {
  if (opening_number !== null && opening_number > 1) return 'for a higher quantity';
  return cause === null ? KINDS[kind] : CAUSES[cause];
}

/** The state of an invoice in a list, with its kind, because another invoice may have the same period. */
export function ListedState({ invoice }: { invoice: Invoice }) {
  const notes = [noteOfKind(invoice), invoice.replaced_by === null ? null : 'replaced'];
  const text = notes.filter((note) => note !== null).join(', ');
  return (
    <>
      <InvoiceState invoice={invoice} />
      {text !== '' && <div class="faint nowrap">{text}</div>}
    </>
  );
}

/** The state of an invoice as lists show it. */
export function stateOf(invoice: Invoice): string {
  const { status, payment_status, overdue } = invoice;
  if (isCreditedInFull(invoice)) return 'credited_in_full';
  if (overdue) return 'overdue';
  return payment_status === 'partially_paid' ? payment_status : status;
}
