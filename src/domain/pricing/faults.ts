import { ZERO, decimal } from '../money/decimal.ts';
import type { FieldKind } from './definition.ts';
import { type Pricing, modelOf } from './definitions.ts';
import type { Tier } from './tiers.ts';

/**
 * `param` is relative to the charge, such as `tiers[1].up_to`, and `message` begins with it: put the same prefix before
 * both.
 */
export type PricingFault = { param: string; reason: 'out_of_order' | 'out_of_range'; message: string };

const HUNDRED = decimal('100');

/**
 * Faults that a schema cannot find in a charge's prices (contract.md 3 and 7). A pricing without faults has a price for
 * every quantity.
 */
export function pricingFaults(pricing: Pricing): PricingFault[] {
  const { fields, values, faults } = modelOf(pricing);
  const value_faults = Object.entries(fields).flatMap(([param, { kind }]) => {
    const value = values[param] ?? null;
    if (value === null || kind === 'choice') return [];
    return typeof value === 'string' ? numberFaults(param, kind, value) : tierFaults(value);
  });
  return value_faults.length > 0
    ? value_faults
    : faults().map(({ field, fault }) => outOfRange(field, fault));
}

function numberFaults(param: string, kind: FieldKind, value: string): PricingFault[] {
  const number = decimal(value);
  if (kind === 'size' && number.lte(ZERO)) return [outOfRange(param, 'must be above 0')];
  if (number.lt(ZERO)) return [outOfRange(param, 'must not be negative')];
  return kind === 'percent' && number.gt(HUNDRED) ? [outOfRange(param, 'must not be above 100')] : [];
}

function tierFaults(tiers: readonly Tier[]): PricingFault[] {
  if (tiers.length === 0) return [outOfRange('tiers', 'must not be empty')];
  return tiers.flatMap((tier, index) => [
    ...boundFaults(tiers, index),
    ...numberFaults(`tiers[${index}].unit_amount`, 'amount', tier.unit_amount),
    ...numberFaults(`tiers[${index}].flat_amount`, 'amount', tier.flat_amount ?? '0'),
  ]);
}

function boundFaults(tiers: readonly Tier[], index: number): PricingFault[] {
  const param = `tiers[${index}].up_to`;
  const bound = tiers[index]?.up_to ?? null;
  const isLast = index === tiers.length - 1;
  if (bound === null) return isLast ? [] : [outOfOrder(param, 'must not be null before the last tier')];
  if (isLast) return [outOfOrder(param, 'must be null, because the last tier has no upper limit')];
  if (decimal(bound).lte(ZERO)) return [outOfRange(param, 'must be above 0')];
  const before = tiers[index - 1]?.up_to ?? null;
  if (before !== null && decimal(bound).lte(before)) return [outOfOrder(param, `must be above ${before}`)];
  return [];
}

function outOfOrder(param: string, fault: string): PricingFault {
  return { param, reason: 'out_of_order', message: `${param} ${fault}` };
}

function outOfRange(param: string, fault: string): PricingFault {
  return { param, reason: 'out_of_range', message: `${param} ${fault}` };
}
