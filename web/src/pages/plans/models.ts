import type { Aggregation, Plan, PricingModel } from '../../api/objects.ts';

/** What each model of pricing means, for who has to choose one. */
export const MODELS: Readonly<Record<PricingModel, { name: string; meaning: string }>> = {
  flat: {
    name: 'Flat',
    meaning: 'One amount for each period, whatever happens in it; for part of a period, that part of it.',
  },
  per_unit: { name: 'Per unit', meaning: 'Every unit costs the same.' },
  graduated: {
    name: 'Graduated',
    meaning:
      'Each unit costs what its own tier says: the first ones the price of the first tier, those beyond it the next.',
  },
  volume: {
    name: 'Volume',
    meaning: 'The tier that the whole quantity falls in sets the price of all units, the first ones too.',
  },
  package: {
    name: 'Package',
    meaning: 'Units are sold in packages. One that is begun costs the whole amount, after the free units.',
  },
  credit: {
    name: 'Credit',
    meaning: 'Units take credits from the customer’s grants. Each credit short costs the overage amount.',
  },
};

/** What each aggregation makes of a period's events. */
export const AGGREGATIONS: Readonly<Record<Aggregation['type'], string>> = {
  count: 'the number of events',
  sum: 'the sum of a property',
  max: 'the greatest value of a property',
  unique: 'the number of different values of a property',
  latest: 'the latest value of a property',
};

/** The intervals that a plan bills by, one or several of them. */
export const INTERVALS: Readonly<Record<Plan['interval'], string>> = {
  day: 'days',
  week: 'weeks',
  month: 'months',
  year: 'years',
};

/** "each month", "every 2 weeks". */
export function intervalInWords({
  interval,
  interval_count,
}: Pick<Plan, 'interval' | 'interval_count'>): string {
  return interval_count === 1 ? `each ${interval}` : `every ${interval_count} ${INTERVALS[interval]}`;
}

/** Whether a text is one of the names in a table, as a choice in a form is. */
export function isOneOf<Name extends string>(
  table: Readonly<Record<Name, unknown>>,
  text: string,
): text is Name {
  return Object.hasOwn(table, text);
}
