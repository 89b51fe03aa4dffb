import type { Json } from '../servers/api.ts';
import { FLAT, PER_UNIT, type testCustomersOn } from './test-customer.ts';
import { TIERS } from './tiers.ts';

export const FEE = { ...FLAT, event_name: 'fee' };
export const CALLS = { ...PER_UNIT, event_name: 'call', group_by: ['region'] };
export const T = { event_name: 'token', pricing_model: 'graduated', tiers: TIERS };
export const SHARE = {
  ...{ event_name: 'sale', pricing_model: 'percentage', rate: '2.5', maximum_amount: '90' },
  aggregation: { type: 'sum', property: 'amount' },
};
export const LISTED = {
  ...{ event_name: 'upload', pricing_model: 'per_unit' },
  prices: [
    { match: { size: ['large'] }, unit_amount: '2' },
    { default: true, unit_amount: '1' },
  ],
};
export const CHARGES = [FEE, CALLS, T, SHARE, LISTED];

/** Custom plans over HTTP. */
export function customPlansOn({ done }: Pick<ReturnType<typeof testCustomersOn>, 'done'>) {
  /** The body of a custom plan. */
  const custom = (based_on: string, customer_id: string, overrides: object[], parts: object = {}) => ({
    ...{ based_on, customer_id, overrides },
    ...parts,
  });
  const created = (...[based_on, customer_id, overrides, parts]: Parameters<typeof custom>): Promise<Json> =>
    done('/v1/pricing-plans', custom(based_on, customer_id, overrides, parts));
  return { custom, created };
}
