import { isZero } from '../../../../src/domain/money/figures.ts';
import type { Invoice } from '../../api/objects.ts';

/** Whether an invoice may be replaced: it is not void and has no payment and no credit note of a person that stands. */
export function isReplaceable({ status, amount_paid, credit_notes }: Invoice): boolean {
  return (
    status !== 'void' &&
    isZero(amount_paid) &&
    credit_notes.every((note) => note.status === 'void' || note.automatic)
  );
}
