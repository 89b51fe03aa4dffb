import { type Decimal, ZERO, decimal, divide, max } from '../money/decimal.ts';
import { definePricing, unitsTimesAmount } from './definition.ts';

/** Each package that is begun costs one amount. Free units come off before credit (billing.md 3). */
export const packagePricing = definePricing({
  name: 'Package',
  meaning: 'Units are sold in packages, after the free units. A started package costs the full amount.',
  fields: {
    package_size: { kind: 'size', description: 'units per package', label: 'Units per package' },
    package_amount: { kind: 'amount', description: 'the price of a package', label: 'Amount per package' },
    free_units: { kind: 'quantity', default: '0', description: 'free units per period', label: 'Free units' },
  },
  is_metered: true,
  may_be_listed: true,
  may_fall: false,
  creditableUnits: chargeable,
  rate({ package_size, package_amount, free_units }, { quantity, credit }) {
    const billable_quantity = chargeable({ free_units }, quantity).minus(credit);
    const packages = packagesOf(billable_quantity, package_size);
    return { billable_quantity, tiers: null, exact_amount: packages.times(package_amount) };
  },
  unitPrice: ({ package_size, package_amount }, { amount, quantity }) =>
    `${amount(package_amount)} per ${quantity(package_size)}`,
  calculation({ package_size, package_amount }, billable_quantity, formats) {
    const packages = packagesOf(decimal(billable_quantity), package_size);
    const { exact_amount, words } = unitsTimesAmount(packages, package_amount, formats);
    return { exact_amount, words: `Packages of ${formats.quantity(package_size)} that are begun: ${words}` };
  },
});

function chargeable({ free_units }: { free_units: string }, quantity: Decimal): Decimal {
  return max(ZERO, quantity.minus(free_units));
}

/** The number of packages that a quantity needs, rounded up. */
function packagesOf(quantity: Decimal, size: string): Decimal {
  return divide({ dividend: quantity, divisor: decimal(size), scale: 0, rounding: 'away_from_zero' });
}
