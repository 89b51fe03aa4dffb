import { findAccount } from '../src/db/account/accounts.ts';
import { lockedTerms } from '../src/db/customers/customer-terms.ts';
import { findCustomerKey } from '../src/db/customers/customers.ts';
import type { SubscriptionKey } from '../src/db/subscriptions/live-subscriptions.ts';
import { openFirstPeriod } from '../src/db/subscriptions/periods.ts';
import { insertPlan, NOT_CUSTOM } from '../src/db/subscriptions/plans.ts';
import { transaction, type Db, type Pool } from '../src/db/connection/pool.ts';
import { insertSubscription } from '../src/db/subscriptions/subscriptions.ts';
import type { Charge } from '../src/domain/pricing/charge.ts';
import { newId } from '../src/keys/ids.ts';

/** A plan for seeded events; `days` is its interval. */
export type SeededPlan = { id: string; environment_id: number; days: number };

type SeededCharge = Pick<Charge, 'event_name' | 'aggregation'> & Partial<Pick<Charge, 'filters'>>;

/** One counts the events of one name, the other sums a property of another name's events. */
const COUNT_AND_SUM: readonly SeededCharge[] = [
  { event_name: 'api_call_0', aggregation: { type: 'count' } },
  { event_name: 'api_call_1', aggregation: { type: 'sum', property: 'bytes' } },
];

/** Creates a plan with these charges, at 0.001 a unit. */
export async function seedPlan(
  db: Db,
  environment_id: number,
  days: number,
  seeded: readonly SeededCharge[] = COUNT_AND_SUM,
): Promise<SeededPlan> {
  const { currency } = await findAccount(db, environment_id);
  const id = newId('plan');
  const pricing = { pricing_model: 'per_unit', unit_amount: '0.001' } as const;
  const charge = { name: null, unit_name: null, filters: null, pricing, group_by: null };
  const charges: Charge[] = seeded.map((terms) => ({ ...charge, ...terms, id: newId('chg') }));
  const name = `Calls and bytes of ${days} days`;
  const plan = {
    id,
    key: null,
    version: null,
    grants: [],
    name,
    currency,
    interval: 'day',
    interval_count: days,
    pricing_model: null,
    minimum_amount: null,
    metadata: {},
  } as const;
  await insertPlan(db, environment_id, { ...plan, ...NOT_CUSTOM, charges });
  return { id, environment_id, days };
}

/**
 * Subscribes a customer, by either id, and opens the first period. Sends no nudge: the reconciler finds the
 * subscription. Throws if there is no such customer.
 */
export async function seedSubscription(
  pool: Pool,
  { id: plan_id, environment_id, days }: SeededPlan,
  { customer_id, start_date }: { customer_id: string; start_date: string },
): Promise<SubscriptionKey> {
  const customer = await findCustomerKey(pool, environment_id, customer_id);
  if (customer === null) throw new Error(`there is no customer ${customer_id}`);
  const id = newId('sub');
  const key = { environment_id, subscription_id: id };
  await transaction(pool, async (db) => {
    const { timezone } = (await lockedTerms(db, environment_id, customer.id))!;
    const dates = { start_date, trial_end_date: null, billing_anchor: null, anchor_is_day: false, timezone };
    const names = { id, customer_id: customer.id, plan_id, created_at: customer.now, bill_at: null };
    await insertSubscription(db, environment_id, { ...names, ...dates });
    const plan = {
      plan_id,
      interval: 'day',
      interval_count: days,
      opens: false,
      minimum_amount: null,
    } as const;
    const terms = { settle: 'balance', proration: 'exact', cycle: 'keep', exchanges: {} } as const;
    const phases = [{ from: null, is_day: false, ...plan, ...terms }];
    await openFirstPeriod(db, key, { ...dates, phases, now: customer.now });
  });
  return key;
}
