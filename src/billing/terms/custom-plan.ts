import { lockedTerms } from '../../db/customers/customer-terms.ts';
import { chargesOf } from '../../db/subscriptions/charges.ts';
import { findEqualCustomPlan, findPlan, grantsOfPlan, type NewPlan } from '../../db/subscriptions/plans.ts';
import type { Plan, PlanPreview } from '../../objects/plan.ts';
import type { Db } from '../../db/connection/pool.ts';
import type { PlanGrant } from '../../domain/credit/plan-grant.ts';
import { BillingError, invalid, notFound, type ErrorDetail } from '../../domain/money/errors.ts';
import { overriddenCharges } from '../../domain/pricing/override.ts';
import { differencesOf } from '../../domain/pricing/plan-difference.ts';
import type { SentOverride } from '../../domain/pricing/sent-charge.ts';
import { newId } from '../../keys/ids.ts';
import { comparedPlans, minimumOf, storePlan } from './new-plan.ts';
import { lockedPlan, refuseArchived } from './subscribe.ts';

/** Terms of a custom plan besides its base; null: as the base. */
type OwnTerms = {
  overrides: SentOverride[];
  name: string | null;
  minimum_amount: string | null;
  grants: readonly PlanGrant[] | null;
  metadata: Record<string, unknown> | null;
};

/** `based_on` is an id or a key, which names its newest version; `customer_id` is of either kind. */
export type CustomPlanRequest = OwnTerms & { based_on: string; customer_id: string };

/**
 * Stores a plan of one customer in the caller's transaction (billing.md 12). Returns its id. Throws as customPlanOf
 * does.
 */
export async function createCustomPlan(
  db: Db,
  environment_id: number,
  request: CustomPlanRequest,
): Promise<string> {
  const { plan } = await customPlanOf(db, environment_id, request);
  return storePlan(db, environment_id, plan);
}

/** Compares a custom plan, as it would be stored, with its base. Throws as customPlanOf does. */
export async function previewCustomPlan(
  db: Db,
  environment_id: number,
  request: CustomPlanRequest,
): Promise<PlanPreview> {
  const { plan, base } = await customPlanOf(db, environment_id, request);
  return comparedPlans(plan, base);
}

type CustomPlan = { plan: Omit<NewPlan, 'id'>; base: Plan };

/**
 * The custom plan of a request, and its base, which nobody archives until the end of the transaction. Throws not_found
 * `unknown_customer` or `unknown_plan`, invalid_request for a base that is a custom plan or in another currency than
 * the customer's, or with the faults of the overrides, and conflict `archived` for a key whose newest version is
 * archived.
 */
async function customPlanOf(
  db: Db,
  environment_id: number,
  { based_on: name, customer_id: named, ...own }: CustomPlanRequest,
): Promise<CustomPlan> {
  const customer = await lockedTerms(db, environment_id, named);
  if (customer === null)
    throw notFound('customer_id', 'unknown_customer', 'customer_id does not match any customer');
  const { id, based_on, currency, ...chosen } = await lockedPlan(db, environment_id, name, 'based_on');
  if (based_on !== null)
    throw invalid('based_on', 'not_allowed', `based_on must not be a custom plan, and ${id} is one`);
  // By its id the price is meant that was withdrawn; a key never means it.
  if (name !== id) refuseArchived({ ...chosen, id, based_on, currency }, 'based_on');
  if (currency !== customer.currency) {
    const message = `based_on is a plan in ${currency}, but the currency of the customer is ${customer.currency}`;
    throw invalid('based_on', 'currency_mismatch', message);
  }
  const base = (await findPlan(db, environment_id, id))!;
  return { plan: await planOf(db, environment_id, base, { ...own, customer_id: customer.id }), base };
}

/** A custom plan, as it is stored. Throws invalid_request with the faults of the overrides, or for the minimum. */
async function planOf(
  db: Db,
  environment_id: number,
  base: Plan,
  { customer_id, overrides, name, minimum_amount, grants, metadata }: OwnTerms & { customer_id: string },
): Promise<Omit<NewPlan, 'id'>> {
  const { id: based_on, currency, interval, interval_count, pricing_model } = base;
  const charges = overriddenCharges(await chargesOf(db, environment_id, based_on), overrides);
  return {
    key: null,
    version: null,
    name: name ?? base.name,
    currency,
    interval,
    interval_count,
    pricing_model,
    charges: charges.map((charge) => ({ ...charge, id: newId('chg') })),
    minimum_amount: minimumOf({ minimum_amount }, currency) ?? base.minimum_amount,
    grants: grants ?? (await grantsOfPlan(db, environment_id, based_on)),
    metadata: metadata ?? base.metadata,
    based_on,
    customer_id,
    overrides,
  };
}

/**
 * Bases the custom plan of a customer, by its `cus_` id, anew on another plan, in the caller's transaction: with its
 * overrides, and with the name, minimum, metadata and grants in which it differs from its base (billing.md 12). Returns
 * the id of the plan, or of an equal one that the customer has already. Throws invalid_request where an override is for
 * another charge there, or cannot be for it.
 */
export async function basedAnew(
  db: Db,
  environment_id: number,
  { plan_id, to_plan_id, customer_id }: { plan_id: string; to_plan_id: string; customer_id: string },
): Promise<string> {
  const custom = (await findPlan(db, environment_id, plan_id))!;
  const base = (await findPlan(db, environment_id, custom.based_on!))!;
  const target = (await findPlan(db, environment_id, to_plan_id))!;
  const overrides = custom.overrides!;
  refuseOtherCharges(overrides, base, target);
  const differs = (member: 'name' | 'minimum_amount' | 'grants' | 'metadata') =>
    differencesOf(base[member], custom[member]).length > 0;
  const plan = await planOf(db, environment_id, target, {
    customer_id,
    overrides,
    name: differs('name') ? custom.name : null,
    minimum_amount: differs('minimum_amount') ? custom.minimum_amount : null,
    grants: differs('grants') ? await grantsOfPlan(db, environment_id, plan_id) : null,
    metadata: differs('metadata') ? custom.metadata : null,
  });
  return (await findEqualCustomPlan(db, environment_id, plan)) ?? (await storePlan(db, environment_id, plan));
}

/** Throws invalid_request for each override whose charge has another event name or model in the target. */
function refuseOtherCharges(overrides: readonly SentOverride[], base: Plan, target: Plan): void {
  const faults = overrides.flatMap(({ charge: place }, index): ErrorDetail[] => {
    const before = base.charges[place]!;
    const after = target.charges[place];
    const is_equal = after?.event_name === before.event_name && after.pricing_model === before.pricing_model;
    if (is_equal) return [];
    const param = `overrides[${index}].charge`;
    const found = after === undefined ? 'no charge' : `${after.event_name} (${after.pricing_model})`;
    const message =
      `charge ${place} of plan ${target.id} is ${found}, ` +
      `but ${before.event_name} (${before.pricing_model}) of plan ${base.id}`;
    return [{ param, reason: 'not_allowed', message }];
  });
  if (faults.length > 0) throw new BillingError('invalid_request', faults);
}
