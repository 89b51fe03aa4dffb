import { changeQuantities } from '../../../src/billing/terms/quantities.ts';
import { createCustomPlan } from '../../../src/billing/terms/custom-plan.ts';
import { createDiscount } from '../../../src/billing/terms/discount.ts';
import { subscribe } from '../../../src/billing/terms/subscribe.ts';
import { transaction, type Pool } from '../../../src/db/connection/pool.ts';
import type { Quantities } from '../../../src/domain/subscription/quantity.ts';
import * as given from '../../support/ledger/billing.ts';
import type { BilledCustomer } from './billed-customer.ts';
import { instant, setClock } from './kill-at-each.ts';

const perOne = (event_name: string, flat_amount: string, billed: 'in_advance' | 'in_arrears') => ({
  event_name,
  pricing: { pricing_model: 'flat', flat_amount, billed, quantity: 'subscription' } as const,
});
/** Units at 1.00, which are 0.80 by the custom plans. */
const UNITS = 3;

/** The plan on which those of the customers are based. */
export const aBasePlan = (pool: Pool): Promise<string> =>
  given.aPlan(pool, [
    perOne('seat', '8', 'in_arrears'),
    perOne('desk', '20', 'in_advance'),
    perOne('room', '50', 'in_advance'),
    { pricing: given.PER_UNIT, aggregation: { type: 'sum', property: 'n' } },
  ]);

/** A subscriber whose prices are its own in every way (billing.md 11 to 15), before its first period begins. */
export async function aPricedCustomer(pool: Pool, based_on: string): Promise<BilledCustomer> {
  const customer = await given.aCustomer(pool, { tax_rate: '7' });
  const now = instant(0, 1);
  await setClock(pool, [{ customer, subscription_id: '' }], now);
  const subscription_id = await transaction(pool, async (db) => {
    const terms = { customer_id: customer.id, subscription_id: null, name: 'Loyalty', event_names: null };
    const off = { ...terms, from: now, until: null };
    await createDiscount(db, given.LIVE, { ...off, percent: '10', amount: null }, given.NO_GRACE);
    await createDiscount(db, given.LIVE, { ...off, percent: null, amount: '15' }, given.NO_GRACE);
    const plan_id = await createCustomPlan(db, given.LIVE, {
      ...{ based_on, customer_id: customer.id, name: null, grants: null, metadata: null },
      overrides: [{ charge: UNITS, unit_amount: '0.8' }],
      minimum_amount: '500',
    });
    const quantities = { seat: '10', desk: '5', room: '3' };
    return subscribe(db, given.LIVE, { customer_id: customer.id, plan_id, quantities, bill_at: '500' });
  });
  return { customer, subscription_id };
}

/** Quantities from an instant on; a higher one of a fee in advance is billed as it comes. */
export async function putQuantities(
  pool: Pool,
  { subscription_id }: BilledCustomer,
  at: string,
  quantities: Quantities,
): Promise<void> {
  const key = { environment_id: given.LIVE, subscription_id };
  const request = { quantities, at, settle: 'balance', bill: 'now' } as const;
  await transaction(pool, (db) => changeQuantities(db, key, request, given.NO_GRACE));
}

/** An amount of units at an instant, stored at a later one. */
export const useUnits = (
  pool: Pool,
  { customer }: BilledCustomer,
  n: number,
  [timestamp, created_at]: readonly [string, string],
): Promise<void> => given.post(pool, customer, [{ timestamp, created_at, properties: { n } }]);
