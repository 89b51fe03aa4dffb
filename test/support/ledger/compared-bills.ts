import type { BilledLine } from '../../../src/domain/comparison/bill-series.ts';
import { type Bill, compareBills, type Comparison } from '../../../src/domain/comparison/comparison.ts';
import { decimal, sum } from '../../../src/domain/money/decimal.ts';
import { toAmount } from '../../../src/domain/money/money.ts';
import { taxOf } from '../../../src/domain/money/tax.ts';
import type { Charge } from '../../../src/domain/pricing/charge.ts';
import { ALL } from '../../../src/domain/pricing/series.ts';
import { aCharge } from './plans.ts';
import { TIERS } from './tiers.ts';

type Line = Partial<Omit<BilledLine, 'type'>> & { charge?: Charge; amount: string };

export const usage = ({ charge = T, ...line }: Line): BilledLine => ({
  ...{ type: 'usage', charge_id: charge.id, ...ALL, invoice_item: null, description: '' },
  ...{ quantity: '0', credits_applied: '0', discounts: [], stretches: null },
  ...line,
});
export const late = (line: Line) => ({ ...usage(line), type: 'late_usage' as const });
export const fee = (line: Line) => ({
  ...usage({ charge: FEE, quantity: '1', ...line }),
  type: 'flat' as const,
});
export const item = (
  id: string,
  { amount, quantity = '1', unit_amount = amount }: Record<string, string>,
) => ({
  ...{ type: 'item' as const, charge_id: null, ...ALL, invoice_item: { id, unit_amount: unit_amount! } },
  ...{ description: `Item ${id}`, quantity: quantity!, credits_applied: '0', amount: amount! },
  ...{ discounts: [], stretches: null },
});

const aT = (id: string, first_tier: string) =>
  aCharge({
    id,
    pricing: {
      pricing_model: 'graduated',
      tiers: [{ ...TIERS[0]!, unit_amount: first_tier }, ...TIERS.slice(1)],
    },
  });
/** 8.00 for each of a quantity, a whole period of each. */
export const seats = (amount: string, ...quantities: string[]) => {
  const period = { period_start: '2026-04-01T00:00:00.000Z', period_end: '2026-05-01T00:00:00.000Z' };
  const stretches = quantities.map((quantity) => ({ ...period, quantity, amount }));
  return { ...fee({ charge: SEAT_FEE, amount }), stretches };
};
const aFee = (id: string, flat_amount: string) =>
  aCharge({ id, event_name: 'platform', pricing: { pricing_model: 'flat', flat_amount } });
const perUnit = (id: string, unit_amount: string) =>
  aCharge({ id, pricing: { pricing_model: 'per_unit', unit_amount } });

export const T = aT('chg_t', '0.1');
export const DEARER_T = aT('chg_t2', '0.2');
export const FEE = aFee('chg_fee', '49');
export const SEAT_FEE = aCharge({
  id: 'chg_seat_fee',
  event_name: 'seat',
  pricing: { pricing_model: 'flat', flat_amount: '8', quantity: 'subscription' },
});
export const HIGHER_FEE = aFee('chg_fee2', '199');
export const [PER_UNIT, DEARER] = [perUnit('chg_unit', '0.01'), perUnit('chg_unit2', '0.012')];
export const PACKAGES = aCharge({
  id: 'chg_packages',
  pricing: { pricing_model: 'package', package_size: '10', package_amount: '1', free_units: '100' },
});
export const SEATS = aCharge({ id: 'chg_seats', aggregation: { type: 'max', property: 'seats' } });
const LISTED = (id: string, prices: readonly (readonly [string[] | null, string])[]): Charge => ({
  ...aCharge({ id }),
  pricing: {
    pricing_model: 'per_unit',
    prices: prices.map(([model, unit_amount]) =>
      model === null ? { default: true as const, unit_amount } : { match: { model }, unit_amount },
    ),
  },
});
export const BY_REGION = { ...aCharge({ id: 'chg_region' }), group_by: ['region'] };
export const BY_MODEL = LISTED('chg_list', [
  [['large', 'larger'], '2'],
  [null, '1'],
]);
export const BY_MODEL_2 = LISTED('chg_list2', [
  [['small'], '0.5'],
  [['larger', 'large'], '3'],
  [null, '1'],
]);

const CHARGES = [
  T,
  DEARER_T,
  FEE,
  HIGHER_FEE,
  SEAT_FEE,
  PER_UNIT,
  DEARER,
  PACKAGES,
  SEATS,
  BY_REGION,
  BY_MODEL,
  BY_MODEL_2,
];

/** A bill of these lines, in EUR; the rate of the tax is in percent. */
export function aBill(line_items: readonly BilledLine[], rate = '0'): Bill {
  const subtotal = sum(line_items.map(({ amount }) => decimal(amount)));
  const tax = taxOf(subtotal, rate, 'EUR');
  return {
    line_items,
    subtotal: toAmount(subtotal, 'EUR'),
    tax: { rate, amount: tax },
    total: toAmount(subtotal.plus(tax), 'EUR'),
  };
}

/** Compares two bills with lines of the charges above. */
export function compare(bill: Bill, other: Bill): Comparison {
  const charges = new Map(CHARGES.map((charge) => [charge.id, charge]));
  return compareBills(bill, other, { charges, currency: 'EUR' });
}

/** "usage 15.05, late 10.00": the causes of each line. */
export const said = ({ lines }: Comparison): string[][] =>
  lines.map(({ kind, causes }) => [kind, causes.map(({ cause, amount }) => `${cause} ${amount}`).join(', ')]);
