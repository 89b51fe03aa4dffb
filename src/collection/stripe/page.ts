import type Stripe from 'stripe';
import type { PageOfList, PlaceOfList } from '../provider.ts';

/** Objects of one answer. */
export const PAGE = 100;

/** Parameters of a page of what was made since an instant. */
export function placeOf({ since, after }: PlaceOfList) {
  const created = { gte: Math.floor(Date.parse(since) / 1000) };
  return { created, limit: PAGE, ...(after === null ? {} : { starting_after: after }) };
}

/** A page of Stripe, each object as `read` has it. */
export function pageOf<Of extends { id: string }, Item>(
  { data, has_more }: Stripe.ApiList<Of>,
  read: (object: Of) => Item,
): PageOfList<Item> {
  return { items: data.map(read), after: has_more ? (data.at(-1)?.id ?? null) : null };
}
