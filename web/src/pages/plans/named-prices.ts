import type { Pricing } from '../../../../src/domain/pricing/definitions.ts';
import type { Charge } from '../../api/objects.ts';
import { pricingAt } from '../charge-pricing.ts';

/** A price of a charge, and in words what it is for; `words` is null for the only price of a charge without a list. */
export type NamedPrice = { place: number; words: string | null; pricing: Pricing };

/** The prices of a charge, in the order of its list. */
export function namedPrices(charge: Charge): NamedPrice[] {
  const all = charge.prices?.map(({ match }) => wordsOf(match)) ?? [null];
  return all.flatMap((words, place) => {
    const pricing = pricingAt(charge, charge.prices === null ? null : place);
    return pricing === undefined ? [] : [{ place, words, pricing }];
  });
}

/** "model large or larger; region eu", or "all others" for the default price. */
function wordsOf(match: Charge['filters']): string {
  if (match === null) return 'all others';
  const conditions = Object.entries(match).map(
    ([property, values]) =>
      `${property} ${values.map((value) => (value === '' ? '""' : value)).join(' or ')}`,
  );
  return conditions.join('; ');
}
