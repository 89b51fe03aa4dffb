import { USUAL_TERMS } from '../../domain/subscription/change-terms.ts';
import { rolledBack, type Db } from '../../db/connection/pool.ts';
import { chargesOf } from '../../db/subscriptions/charges.ts';
import type { PlanMigrationPreview } from '../../objects/plan-migration.ts';
import type { SubscriptionKey } from '../../db/subscriptions/live-subscriptions.ts';
import { findOpenPeriod } from '../../db/subscriptions/periods.ts';
import { countSubscribers, newestSubscribers } from '../../db/subscriptions/plan-migration-outcomes.ts';
import { baseOfPlan } from '../../db/subscriptions/plan-versions.ts';
import { readSubscription } from '../../db/subscriptions/subscription-context.ts';
import { BillingError } from '../../domain/money/errors.ts';
import { amountLess, sumOfAmounts, wholeSubtotal } from '../../domain/subscription/plan-migration.ts';
import type { BillingSettings, Subscription } from '../../domain/subscription/subscription.ts';
import { writeChange } from '../terms/change-plan.ts';
import { basedAnew } from '../terms/custom-plan.ts';
import { makePlanGrants, voidPlanGrants } from '../close/plan-grants.ts';
import { subscribersOf, type MigrationRequest } from '../terms/plan-migration.ts';
import { composePeriod } from './upcoming-invoice.ts';

/** Subscriptions that a preview compares at most. */
const COMPARED_MAX = 100;

/** Subtotals of the current period as it stands, with whole fees, by the plan of now and by the other one. */
type Compared = PlanMigrationPreview['data'][number];

/**
 * Compares both plans for the newest subscriptions, by the code that bills; nothing is stored. Throws as startMigration
 * does.
 */
export async function previewMigration(
  db: Db,
  environment_id: number,
  request: MigrationRequest,
  settings: BillingSettings,
): Promise<PlanMigrationPreview> {
  const { subscribers, to_plan } = await subscribersOf(db, environment_id, request);
  const total = await countSubscribers(db, environment_id, subscribers);
  const ids = await newestSubscribers(db, environment_id, { ...subscribers, limit: COMPARED_MAX });
  const data: Compared[] = [];
  for (const subscription_id of ids) {
    const key = { environment_id, subscription_id };
    data.push(await compare(db, key, { ...request, ...subscribers, settings }));
  }
  const { currency } = to_plan;
  const sumOf = (member: 'current' | 'proposed') =>
    sumOfAmounts(
      data.map((comparison) => comparison[member]),
      currency,
    );
  const [current, proposed] = [sumOf('current'), sumOf('proposed')];
  return {
    object: 'plan_migration_preview',
    total,
    current,
    proposed,
    difference: amountLess(proposed, current, currency),
    data,
    has_more: total > data.length,
  };
}

type Comparing = Pick<MigrationRequest, 'to_plan_id' | 'custom'> & {
  from_plan_ids: readonly string[];
  settings: BillingSettings;
};

async function compare(db: Db, key: SubscriptionKey, comparing: Comparing): Promise<Compared> {
  const { environment_id, subscription_id } = key;
  const subscription = (await readSubscription(db, environment_id, subscription_id))!;
  const current = await subtotalOf(db, key, subscription, comparing.settings);
  const proposed = (await proposedSubtotal(db, key, subscription, comparing)) ?? current;
  const { external_id: customer_id, currency } = subscription;
  return {
    subscription_id,
    customer_id,
    current,
    proposed,
    difference: amountLess(proposed, current, currency),
  };
}

/** Null for a subscription that keeps its custom plan. */
async function proposedSubtotal(
  db: Db,
  key: SubscriptionKey,
  subscription: Subscription,
  { from_plan_ids, to_plan_id, custom, settings }: Comparing,
): Promise<string | null> {
  const { environment_id, customer_id, plan_id: present_id } = subscription;
  const is_custom = (await baseOfPlan(db, environment_id, present_id)) !== null;
  if (is_custom && !custom && !from_plan_ids.includes(present_id)) return null;
  return rolledBack(db, async () => {
    const anew = { plan_id: present_id, to_plan_id, customer_id };
    const plan_id = is_custom && custom ? await basedAnewOrNull(db, environment_id, anew) : to_plan_id;
    if (plan_id === null) return null;
    const exchanged = await exchangePlan(db, subscription, plan_id, settings);
    return subtotalOf(db, key, { ...exchanged, plan_id }, settings);
  });
}

/** Null where the custom plan cannot be based on the other one. */
async function basedAnewOrNull(
  db: Db,
  environment_id: number,
  anew: Parameters<typeof basedAnew>[2],
): Promise<string | null> {
  return basedAnew(db, environment_id, anew).catch((error: unknown) => {
    if (error instanceof BillingError) return null;
    throw error;
  });
}

/**
 * The other plan, with its grants, from the start of the open period on, as if it had always been the plan of the
 * period.
 */
async function exchangePlan(
  db: Db,
  subscription: Subscription,
  plan_id: string,
  settings: BillingSettings,
): Promise<Subscription> {
  const { environment_id, id: subscription_id } = subscription;
  const key = { environment_id, subscription_id };
  const open = await findOpenPeriod(db, key);
  if (open === null) return subscription;
  const terms = { ...USUAL_TERMS, settle: 'none', take_back_grants: false } as const;
  const change = { ...terms, at: open.period_start, is_day: false, plan_id };
  const exchanged = await writeChange(db, subscription, change, settings);
  const period = (await findOpenPeriod(db, key))!;
  await voidPlanGrants(db, exchanged, period.period_start);
  await makePlanGrants(db, exchanged, period);
  return exchanged;
}

/** A trial, and the time before the start, bill no usage. */
async function subtotalOf(
  db: Db,
  key: SubscriptionKey,
  subscription: Subscription,
  settings: BillingSettings,
): Promise<string> {
  const { environment_id, plan_id, currency, discounts } = subscription;
  const open = await findOpenPeriod(db, key);
  const invoice = open?.kind === 'billing' ? await composePeriod(db, subscription, open, settings) : null;
  const period = open && { ...open, kind: 'billing' as const, period_start: open.full_period_start };
  const charges = await chargesOf(db, environment_id, plan_id);
  return wholeSubtotal(invoice?.line_items ?? [], charges, { period, discounts, currency });
}
