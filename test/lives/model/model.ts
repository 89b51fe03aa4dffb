import { pendingChange, recordChange, refusalOf, type ChangeRefusal, type ChangeRequest } from './changes.ts';
import { newCollection } from './collection.ts';
import { settleExpiry } from './expiries.ts';
import { settleFees, settleFeesAt } from './fee-notes.ts';
import { issue, makeDraft, regenerateInvoice } from './invoices.ts';
import { leftItems, moveItems } from './items.ts';
import { openPeriod } from './openings.ts';
import {
  billingStart,
  endOf,
  endPart,
  feePeriod,
  knownEnd,
  lateUntil,
  neverBills,
  nextEnding,
  nextInstant,
  openPart,
} from './periods.ts';
import { beginPeriod } from './plan-grants.ts';
import { come, nextQuantities, record, setFirst, type Quantities } from './quantity-requests.ts';
import { removeWithChange } from './quantities.ts';
import { creditTakenBack } from './quantity-notes.ts';
import { noteEvent } from './situations.ts';
import { look } from './thresholds.ts';
import type { Instant, Invoice, LatePeriod, Part, Plan, StoredEvent, Subscription, World } from './world.ts';

/** The world of a new customer, empty. */
export function newWorld(
  customer: Pick<World, 'currency' | 'digits' | 'tax_rate' | 'timezone'>,
  now: Instant,
): World {
  return {
    ...customer,
    now,
    hold_drafts: false,
    events: [],
    subscriptions: [],
    plans: [],
    grants: [],
    discounts: [],
    invoices: [],
    items: [],
    numbered: 0,
    balance: 0n,
    entries: [],
    deposits: [],
    transfers: [],
    collection: newCollection(),
    closed: new Map(),
    has_moved_items: false,
    seen: new Map(),
  };
}

/** Stores events at the customer's present time. */
export function storeEvents(world: World, events: readonly Omit<StoredEvent, 'stored_at'>[]): void {
  for (const event of events) {
    const stored = { ...event, stored_at: world.now };
    world.events.push(stored);
    noteEvent(world, stored);
  }
}

type Dates = Pick<Subscription, 'start' | 'trial_end' | 'anchor'>;
type Terms = { quantities: Quantities; bill_at: string | null };

/** Bills ended periods at once, in order. */
export function subscribe(
  world: World,
  first_plan: Plan,
  { quantities = {}, bill_at = null, ...dates }: Dates & Partial<Terms>,
): Subscription {
  const subscription: Subscription = {
    ...{ first_plan, changes: [], has_changed: false, timezone: world.timezone, ...dates },
    ...{ cancel_at: null, settle: 'balance', full_periods: [], exchanged: [], left_out: [] },
    ...{ late_period: null, has_ended: false, is_finished: false, quantities: [] },
    bill_at,
  };
  setFirst(subscription, quantities);
  world.subscriptions.push(subscription);
  for (const grant of world.grants) settleExpiry(world, grant);
  billEnded(world, subscription);
  return subscription;
}

/**
 * Moves the clock from period end to period end and bills each. Without `hold_drafts` first issues the held drafts. It looks for bills before
 * the end before it moves, and when it has arrived.
 */
export function advance(world: World, to: Instant, hold_drafts: boolean): void {
  world.hold_drafts = hold_drafts;
  if (!hold_drafts)
    for (const draft of draftsOf(world)) {
      issue(world, draft);
      finishEnded(world);
    }
  look(world);
  for (;;) {
    const stops = world.subscriptions.flatMap(nextStops);
    const next = stops.toSorted()[0];
    if (next === undefined || next > to) break;
    if (next > world.now) world.now = next;
    for (const subscription of world.subscriptions) billEnded(world, subscription);
  }
  world.now = to;
  look(world);
}

/** The instants at which the clock must stop for a subscription next. */
export function nextStops(subscription: Subscription): Instant[] {
  const [instant, quantities] = [nextInstant(subscription), nextQuantities(subscription)];
  return [instant, quantities].filter((stop) => stop !== null);
}

/** Drafts by the end of their period, which is the order of issue. */
export function draftsOf({ invoices }: World): Invoice[] {
  const drafts = invoices.filter(({ status }) => status === 'draft');
  return drafts.toSorted((a, b) => (a.period.end < b.period.end ? -1 : 1));
}

/** Bills what has ended by now, and begins the first period once its time has come. */
export function billEnded(world: World, subscription: Subscription): void {
  const { full_periods, cancel_at } = subscription;
  if (neverBills(subscription) && cancel_at! <= world.now && !subscription.has_ended) {
    subscription.has_ended = true;
    if (leftItems(world, subscription).length > 0) openLatePeriod(subscription, cancel_at!);
    finishEnded(world);
  }
  if (
    !neverBills(subscription) &&
    full_periods.length === 0 &&
    nextInstant(subscription) !== null &&
    billingStart(subscription) <= world.now
  ) {
    const first = beginPeriod(world, subscription, billingStart(subscription));
    openPeriod(world, subscription, first);
  }
  for (;;) {
    const ended = nextEnding(subscription);
    const end = ended !== null && endOf(subscription, ended) <= world.now ? endOf(subscription, ended) : null;
    const at = nextQuantities(subscription);
    // At one instant a period ends before quantities of the next one come.
    if (at !== null && at <= world.now && (end === null || at < end)) {
      come(world, subscription, at);
      continue;
    }
    if (ended === null || end === null) break;
    if (ended.kind === 'part') closePeriod(world, subscription, ended);
    ended.is_closed = true;
    bill(world, subscription, ended);
    finishEnded(world);
  }
}

/** Finishes subscriptions that nothing follows for and that have no draft; their items move to another one, if one takes them (billing.md 7). */
export function finishEnded(world: World): void {
  for (const subscription of world.subscriptions) {
    const { late_period, has_ended, is_finished } = subscription;
    const is_over = late_period === null ? has_ended : late_period.is_closed;
    const has_draft = draftsOf(world).some((draft) => draft.subscription === subscription);
    if (!is_over || has_draft || is_finished) continue;
    subscription.is_finished = true;
    moveItems(world, subscription);
  }
}

/** Ends a full period with its last part, begins what follows, and credits unused time. */
function closePeriod(world: World, subscription: Subscription, part: Part): void {
  const { full_period } = part;
  const { end, settle } = knownEnd(subscription, full_period);
  endPart(part, end);
  full_period.settle = settle;
  part.is_closed = true;
  goOn(world, subscription, end);
  settleFees(world, subscription, feePeriod(subscription, full_period).start);
}

/** Opens what follows a part's end: the next period or, after a cancellation, the late window. */
function goOn(world: World, subscription: Subscription, end: Instant): void {
  const { cancel_at } = subscription;
  if (cancel_at === null || end < cancel_at) beginPeriod(world, subscription, end);
  else openLatePeriod(subscription, cancel_at);
}

/** Opens the late window of a subscription that has ended. */
export function openLatePeriod(subscription: Subscription, start: Instant): void {
  subscription.late_period = { kind: 'late', start, end: lateUntil(start), is_closed: false };
}

function bill(world: World, subscription: Subscription, period: Part | LatePeriod): Invoice | null {
  const made = makeDraft(world, { subscription, period });
  if (period.kind === 'late' && made.lines.length === 0) {
    world.invoices.pop();
    return null;
  }
  if (!world.hold_drafts) issue(world, made);
  return made;
}

/** Changes the plan and bills at once what ends in the past; returns the reason if the change is refused. */
export function changePlan(
  world: World,
  subscription: Subscription,
  change: ChangeRequest,
): ChangeRefusal | null {
  const refusal = refusalOf(world, subscription, change);
  if (refusal !== null) return refusal;
  const before = openPart(subscription);
  const { quantities = {}, ...request } = change;
  const pending = pendingChange(subscription, world.now)?.at ?? null;
  const taken = removeWithChange(subscription, { pending, at: change.at });
  recordChange(world, subscription, request);
  const terms = { settle: 'balance', bill: 'with_next', with_change: true } as const;
  record(subscription, { quantities, at: change.at, ...terms });
  if (before?.start === change.at) {
    settleFeesAt(world, subscription, change.at);
    openPeriod(world, subscription, openPart(subscription)!.full_period);
  }
  billEnded(world, subscription);
  creditTakenBack(world, subscription, taken);
  return null;
}

type Preview = { world: World; invoice: Invoice };

/** The invoice that a regeneration would make, on a copy of the world. */
export function previewRegeneration(world: World, invoice: Invoice): Preview | null {
  const copy = structuredClone(world);
  const made = regenerateInvoice(copy, copy.invoices[world.invoices.indexOf(invoice)]!);
  return made && { world: copy, invoice: made };
}
