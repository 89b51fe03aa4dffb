import { TIERS } from './tiers.ts';

/** One charge and the expected fields of its invoice line. `units` is the sum of the events' quantities; null means no event. */
export type Figure = {
  charge: { pricing_model: string; [field: string]: unknown };
  units: string | null;
  says: { amount: string };
};

const GRADUATED = { pricing_model: 'graduated', tiers: TIERS };
const VOLUME = { pricing_model: 'volume', tiers: TIERS };
const PACKAGE = { pricing_model: 'package', package_size: 1000, package_amount: '10.00' };
const CREDIT = { pricing_model: 'credit', credits_per_unit: '10', overage_unit_amount: '0.002' };

const figure = (
  charge: Figure['charge'],
  units: string | null,
  amount: string,
  says: object = {},
): Figure => ({
  charge,
  units,
  says: { amount, ...says },
});

const tier = (
  up_to: string | null,
  quantity: string,
  prices: [unit: string, flat: string],
  amount: string,
) => ({
  up_to,
  quantity,
  unit_amount: prices[0],
  flat_amount: prices[1],
  amount,
});
const FIRST: [string, string] = ['0.1', '0.00'];
const SECOND: [string, string] = ['0.05', '5.00'];
const THIRD: [string, string] = ['0.01', '0.00'];

/** The figures of billing.md 3. */
export const FIGURES: readonly Figure[] = [
  figure({ pricing_model: 'flat', flat_amount: '49' }, null, '49.00', {
    type: 'flat',
    aggregation: null,
    quantity: '1',
    billable_quantity: '1',
    tiers: null,
  }),
  figure({ pricing_model: 'per_unit', unit_amount: '0.0005' }, '30', '0.02', {
    type: 'usage',
    quantity: '30',
    billable_quantity: '30',
    tiers: null,
  }),
  figure(GRADUATED, null, '0.00', {
    quantity: '0',
    billable_quantity: '0',
    tiers: [tier('1000', '0', FIRST, '0.00')],
  }),
  figure(GRADUATED, '1000', '100.00', { tiers: [tier('1000', '1000', FIRST, '100.00')] }),
  // Half a unit of the second tier is 0.025, plus its flat 5.00: 105.025 in all, rounded once.
  figure(GRADUATED, '1000.5', '105.03', {
    quantity: '1000.5',
    billable_quantity: '1000.5',
    tiers: [tier('1000', '1000', FIRST, '100.00'), tier('10000', '0.5', SECOND, '5.025')],
  }),
  figure(GRADUATED, '1001', '105.05'),
  figure(GRADUATED, '10000', '555.00'),
  figure(GRADUATED, '15000', '605.00', {
    tiers: [
      tier('1000', '1000', FIRST, '100.00'),
      tier('10000', '9000', SECOND, '455.00'),
      tier(null, '5000', THIRD, '50.00'),
    ],
  }),
  figure(VOLUME, '1000', '100.00', { tiers: [tier('1000', '1000', FIRST, '100.00')] }),
  figure(VOLUME, '1001', '55.05', { tiers: [tier('10000', '1001', SECOND, '55.05')] }),
  figure(VOLUME, '10000', '505.00'),
  figure(VOLUME, '10001', '100.01'),
  figure(VOLUME, '15000', '150.00', { tiers: [tier(null, '15000', THIRD, '150.00')] }),
  figure(PACKAGE, null, '0.00', { quantity: '0', billable_quantity: '0', tiers: null }),
  figure(PACKAGE, '1', '10.00'),
  figure(PACKAGE, '1000', '10.00'),
  figure(PACKAGE, '1001', '20.00'),
  figure(PACKAGE, '15001', '160.00', { billable_quantity: '15001' }),
  figure({ ...PACKAGE, free_units: 1000 }, '1000', '0.00', { quantity: '1000', billable_quantity: '0' }),
  figure({ ...PACKAGE, free_units: 1000 }, '2001', '20.00', { quantity: '2001', billable_quantity: '1001' }),
  figure(CREDIT, '1250', '25.00', { quantity: '1250', billable_quantity: '12500', credits_applied: '0' }),
  // At zero usage the first tier counts as reached, so its flat is charged; no other tier does.
  figure(
    { pricing_model: 'graduated', tiers: [{ ...TIERS[0], flat_amount: '3' }, TIERS[1], TIERS[2]] },
    null,
    '3.00',
  ),
  figure(
    { pricing_model: 'volume', tiers: [{ ...TIERS[0], flat_amount: '3' }, TIERS[1], TIERS[2]] },
    null,
    '3.00',
  ),
];

/** The figures of billing.md 4, each with its own grant. */
export const CREDIT_FIGURES: readonly (Figure & { granted: number })[] = [
  {
    granted: 3000,
    ...figure(GRADUATED, '15000', '575.00', {
      quantity: '15000',
      credits_applied: '3000',
      billable_quantity: '12000',
      tiers: [
        tier('1000', '1000', FIRST, '100.00'),
        tier('10000', '9000', SECOND, '455.00'),
        tier(null, '2000', THIRD, '20.00'),
      ],
    }),
  },
  // The tier is picked by the gross quantity, 10,500.
  {
    granted: 600,
    ...figure(VOLUME, '10500', '99.00', {
      credits_applied: '600',
      billable_quantity: '9900',
      tiers: [tier(null, '9900', THIRD, '99.00')],
    }),
  },
  { granted: 300, ...figure(PACKAGE, '1200', '10.00', { credits_applied: '300', billable_quantity: '900' }) },
  // Free units come off before credit: credit covers all of the remaining 900.
  {
    granted: 5000,
    ...figure({ ...PACKAGE, free_units: 300 }, '1200', '0.00', {
      quantity: '1200',
      credits_applied: '900',
      billable_quantity: '0',
    }),
  },
  {
    granted: 10_000,
    ...figure(CREDIT, '1250', '5.00', {
      quantity: '1250',
      credits_applied: '10000',
      billable_quantity: '2500',
      tiers: null,
    }),
  },
  // Credit never covers a flat charge.
  {
    granted: 100,
    ...figure({ pricing_model: 'flat', flat_amount: '1' }, null, '1.00', { credits_applied: '0' }),
  },
];
