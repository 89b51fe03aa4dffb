import { lockPlanKey } from '../../db/subscriptions/plan-versions.ts';
import { findAccount } from '../../db/account/accounts.ts';
import {
  findPlan,
  insertPlan,
  NOT_CUSTOM,
  shownCharge,
  shownGrant,
  type NewPlan,
} from '../../db/subscriptions/plans.ts';
import type { Plan, PlanPreview } from '../../objects/plan.ts';
import type { Db } from '../../db/connection/pool.ts';
import { decimal } from '../../domain/money/decimal.ts';
import { invalid } from '../../domain/money/errors.ts';
import { checkDigits, toAmount } from '../../domain/money/money.ts';
import { differencesOf } from '../../domain/pricing/plan-difference.ts';
import { newId } from '../../keys/ids.ts';

/**
 * A plan as it is stored, but for what its key decides. `currency` is by default that of the key, else of the account.
 */
export type SentPlan = Omit<NewPlan, 'id' | 'version' | 'currency' | keyof typeof NOT_CUSTOM> & {
  currency: string | undefined;
};

/** Differing fields that a preview lists at most. */
const CHANGES_MAX = 1000;

/**
 * Stores a plan in the caller's transaction; with a key that plans have, as their next version (contract.md 3). Returns
 * its id. Throws invalid_request `currency_mismatch` for a version in another currency, and
 * `out_of_range` for a minimum with more decimals than the currency.
 */
export async function createPlan(db: Db, environment_id: number, sent_plan: SentPlan): Promise<string> {
  const { current: _, ...plan } = await nextVersion(db, environment_id, sent_plan);
  // Made under the lock of the key: newer versions have later ids.
  return storePlan(db, environment_id, plan);
}

/** Stores a plan. Returns its id. */
export async function storePlan(db: Db, environment_id: number, plan: Omit<NewPlan, 'id'>): Promise<string> {
  const id = newId('plan');
  await insertPlan(db, environment_id, { ...plan, id });
  return id;
}

/** Compares a plan, as it would be stored, with the newest version of its key. Throws as createPlan does. */
export async function previewPlan(db: Db, environment_id: number, sent_plan: SentPlan): Promise<PlanPreview> {
  const { current, ...plan } = await nextVersion(db, environment_id, sent_plan);
  return comparedPlans(plan, current);
}

/** A plan, as it would be stored, compared with another one; null if there is none. */
export function comparedPlans(plan: Omit<NewPlan, 'id'>, current: Plan | null): PlanPreview {
  const { key, version } = plan;
  const changes = current === null ? [] : differencesOf(comparedOf(current), comparedOf(plan));
  return {
    object: 'pricing_plan_preview',
    key,
    version,
    current,
    changes: changes.slice(0, CHANGES_MAX),
    has_more: changes.length > CHANGES_MAX,
  };
}

type NextVersion = Omit<NewPlan, 'id'> & { current: Plan | null };

async function nextVersion(db: Db, environment_id: number, sent_plan: SentPlan): Promise<NextVersion> {
  const { key } = sent_plan;
  const current = key === null ? null : await lockedVersion(db, environment_id, key);
  const currency =
    sent_plan.currency ?? current?.currency ?? (await findAccount(db, environment_id)).currency;
  if (current !== null && currency !== current.currency) {
    const message = `currency must be ${current.currency}, which the versions of ${key} have`;
    throw invalid('currency', 'currency_mismatch', message);
  }
  const version = key === null ? null : (current?.version ?? 0) + 1;
  return {
    ...sent_plan,
    ...NOT_CUSTOM,
    currency,
    minimum_amount: minimumOf(sent_plan, currency),
    version,
    current,
  };
}

/** The minimum of a plan in its currency. Throws invalid_request for more decimals than it has. */
export function minimumOf(
  { minimum_amount }: Pick<SentPlan, 'minimum_amount'>,
  currency: string,
): string | null {
  if (minimum_amount === null) return null;
  checkDigits('minimum_amount', minimum_amount, currency);
  return toAmount(decimal(minimum_amount), currency);
}

async function lockedVersion(db: Db, environment_id: number, key: string): Promise<Plan | null> {
  await lockPlanKey(db, environment_id, key);
  return findPlan(db, environment_id, key);
}

type Compared = Pick<
  Plan,
  | 'name'
  | 'currency'
  | 'interval'
  | 'interval_count'
  | 'pricing_model'
  | 'charges'
  | 'minimum_amount'
  | 'grants'
  | 'metadata'
>;

/** The fields in which plans may differ, with charges as the API shows them. */
function comparedOf(plan: Plan | Omit<NewPlan, 'id'>): Compared {
  const { name, currency, interval, interval_count, pricing_model, minimum_amount, metadata } = plan;
  const charges = plan.charges.map((charge) => ({
    ...('pricing' in charge ? shownCharge(charge) : charge),
    // Each version has charges of its own.
    id: '',
  }));
  const grants = plan.grants.map(shownGrant);
  return {
    name,
    currency,
    interval,
    interval_count,
    pricing_model,
    charges,
    minimum_amount,
    grants,
    metadata,
  };
}
