import type { Tier } from '../../../src/domain/pricing/tiers.ts';

/** The tiers T of billing.md 3, as a plan stores and answers them; a request may send them as they are. */
export const TIERS: readonly Tier[] = [
  { up_to: '1000', unit_amount: '0.1', flat_amount: null },
  { up_to: '10000', unit_amount: '0.05', flat_amount: '5' },
  { up_to: null, unit_amount: '0.01', flat_amount: null },
];
