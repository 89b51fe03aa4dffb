import fc from 'fast-check';
import { notAllowed, refusalOf, type ChangeRefusal, type ChangeRequest } from '../model/changes.ts';
import { picked } from './command.ts';
import { ENDS_MAX, SETTLES } from './customer-commands.ts';
import { endsAlone, isAboutAYearAhead, momentOf, timeOf, type Moment, type When } from './instants.ts';
import { planFor } from './plans.ts';
import {
  aFeePlanIntention,
  aCustomPlanIntention,
  aMinimumPlanIntention,
  aPlanIntention,
  aQuantity,
  aSeatPlanIntention,
  type PlanIntention,
} from './life.ts';
import { changePlan } from '../model/model.ts';
import { NO_PASSING, passingOf, somePassing, type PassingChoice } from '../model/passing.ts';
import { openPart, termsAt } from '../model/periods.ts';
import { namesOf } from '../model/quantities.ts';
import type { Instant, Invoice, Plan, Settle, Subscription, World } from '../model/world.ts';

/** A change of plan before it is known what it means in the life. */
export type ChangeChoice = Moment & {
  pick: number;
  terms: PlanIntention;
  to: 'same interval' | 'any interval' | 'former' | 'present';
  has_dry_run: boolean;
  /** The value to send; null for none, which means the balance. */
  settle: Settle | null;
  passing: PassingChoice;
  /** The quantity to send of the first name of the plan, if it has one; null for none. */
  quantity: string | null;
};

const USUAL: readonly When[] = [
  ...(['now', 'now', 'now', 'now', 'period_end', 'period_end', 'ahead', 'ahead', 'ahead'] as const),
  ...(['later period', 'start', 'past', 'past', 'past', 'past', 'before', 'too far'] as const),
];

export const aChangeChoice = choosing({ pick: fc.nat(2), terms: aPlanIntention }, USUAL);
/** A change of the newest subscription to a plan that most often has fees in advance. */
export const aFeeChoice = (...whens: When[]) =>
  choosing({ pick: fc.constant(0), terms: aFeePlanIntention }, whens);

/** A change of the newest subscription to a plan that most often has a minimum. */
export const aMinimumChoice = (...whens: When[]) =>
  choosing({ pick: fc.constant(0), terms: aMinimumPlanIntention }, whens);

/** A change of the newest subscription to a custom plan, most often. */
export const aCustomChoice = (...whens: When[]) =>
  choosing({ pick: fc.constant(0), terms: aCustomPlanIntention }, whens);

/** A change of the newest subscription to a plan that most often has quantities. */
export const aSeatChoice = (...whens: When[]) =>
  choosing({ pick: fc.constant(0), terms: aSeatPlanIntention }, whens);

type Subject = { pick: fc.Arbitrary<number>; terms: fc.Arbitrary<PlanIntention> };

function choosing({ pick, terms }: Subject, whens: readonly When[]): fc.Arbitrary<ChangeChoice> {
  return fc.record({
    pick,
    terms,
    to: fc.constantFrom(
      ...(['same interval', 'same interval', 'same interval', 'any interval', 'any interval'] as const),
      ...(['any interval', 'former', 'former', 'present'] as const),
    ),
    ...momentOf(whens),
    has_dry_run: fc.constantFrom(false, false, true),
    settle: SETTLES,
    passing: somePassing,
    quantity: fc.option(aQuantity, { freq: 1 }),
  });
}

/** A change to ask for: the instant that it means, and the members that are sent beside the plan. */
export type Asked = ChangeRequest & { subscription: Subscription; body: { at: string } };

/** The change that a choice means now; null if there is no such instant or plan. */
export function askedOf(world: World, choice: ChangeChoice): Asked | null {
  const subscription = picked(world.subscriptions, choice.pick)!;
  const time = timeOf(world, subscription, choice);
  if (time === null) return null;
  const { at, sent } = time;
  const passing = passingOf(choice.passing);
  const is_fitting = passing.proration === 'none' && !choice.passing.is_wrong;
  const settle = is_fitting ? null : choice.settle;
  const to = is_fitting && choice.to === 'any interval' ? 'same interval' : choice.to;
  const plan = planOf(world, subscription, { ...choice, at, to });
  if (plan === null) return null;
  const terms = { ...NO_PASSING, ...passing, settle: settle ?? 'balance', has_settle: settle !== null };
  const [name] = openPart(subscription) === null ? [] : namesOf(plan);
  const { quantity } = choice;
  const quantities = name === undefined || quantity === null ? null : { quantities: { [name]: quantity } };
  const body = { at: sent, ...passing, ...(settle === null ? {} : { settle }), ...quantities };
  return { subscription, plan, at, ...terms, ...quantities, body };
}

/** A new plan or a former one; null if there is no other one. */
function planOf(
  world: World,
  subscription: Subscription,
  { at, to, terms }: { at: Instant } & ChangeChoice,
): Plan | null {
  const { plan } = termsAt(subscription, at);
  const place = world.subscriptions.indexOf(subscription);
  const { interval, interval_count } = plan;
  const before = [subscription.first_plan, ...subscription.changes.map((change) => change.plan)];
  switch (to) {
    case 'same interval':
      return planFor({ ...terms, periods: { interval, interval_count } }, place);
    case 'any interval':
      return planFor(terms, place);
    case 'former':
      return before.findLast((other) => other !== plan) ?? null;
    case 'present':
      return plan;
  }
}

/** Whether the rules say clearly what follows, and it is not too much for a life. */
export function isPossible(world: World, asked: Asked): boolean {
  const { at, subscription } = asked;
  if (isAboutAYearAhead(world, at)) return false;
  if (!isClear(world, asked) || !endsAlone(world, subscription, at)) return false;
  return previewChange(world, asked).made.length <= ENDS_MAX;
}

/**
 * The documents leave open two cases before billing begins: an instant before the start of the trial, and one before another change that has
 * come.
 */
function isClear(world: World, asked: Asked): boolean {
  const { subscription, at } = asked;
  const { changes, start } = subscription;
  if (!isAllowedOrRefusedOnce(world, asked)) return false;
  if (openPart(subscription) !== null || world.now <= at) return true;
  return start <= at && !changes.some((other) => at < other.at && other.at <= world.now);
}

/** The documents leave open which reason comes first where there are several. */
function isAllowedOrRefusedOnce(world: World, { subscription, ...change }: Asked): boolean {
  if (change.proration !== 'none') return true;
  const wrong = notAllowed(world, subscription, change);
  const other = refusalOf(world, subscription, { ...change, proration: 'exact', cycle: 'keep' });
  return wrong.length === 0 || (wrong.length === 1 && other === null);
}

type Preview = {
  world: World;
  subscription: Subscription;
  refusal: ChangeRefusal | null;
  made: readonly Invoice[];
};

/** The change on a copy of the world, with the invoices that it makes. */
export function previewChange(world: World, { subscription, body: _, ...change }: Asked): Preview {
  const copy = structuredClone({ world, subscription, change });
  const refusal = changePlan(copy.world, copy.subscription, copy.change);
  const made = copy.world.invoices.slice(world.invoices.length);
  return { world: copy.world, subscription: copy.subscription, refusal, made };
}
