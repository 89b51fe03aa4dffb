import { compose } from './composition.ts';
import { settleFees } from './fee-notes.ts';
import { openLatePeriod } from './model.ts';
import { correctMinimum } from './period-notes.ts';
import { feePeriod } from './periods.ts';
import { voidGrantsOf } from './plan-grants.ts';
import {
  note,
  type FullPeriod,
  type Instant,
  type Invoice,
  type Part,
  type Subscription,
  type World,
} from './world.ts';

/** An end in a period that is billed (billing.md 1): what runs is what would have run if the end had been known. */

/** Ends a subscription before what is open: notes of flat amounts at once, and those of usage with the next invoice. */
export function endBilled(world: World, subscription: Subscription, at: Instant): void {
  const { full_periods, settle } = subscription;
  const holding = full_periods.findLast(({ start }) => start < at)!;
  const gone = full_periods.filter(({ start }) => at <= start);
  subscription.full_periods = full_periods.filter((full_period) => !gone.includes(full_period));
  const parts = [...partsAfter(holding, at), ...gone.flatMap((full_period) => full_period.parts)];
  for (const full_period of gone) leaveOut(world, subscription, full_period);
  if (at < holding.end) endWithin(holding, { at, settle });
  openLatePeriod(subscription, at);
  for (const draft of draftsOf(world, parts)) {
    Object.assign(draft, { status: 'void', voided_at: world.now });
    note(world, 'draft void with a period that is left out');
  }
  for (const draft of draftsOf(world, holding.parts.slice(-1)))
    if (at < draft.says.end) countAnew(world, draft);
  // Fees that run on began with an earlier period; flat amounts in arrears are of the one that holds the end.
  const cut = [feePeriod(subscription, holding), holding];
  const starts = new Set([...cut, ...gone].map(({ start }) => start));
  for (const start of starts) settleFees(world, subscription, start);
  for (const full_period of [holding, ...gone])
    correctMinimum(world, { subscription, full_period, cause: null });
}

/** The parts of a period that begin at an instant or later. */
function partsAfter({ parts }: FullPeriod, at: Instant): Part[] {
  return parts.filter(({ start }) => at <= start);
}

/** A period that begins at the end or later has no time, and no grants. */
function leaveOut(world: World, subscription: Subscription, full_period: FullPeriod): void {
  const { start, end, parts } = full_period;
  for (const part of parts) part.is_closed = true;
  Object.assign(full_period, { end: start, ran_to: end, settle: subscription.settle });
  subscription.left_out.push(full_period);
  voidGrantsOf(world, full_period);
  note(world, 'period left out by an end before it');
}

/** The period that holds the end ends there, and so does its part that holds it; later parts are left out. */
function endWithin(
  holding: FullPeriod,
  { at, settle }: { at: Instant } & Pick<Subscription, 'settle'>,
): void {
  const ran_to = holding.end;
  holding.parts = holding.parts.filter(({ start }) => start < at);
  Object.assign(holding.parts.at(-1)!, { end: at, is_closed: true });
  Object.assign(holding, { end: at, settle, ran_to });
}

function draftsOf({ invoices }: World, parts: readonly Part[]): Invoice[] {
  return invoices.filter(
    ({ status, period }) => status === 'draft' && period.kind === 'part' && parts.includes(period),
  );
}

/** A held draft is counted up to the end. */
function countAnew(world: World, draft: Invoice): void {
  const { start, end } = draft.period;
  Object.assign(draft, { says: { start, end }, counted: world.events.length });
  draft.lines = compose(world, draft).lines;
  note(world, 'draft counted anew up to an end');
}
