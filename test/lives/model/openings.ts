import { feesIn, homeOf, openingPeriod, openingsAt } from './fees.ts';
import { issue, lastVoid, makeDraft } from './invoices.ts';
import { note, type FullPeriod, type Invoice, type Subscription, type World } from './world.ts';

/** Opening invoices (billing.md 10): the fees in advance of a period that no invoice of an earlier one bills. */

/** Bills the fees of a period that begins, or whose plan is exchanged, unless its home does, or what is void waits for `generate`. */
export function openPeriod(world: World, subscription: Subscription, full_period: FullPeriod): void {
  const { start } = full_period;
  if (feesIn(full_period).length === 0 || openingsAt(world, subscription, start).length > 0) return;
  const part = homeOf(subscription, start);
  const home = world.invoices.find(({ period, status }) => period === part && status !== 'void');
  if (part !== null && (home === undefined || home.status === 'draft')) {
    note(world, home === undefined ? 'fees wait for their void home' : 'fees go on the draft of their home');
    return;
  }
  makeOpening(world, subscription, full_period);
}

/** Makes the void openings of a subscription again; returns the new ones. */
export function reopen(world: World, subscription: Subscription): Invoice[] {
  return subscription.full_periods.flatMap((full_period) => {
    const openings = openingsAt(world, subscription, full_period.start);
    if (openings.length === 0 || openings.some(({ status }) => status !== 'void')) return [];
    return makeOpening(world, subscription, full_period) ?? [];
  });
}

/** Null if there are no fees to bill. */
function makeOpening(world: World, subscription: Subscription, full_period: FullPeriod): Invoice | null {
  const period = openingPeriod(subscription, full_period);
  const replaces = lastVoid(openingsAt(world, subscription, full_period.start));
  const made = makeDraft(world, { subscription, period, replaces });
  // An end at its start leaves a period out.
  const has_time = full_period.start < full_period.end;
  if (!has_time || !made.lines.some(({ type }) => type === 'flat')) {
    note(world, 'opening not made without fees');
    world.invoices.pop();
    if (replaces !== undefined) replaces.replaced_by = null;
    return null;
  }
  issue(world, made);
  note(world, 'opening');
  return made;
}
