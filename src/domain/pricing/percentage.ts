import { type Decimal, ZERO, canonical, decimal, max, min } from '../money/decimal.ts';
import { definePricing } from './definition.ts';

const HUNDREDTH = '0.01';

/**
 * A percentage of the sum of a property, between a minimum and a maximum for each full period. A sum of zero costs
 * nothing. Credit does not cover it, because the quantity is money (billing.md 3).
 */
export const percentagePricing = definePricing({
  name: 'Percentage',
  meaning:
    'A percentage of the sum of a property, at least the minimum and at most the maximum in each period.',
  fields: {
    rate: { kind: 'percent', description: 'the percentage of the sum', label: 'Percentage of the sum' },
    minimum_amount: {
      kind: 'amount',
      default: null,
      description: 'the minimum amount of a period with usage',
      label: 'Minimum amount of a period with usage',
    },
    maximum_amount: {
      kind: 'amount',
      default: null,
      description: 'the maximum amount of a period',
      label: 'Maximum amount of a period',
    },
  },
  is_metered: true,
  may_be_listed: false,
  may_fall: false,
  aggregations: ['sum'],
  faults: ({ minimum_amount, maximum_amount }) =>
    minimum_amount !== null && maximum_amount !== null && decimal(maximum_amount).lt(minimum_amount)
      ? [{ field: 'maximum_amount', fault: `must not be below minimum_amount, ${minimum_amount}` }]
      : [],
  creditableUnits: () => ZERO,
  rate: ({ rate, ...bounds }, { quantity }) => ({
    billable_quantity: quantity,
    tiers: null,
    exact_amount: quantity.eq(ZERO) ? ZERO : within(partOf(quantity, rate), bounds),
  }),
  unitPrice: ({ rate }, formats) => `${formats.quantity(rate)} %`,
  ofQuantity: ({ rate }, { quantity }) => `${quantity(rate)} % of `,
  limitOf: (values, quantity, { amount }) => limitOf(values, quantity, amount),
  calculation(values, billable_quantity, { quantity }) {
    const { rate, ...bounds } = values;
    const units = decimal(billable_quantity);
    const words = `${quantity(rate)} % of ${quantity(billable_quantity)}`;
    if (units.eq(ZERO)) return { exact_amount: '0', words };
    const exact_amount = canonical(within(partOf(units, rate), bounds));
    const limit = limitOf(values, units, quantity);
    return { exact_amount, words: limit === null ? words : `${words}, ${limit}` };
  },
});

type Bounds = { minimum_amount: string | null; maximum_amount: string | null };

function limitOf(
  { rate, ...bounds }: Bounds & { rate: string },
  quantity: Decimal,
  inWords: (amount: string) => string,
): string | null {
  const part = partOf(quantity, rate);
  const limited = within(part, bounds);
  if (quantity.eq(ZERO) || part.eq(limited)) return null;
  return `${part.lt(limited) ? 'at least' : 'at most'} ${inWords(canonical(limited))}`;
}

function partOf(quantity: Decimal, rate: string): Decimal {
  return quantity.times(rate).times(HUNDREDTH);
}

function within(amount: Decimal, { minimum_amount, maximum_amount }: Bounds): Decimal {
  const raised = minimum_amount === null ? amount : max(amount, decimal(minimum_amount));
  return maximum_amount === null ? raised : min(raised, decimal(maximum_amount));
}
