import { refusalOfTime, type ChangeRefusal } from './changes.ts';
import { compose } from './composition.ts';
import { makeFurtherOpening } from './openings.ts';
import { billingStart, openPart, statusAt } from './periods.ts';
import { isFewer, namesAt, quantityAt, quantityBefore, type QuantityStep } from './quantities.ts';
import { creditLower, creditTakenBack, isLower, runningFees } from './quantity-notes.ts';
import { isFee } from './fees.ts';
import { note, type Instant, type Settle, type Subscription, type World } from './world.ts';

/** Requests for quantities (billing.md 14, contract.md 3), and what becomes of them as their instants come. */

/** Instants to come that one subscription may have. */
const COMING_MAX = 20;

export type Quantities = Readonly<Record<string, string>>;
export type QuantityRequest = {
  quantities: Quantities;
  at: Instant;
  settle: Settle;
  bill: QuantityStep['bill'];
};
export type QuantityRefusal = ChangeRefusal | 'too_many';

/** The reasons for which quantities are refused; none if they are set. */
export function refusalsOfQuantities(
  world: World,
  subscription: Subscription,
  { quantities, at }: QuantityRequest,
): QuantityRefusal[] {
  const of_time = refusalOfTime(world, subscription, at);
  if (of_time !== null) return [of_time];
  const { cancel_at } = subscription;
  if (cancel_at !== null && cancel_at <= at) return ['invalid_state'];
  const instant = isForBeginning(world, subscription, at) ? billingStart(subscription) : at;
  const names = namesAt(subscription, instant);
  const coming = new Set(comingOf(world, subscription).map((step) => step.at));
  const holds = Object.entries(quantities).every(([name, quantity]) =>
    isSame(quantity, quantityAt(subscription, name, instant)),
  );
  return [
    ...(Object.keys(quantities).every((name) => names.includes(name)) ? [] : (['not_allowed'] as const)),
    ...(holds ? (['invalid_state'] as const) : []),
    ...(instant > world.now && !coming.has(at) && coming.size >= COMING_MAX ? (['too_many'] as const) : []),
  ];
}

function isSame(one: string, other: string): boolean {
  return !isFewer(one, other) && !isFewer(other, one);
}

/** The instant that is meant: up to the beginning of billing, this beginning. */
function isForBeginning(world: World, subscription: Subscription, at: Instant): boolean {
  const has_begun = openPart(subscription) !== null || subscription.full_periods.length > 0;
  return !has_begun && statusAt(subscription, world.now) !== 'canceled' && at <= billingStart(subscription);
}

/** The steps that are to come, the next first. */
export function comingOf({ now }: World, { quantities }: Subscription): QuantityStep[] {
  const coming = quantities.filter(({ at }) => at !== null && now < at);
  return coming.toSorted((a, b) => (a.at! < b.at! ? -1 : 1));
}

/** Sets quantities that are not refused, and bills at once what has come. */
export function setQuantities(world: World, subscription: Subscription, request: QuantityRequest): void {
  const { quantities, at } = request;
  if (isForBeginning(world, subscription, at)) return setFirst(subscription, quantities);
  record(subscription, { ...request, with_change: false });
  if (world.now < at) creditTakenBack(world, subscription, Object.keys(quantities));
  else bring(world, subscription, { at, is_asked: true });
  showOnDrafts(world, subscription);
}

/** Shows the fees of the quantities on held drafts, of which one may be a home. */
function showOnDrafts(world: World, subscription: Subscription): void {
  for (const draft of world.invoices) {
    if (draft.subscription !== subscription || draft.status !== 'draft') continue;
    draft.lines = compose(world, draft).lines;
    note(world, 'draft priced again for a quantity');
  }
}

/** Sets the quantities with which a subscription begins. */
export function setFirst(subscription: Subscription, quantities: Quantities): void {
  const first = billingStart(subscription);
  const isKept = ({ name, at, with_change }: QuantityStep) =>
    !(name in quantities) || with_change || (at !== null && first < at);
  subscription.quantities = [
    ...subscription.quantities.filter(isKept),
    ...Object.entries(quantities).map(([name, quantity]) => ({
      ...{ name, at: null, quantity, settle: 'balance' as const, bill: 'with_next' as const },
      ...{ with_change: false, is_settled: true },
    })),
  ];
}

type Recording = QuantityRequest & { with_change: boolean };

/** Records quantities of an instant, in place of those of the same names. */
export function record(
  subscription: Subscription,
  { quantities, at, settle, bill, with_change }: Recording,
): void {
  const others = subscription.quantities.filter((step) => step.at !== at || !(step.name in quantities));
  const steps = Object.entries(quantities).map(([name, quantity]) => ({
    ...{ name, at, quantity, settle, bill, with_change, is_settled: false },
  }));
  subscription.quantities = [...others, ...steps];
}

/** Bills what the quantities of an instant bring as it comes: notes of lower ones, then a further opening of higher ones. */
export function come(world: World, subscription: Subscription, at: Instant): void {
  bring(world, subscription, { at, is_asked: false });
}

/** Bills the quantities of an instant; by a request it credits what was billed ahead of those that it replaces, too. */
function bring(
  world: World,
  subscription: Subscription,
  { at, is_asked }: { at: Instant; is_asked: boolean },
): void {
  const steps = subscription.quantities.filter((step) => step.at === at && !step.is_settled);
  for (const step of steps) {
    step.is_settled = true;
    const kind = isLower(subscription, step) ? `lower, ${step.settle}` : `higher, ${step.bill}`;
    note(world, `quantity ${kind}`);
  }
  creditLower(world, subscription, steps);
  // A lower one with `none` credits nothing itself, so that what is too much is of a higher one that it replaces.
  const others = steps.filter((step) => !isLower(subscription, step) || step.settle === 'none');
  if (is_asked)
    creditTakenBack(
      world,
      subscription,
      others.map(({ name }) => name),
    );
  const running = runningFees(subscription);
  if (running === null) return;
  const names = running.plan.charges.filter(isFee).map(({ event_name }) => event_name);
  const isBilledNow = ({ name, bill, quantity }: QuantityStep) =>
    bill === 'now' && names.includes(name) && isFewer(quantityBefore(subscription, name, at), quantity);
  if (steps.some(isBilledNow)) makeFurtherOpening(world, subscription, running);
}

/** Takes back what is scheduled for an instant; false if nothing is. */
export function takeBackQuantities(world: World, subscription: Subscription, at: Instant): boolean {
  const taken = comingOf(world, subscription).filter((step) => step.at === at);
  if (taken.length === 0) return false;
  subscription.quantities = subscription.quantities.filter((step) => !taken.includes(step));
  const names = taken.map(({ name }) => name);
  creditTakenBack(world, subscription, names);
  showOnDrafts(world, subscription);
  return true;
}

/** Drops the quantities at or after the end of a subscription. */
export function dropQuantities(subscription: Subscription, end: Instant): void {
  subscription.quantities = subscription.quantities.filter(({ at }) => at === null || at < end);
}

/** The next instant of quantities that has come or is to come, while something is open. */
export function nextQuantities(subscription: Subscription): Instant | null {
  if (openPart(subscription) === null) return null;
  const open = subscription.quantities.filter((step) => !step.is_settled);
  return open.map((step) => step.at!).toSorted()[0] ?? null;
}
