import { decimal } from '../money/decimal.ts';
import { definePricing, unitsTimesAmount } from './definition.ts';

/** Every unit at one price (billing.md 3). */
export const perUnitPricing = definePricing({
  name: 'Per unit',
  meaning: 'Every unit costs the same.',
  fields: { unit_amount: { kind: 'amount', description: 'the price of a unit', label: 'Unit amount' } },
  is_metered: true,
  may_be_listed: true,
  may_fall: false,
  creditableUnits: (_, quantity) => quantity,
  rate({ unit_amount }, { quantity, credit }) {
    const billable_quantity = quantity.minus(credit);
    return { billable_quantity, tiers: null, exact_amount: billable_quantity.times(unit_amount) };
  },
  unitPrice: ({ unit_amount }, { amount }) => amount(unit_amount),
  singlePrice: ({ unit_amount }) => unit_amount,
  calculation: ({ unit_amount }, billable_quantity, formats) =>
    unitsTimesAmount(decimal(billable_quantity), unit_amount, formats),
});
