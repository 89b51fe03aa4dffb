import { issue, lastVoid, makeDraft } from './invoices.ts';
import { reopen } from './openings.ts';
import { openPart, statusAt } from './periods.ts';
import {
  note,
  type Instant,
  type Invoice,
  type LatePeriod,
  type Part,
  type Subscription,
  type World,
} from './world.ts';

/** Billing by hand: what is void is billed again, and a period is cut. */

/** The new invoices in order, openings first; null if there is no period to cut. */
export function generate(world: World, subscription: Subscription, close_now: boolean): Invoice[] | null {
  if (close_now && statusAt(subscription, world.now) !== 'active') return null;
  const opened = reopen(world, subscription);
  const billed = periodsOf(subscription)
    .filter((period) => isWithoutInvoice(world, period))
    .map((period) => billNow(world, subscription, period));
  const made = [...opened, ...billed];
  const part = openPart(subscription);
  if (!close_now || part === null || part.start === world.now) return made;
  note(world, 'cut');
  return [...made, cutNow(world, subscription, part)];
}

/** Cuts the open part at this instant, and bills it. */
export function cutNow(world: World, subscription: Subscription, part: Part): Invoice {
  cut(part, world.now);
  return billNow(world, subscription, part);
}

function periodsOf({ full_periods, late_period }: Subscription): (Part | LatePeriod)[] {
  return [...full_periods.flatMap(({ parts }) => parts), ...(late_period === null ? [] : [late_period])];
}

/** Whether a period has ended and all of its invoices are void. */
function isWithoutInvoice({ invoices }: World, period: Part | LatePeriod): boolean {
  const made = invoices.filter((invoice) => invoice.period === period);
  return period.is_closed && made.length > 0 && made.every(({ status }) => status === 'void');
}

function billNow(world: World, subscription: Subscription, period: Part | LatePeriod): Invoice {
  const replaces = lastVoid(world.invoices.filter((invoice) => invoice.period === period));
  const made = makeDraft(world, { subscription, period, replaces });
  issue(world, made);
  return made;
}

function cut(part: Part, at: Instant): void {
  const { full_period, end } = part;
  part.end = at;
  part.is_closed = true;
  full_period.parts.push({ kind: 'part', start: at, end, full_period, is_closed: false, cause: null });
}
