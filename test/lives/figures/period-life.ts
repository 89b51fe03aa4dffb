import type { Pricing } from '../../../src/domain/pricing/definitions.ts';
import { at } from '../../support/ledger/test-customer.ts';
import type { Invoice } from '../model/world.ts';
import { lifeOn, usd } from './model-life.ts';

/** Units at 1.00. */
export const ONE: Pricing = { pricing_model: 'per_unit', unit_amount: '1' };

export function fee(flat_amount: string, billed: 'in_advance' | 'in_arrears' = 'in_advance'): Pricing {
  return { pricing_model: 'flat', flat_amount, billed };
}

type Terms = { minimum?: string; amounts?: readonly string[]; start?: string };

/** A life from the first of April with a minimum, and discounts of amounts that were made before. */
export function lifeWith(
  pricing: Pricing | readonly Pricing[],
  { minimum, amounts = [], start = '04-01' }: Terms,
) {
  const life = lifeOn(pricing, { start: at(start), minimum_amount: minimum ?? null });
  const discounts = amounts.map((amount) => life.discount({ amount }));
  /** Usage now, or late usage of April. */
  const use = (units: number, date?: string) => life.use(date ?? life.world.now.slice(5, 10), units);
  return { ...life, discounts, use };
}

/** The types and amounts of the lines of an invoice. */
export function lines(invoice: Invoice): string[] {
  return invoice.lines.map(({ type, amount }) => `${type}: ${usd(amount)}`);
}
