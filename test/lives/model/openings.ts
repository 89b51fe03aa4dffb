import { feesIn, firstOpeningsAt, homeOf, isWaiting, openingPeriod, openingsAt } from './fees.ts';
import { issue, lastVoid, makeDraft } from './invoices.ts';
import { note, type FullPeriod, type Instant, type Invoice, type Subscription, type World } from './world.ts';

/** Opening invoices (billing.md 10): the fees in advance of a period that no invoice of an earlier one bills; and further ones (billing.md 14). */

/** Bills the fees of a period that begins, or whose plan is exchanged, unless its home does, or what is void waits for `generate`. */
export function openPeriod(world: World, subscription: Subscription, full_period: FullPeriod): void {
  const { start } = full_period;
  if (feesIn(full_period).length === 0 || firstOpeningsAt(world, subscription, start).length > 0) return;
  const part = homeOf(subscription, start);
  const home = homeInvoice(world, subscription, start);
  if (part !== null && (home === undefined || home.status === 'draft')) {
    note(world, home === undefined ? 'fees wait for their void home' : 'fees go on the draft of their home');
    return;
  }
  makeOpening(world, { subscription, full_period, number: 1 });
}

function homeInvoice({ invoices }: World, subscription: Subscription, start: Instant): Invoice | undefined {
  const part = homeOf(subscription, start);
  return invoices.find(({ period, status }) => period === part && status !== 'void');
}

/** Makes the void openings of a subscription again, of each period by their numbers; returns the new ones. */
export function reopen(world: World, subscription: Subscription): Invoice[] {
  return subscription.full_periods.flatMap((full_period) =>
    numbersOf(world, subscription, full_period.start).flatMap((number) => {
      const openings = openingsOf(world, { subscription, full_period, number });
      if (openings.some(({ status }) => status !== 'void')) return [];
      if (number > 1 && mustWait(world, subscription, full_period)) return [];
      return makeOpening(world, { subscription, full_period, number }) ?? [];
    }),
  );
}

/** Makes the next opening of a period for what its fees lack, unless another invoice has it. */
export function makeFurtherOpening(world: World, subscription: Subscription, full_period: FullPeriod): void {
  if (mustWait(world, subscription, full_period))
    return note(world, 'no further opening: another invoice has it');
  const number = Math.max(1, ...numbersOf(world, subscription, full_period.start)) + 1;
  const made = makeOpening(world, { subscription, full_period, number });
  note(world, made === null ? 'no further opening: nothing is lacking' : 'further opening');
}

/** Whether the home of a period is a draft, or home or first opening is void. */
function mustWait(world: World, subscription: Subscription, full_period: FullPeriod): boolean {
  const home = homeInvoice(world, subscription, full_period.start);
  return home?.status === 'draft' || isWaiting(world, subscription, full_period);
}

/** The numbers of the openings of a period, void ones included. */
function numbersOf(world: World, subscription: Subscription, start: Instant): number[] {
  const openings = openingsAt(world, subscription, start);
  const numbers = openings.flatMap(({ period }) => (period.kind === 'opening' ? [period.number] : []));
  return [...new Set(numbers)].toSorted((a, b) => a - b);
}

type Making = { subscription: Subscription; full_period: FullPeriod; number: number };

function openingsOf(world: World, { subscription, full_period, number }: Making): Invoice[] {
  const openings = openingsAt(world, subscription, full_period.start);
  return openings.filter(({ period }) => period.kind === 'opening' && period.number === number);
}

/** Null if there are no fees to bill. */
function makeOpening(world: World, making: Making): Invoice | null {
  const { subscription, full_period, number } = making;
  const period = openingPeriod(subscription, full_period, number);
  const replaces = lastVoid(openingsOf(world, making));
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
