import { ZERO, decimal } from '../money/decimal.ts';
import { definePricing } from './definition.ts';

/**
 * Charges once a period whatever the usage, for a cut period by exact time (billing.md 3). With a quantity of the
 * subscription its time is weighted by it (billing.md 14). Credit does not cover it.
 */
export const flatPricing = definePricing({
  name: 'Flat',
  meaning: 'One amount per period, whatever the usage. A part of a period costs that part of the amount.',
  fields: {
    flat_amount: { kind: 'amount', description: 'the price of a period', label: 'Amount per period' },
    billed: {
      kind: 'choice',
      default: 'in_arrears',
      choices: { in_arrears: 'at the end of the period', in_advance: 'before the period begins' },
      description:
        'whether a period is billed at its end, or in advance, with the invoice of the period before',
      label: 'Billed',
    },
    quantity: {
      kind: 'choice',
      default: null,
      choices: { subscription: 'the quantity of the subscription, such as its seats' },
      description:
        'whether the amount is for one of a quantity that the subscription has, named by `event_name`, such as seats',
      label: 'Multiplied by',
    },
  },
  is_metered: false,
  may_be_listed: false,
  may_fall: false,
  creditableUnits: () => ZERO,
  rate: ({ flat_amount }, { fraction: { numerator, denominator } }) => ({
    billable_quantity: decimal('1'),
    tiers: null,
    exact_amount: decimal(flat_amount).times(numerator),
    divisor: decimal(denominator),
  }),
  unitPrice: ({ flat_amount }, { amount }) => amount(flat_amount),
  calculation: ({ flat_amount }) => ({
    exact_amount: flat_amount,
    words: 'Once a period, whatever the usage',
  }),
});
