import { decimal, sum } from '../money/decimal.ts';
import type { Charge } from '../pricing/charge.ts';
import { toAmount } from '../money/money.ts';
import { instantOfChange, type ChangeTime } from './plan-change.ts';
import { phaseAt, type PlanSchedule } from './plan-phase.ts';
import { discountsOn, NO_DISCOUNTS, percentsOf, type Discount } from '../pricing/discount.ts';
import { price } from '../pricing/pricing.ts';
import type { Period } from '../time/period.ts';

/**
 * A migration runs, or has ended, was stopped, or is undone as far as its changes are still to come (contract.md 3).
 */
export const MIGRATION_STATUSES = ['running', 'done', 'stopped', 'taken_back'] as const;
export type MigrationStatus = (typeof MIGRATION_STATUSES)[number];

/** The outcome of a migration for one subscription. */
export const OUTCOME_STATUSES = ['changed', 'skipped', 'failed', 'taken_back'] as const;
export type OutcomeStatus = (typeof OUTCOME_STATUSES)[number];

type Migrated = PlanSchedule & { now: string; cancel_at: string | null };

/** The change of plan of a subscription that is still to come; null if none is. */
export function changeToCome({ phases, now }: Pick<Migrated, 'phases' | 'now'>): {
  plan_id: string;
  at: string;
} | null {
  const next = phases.find(({ from }) => from !== null && from > now);
  return next === undefined ? null : { plan_id: next.plan_id, at: next.from! };
}

/** The plans of a migration; `custom`: whether custom plans are based anew on the target (billing.md 12). */
type MigratedPlans = { from_plan_ids: readonly string[]; to_plan_id: string; custom: boolean };

/**
 * A sentence why a migration passes over a subscription; null if it does not. `based_on` is the base of the plan that
 * it has now, null if that is no custom plan. Throws invalid_request `out_of_range` as instantOfChange does.
 */
export function reasonToSkip(
  subscription: Migrated,
  { at, based_on, ...plans }: MigratedPlans & { at: ChangeTime; based_on: string | null },
): string | null {
  const { now, cancel_at } = subscription;
  const change = changeToCome(subscription);
  if (change !== null) return `a change to ${change.plan_id} is scheduled at ${change.at} already`;
  if (cancel_at !== null && cancel_at <= now) return `the subscription ended at ${cancel_at}`;
  const { plan_id } = phaseAt(subscription, now);
  const other_plan = reasonOfPlan(plans, { plan_id, based_on });
  if (other_plan !== null) return other_plan;
  const instant = instantOfChange(subscription, at).at;
  if (cancel_at !== null && cancel_at <= instant) return `the subscription ends at ${cancel_at}`;
  return null;
}

function reasonOfPlan(
  { from_plan_ids, to_plan_id, custom }: MigratedPlans,
  { plan_id, based_on }: { plan_id: string; based_on: string | null },
): string | null {
  if (from_plan_ids.includes(plan_id)) return null;
  const is_found = based_on !== null && based_on !== to_plan_id && from_plan_ids.includes(based_on);
  if (!is_found) return `the subscription has the plan ${plan_id} by now`;
  return custom ? null : `the subscription has the custom plan ${plan_id}`;
}

/**
 * The amounts of usage lines of a period, and the whole fees of a plan with the discounts that hold for it, added up.
 */
export function wholeSubtotal(
  lines: readonly { type: string; amount: string }[],
  charges: readonly Charge[],
  { currency, ...terms }: { period: Period | null; discounts: readonly Discount[]; currency: string },
): string {
  const usage = lines.filter(({ type }) => type === 'usage').map(({ amount }) => amount);
  const fees = charges.flatMap((charge) => feeOf(charge, { ...terms, currency }));
  return sumOfAmounts([...usage, ...fees], currency);
}

/** Amounts added up, in the minor digits of the currency. */
export function sumOfAmounts(amounts: readonly string[], currency: string): string {
  return toAmount(sum(amounts.map(decimal)), currency);
}

/** An amount less another one, in the minor digits of the currency. */
export function amountLess(amount: string, other: string, currency: string): string {
  return toAmount(decimal(amount).minus(other), currency);
}

/** The fee of a flat charge for a whole period; none of a charge that counts events. */
function feeOf(
  charge: Charge,
  {
    period,
    discounts,
    currency,
  }: { period: Period | null; discounts: readonly Discount[]; currency: string },
): string[] {
  const { pricing } = charge;
  if (pricing.pricing_model !== 'flat') return [];
  const whole = { numerator: '1', denominator: '1' };
  const on_charge = period === null ? [] : discountsOn({ ...NO_DISCOUNTS, discounts }, charge, period);
  const usage = { quantity: '1', credit: '0', fraction: whole, percents: percentsOf(on_charge) };
  return [price(pricing, usage, currency).amount];
}
