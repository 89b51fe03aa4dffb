import type { Invoice } from '../../api/objects.ts';

/** The title of an invoice: a draft has no number yet, and one that became void as a draft never had one. */
export function titleOf({ number, status }: Pick<Invoice, 'number' | 'status'>): string {
  if (number !== null) return `Invoice ${number}`;
  return status === 'draft' ? 'Draft invoice' : 'Invoice without a number';
}
