import type { Invoice } from '../../api/objects.ts';

/** Limit of the invoices of a transfer, and of those that a choice shows at once. */
const INVOICES_MAX = 100;

type Numbered = Pick<Invoice, 'id' | 'number' | 'due_date'>;

/** The words that a person looks for, and the invoices that are chosen already. */
type Wanted<Item extends Numbered> = { words: string; chosen: readonly Item[] };

/**
 * The invoices that a choice shows, the one that was due first on top: the chosen ones, and the first ones with the
 * words in their number. `left` is the number of other invoices with these words.
 */
export function offeredOf<Item extends Numbered>(
  invoices: readonly Item[],
  { words, chosen }: Wanted<Item>,
): { shown: Item[]; left: number } {
  const isChosen = ({ id }: Item) => chosen.some((invoice) => invoice.id === id);
  const part = words.trim().toLowerCase();
  const found = invoices
    .toSorted(byDueDate)
    .filter((invoice) => isChosen(invoice) || (invoice.number ?? '').toLowerCase().includes(part));
  const shown = found.filter((invoice, place) => place < INVOICES_MAX || isChosen(invoice));
  return { shown, left: found.length - shown.length };
}

/** The order of due dates, then of numbers. */
function byDueDate(one: Numbered, other: Numbered): number {
  const placeOf = ({ due_date, number }: Numbered) => `${due_date} ${number}`;
  return placeOf(one) < placeOf(other) ? -1 : 1;
}
