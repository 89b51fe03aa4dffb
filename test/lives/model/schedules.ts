import { charge, defaultMethod, finish, FOR_GOOD } from './attempts.ts';
import { attemptsOf, isUnderWay } from './under-way.ts';
import { atProvider } from './chargeable.ts';
import type { Attempt, Pause, Schedule } from './collection.ts';
import { isActive } from './methods.ts';
import { dueOf } from './owed.ts';
import { dayAfter, dayOf, endOfDay, pauseOf } from './pauses.ts';
import { instantAt, localAt } from '../../support/oracles/zone-oracle.ts';
import { note, type Instant, type Invoice, type World } from './world.ts';

/** Charges that are planned (billing.md 21). */

/** A code with which a bank says that it did not answer. */
export const TRY_LATER = 'try_again_later';

/** The next instant within the hours of emails, in the zone of the customer. */
export function withinHours(world: World, instant: Instant): Instant {
  const { from, until } = world.collection.settings.hours;
  const hour = Number(localAt(world.timezone, instant).slice(11, 13));
  if (from <= hour && hour < until) return instant;
  const day = dayOf(world, instant);
  return timeOn(world, hour < from ? day : dayAfter(day, 1), `${`${from}`.padStart(2, '0')}:00:00.000`);
}

/** The instant of a time of day on a day of the customer. */
function timeOn({ timezone }: World, day: string, time: string): Instant {
  return instantAt(timezone, `${day}T${time}Z`);
}

/** An instant at the time of day of another one, this many days later for the customer, within the hours. */
function daysLater(world: World, first: Instant, days: number): Instant {
  const time = localAt(world.timezone, first).slice(11, -1);
  return withinHours(world, timeOn(world, dayAfter(dayOf(world, first), days), time));
}

/** The due date of an issued invoice. */
export function dueDateOf(world: World, { issued_at, subscription }: Invoice): string {
  const day = localAt(subscription.timezone, issued_at!).slice(0, 10);
  return dayAfter(day, world.collection.settings.net_days);
}

/** Whether the due date of an open invoice is over in its zone. */
export function isOverdue(world: World, invoice: Invoice): boolean {
  const today = localAt(invoice.subscription.timezone, world.now).slice(0, 10);
  return invoice.status === 'open' && dueDateOf(world, invoice) < today;
}

export function scheduleOf({ collection }: World, invoice: Invoice): Schedule | undefined {
  return collection.schedules.find((schedule) => schedule.invoice === invoice);
}

function newPlan(invoice: Invoice, at: Instant): Schedule {
  return { invoice, status: 'scheduled', at, first: null, begins_round: true, had_method: true };
}

/** Plans the charge of an invoice that is issued now and has something due, if the mode is automatic. */
export function planCharge(world: World, invoice: Invoice): void {
  const { mode, charge_on } = world.collection.settings;
  if (mode === 'manual' || invoice.status !== 'open') return;
  const due_day = timeOn(world, dueDateOf(world, invoice), '00:00:00.000');
  const at = withinHours(world, charge_on === 'issue' ? world.now : due_day);
  world.collection.schedules.push(newPlan(invoice, at));
}

/** Ends the plans of invoices that are void, and of those that are paid as their time comes: until then, a plan rests. */
function endSchedules(world: World): void {
  for (const schedule of world.collection.schedules) {
    const { status } = schedule.invoice;
    const is_over = status === 'paid' && (schedule.status !== 'scheduled' || isTime(world, schedule));
    if (status === 'void' || is_over) Object.assign(schedule, { status: 'over', at: null });
  }
}

/** Makes the charges that have come due, of one invoice after the other, each planned from the instant of the one before. */
export function runSchedules(world: World): void {
  endSchedules(world);
  for (const schedule of world.collection.schedules) while (isDue(world, schedule)) run(world, schedule);
  endSchedules(world);
}

/** Whether a charge is to be made, which no open attempt holds up. */
function isDue(world: World, schedule: Schedule): boolean {
  const { invoice, status } = schedule;
  const is_ready = status === 'scheduled' && invoice.status === 'open' && !isUnderWay(world, invoice);
  return is_ready && isTime(world, schedule);
}

/** Whether the time of a plan has come, which no pause holds up. */
function isTime(world: World, schedule: Schedule): boolean {
  // While the mode is manual, the plan whose time has come is over, paused or not.
  if (world.collection.settings.mode === 'manual') return schedule.at! <= world.now;
  const at = freeAt(world, schedule);
  return at !== null && at <= world.now;
}

/** The instant of a plan behind the pauses; null while one without an end lasts. */
export function freeAt(world: World, { invoice, at }: Schedule): Instant | null {
  const { pause, pauses } = world.collection;
  const both = [pause, pauses.get(invoice) ?? null].filter((one): one is Pause => one !== null);
  let free = at!;
  for (;;) {
    const holding = both.find(({ until }) => until === null || dayOf(world, free) <= until);
    if (holding === undefined) return free;
    if (holding.until === null) return null;
    free = withinHours(world, endOfDay(world, holding.until));
  }
}

function run(world: World, schedule: Schedule): void {
  const { invoice } = schedule;
  if (world.collection.settings.mode === 'manual') {
    Object.assign(schedule, { status: 'over', at: null });
    note(world, 'plan over in the manual mode');
    return;
  }
  const at = freeAt(world, schedule)!;
  const method = defaultMethod(world);
  if (!isActive(method) || atProvider(world.currency, dueOf(invoice)) === null) {
    Object.assign(schedule, { status: 'none', at: null, had_method: isActive(method) });
    note(world, isActive(method) ? 'plan of what is not chargeable' : 'plan without a method');
    return;
  }
  if (at !== schedule.at) note(world, 'plan behind a pause');
  if (schedule.begins_round) schedule.first = at;
  schedule.begins_round = false;
  schedule.at = at;
  goOn(world, schedule, charge(world, invoice, { method, by: 'schedule' }));
}

/** Plans what follows an attempt of the plan. */
function goOn(world: World, schedule: Schedule, attempt: Attempt): void {
  const { status, decline_code } = attempt;
  if (status === 'succeeded') Object.assign(schedule, { status: 'over', at: null });
  else if (status === 'action_required') Object.assign(schedule, { status, at: null });
  else if (status === 'declined') {
    schedule.at = decline_code === FOR_GOOD ? null : nextOf(world, schedule, decline_code!);
    schedule.status = schedule.at === null ? 'exhausted' : 'scheduled';
    note(world, `plan ${schedule.status}`);
  }
}

/** Ends an attempt that takes days: the money comes, or the bank declines it; what is planned goes on. */
export function answer(world: World, attempt: Attempt, declined: string | null): void {
  finish(world, attempt, declined);
  const schedule = scheduleOf(world, attempt.invoice);
  if (schedule?.status !== 'scheduled') return;
  if (attempt.by === 'person') return resumeWaiting(world, attempt.invoice);
  goOn(world, schedule, attempt);
  resumeWaiting(world, attempt.invoice);
}

/** Lets a plan go on whose time came while another charge of the invoice was under way. */
export function resumeWaiting(world: World, invoice: Invoice): void {
  const schedule = scheduleOf(world, invoice);
  if (schedule?.status !== 'scheduled' || schedule.at! > world.now) return;
  schedule.at = withinHours(world, world.now);
  note(world, 'plan goes on behind another charge');
}

/** The next instant after a declined charge: the next day of the schedule, or the next day if that is sooner and the bank did not answer. */
function nextOf(world: World, { first, at }: Schedule, decline_code: string): Instant | null {
  const { retry_days } = world.collection.settings;
  const days = retry_days.map((number) => daysLater(world, first!, number));
  const next = days.find((instant) => instant > at!) ?? null;
  if (next === null || decline_code !== TRY_LATER) return next;
  const tomorrow = daysLater(world, at!, 1);
  return tomorrow < next ? tomorrow : next;
}

/** Tries a new default method at once on what is exhausted, waits for its payer, or is overdue; what had no method is planned again. */
export function tryNewDefault(world: World): void {
  const { settings, schedules } = world.collection;
  for (const schedule of schedules) schedule.begins_round = true;
  if (settings.mode === 'manual' || !isActive(defaultMethod(world))) return;
  for (const invoice of world.invoices) {
    if (invoice.status !== 'open') continue;
    const schedule = scheduleOf(world, invoice);
    const status = schedule?.status ?? 'over';
    if (status === 'scheduled') continue;
    const is_by_default = status === 'exhausted' || status === 'action_required' || isOverdue(world, invoice);
    if (!is_by_default && (status !== 'none' || schedule!.had_method)) continue;
    const at = is_by_default ? world.now : withinHours(world, world.now);
    const plan = newPlan(invoice, at);
    if (schedule === undefined) world.collection.schedules.push(plan);
    else Object.assign(schedule, plan);
    note(world, is_by_default ? 'new default tried at once' : 'first method within the hours');
  }
}

/** Moves what a pause has held up to the end of it, now, within the hours; before the pause is taken away. */
export function resumeSchedules(world: World, invoices: readonly Invoice[]): void {
  for (const invoice of invoices) {
    const schedule = scheduleOf(world, invoice);
    if (schedule?.status !== 'scheduled' || schedule.at! > world.now) continue;
    if (pauseOf(world, invoice) === null && pauseOf(world, null) === null) continue;
    schedule.at = withinHours(world, world.now);
    note(world, 'plan resumed');
  }
}

/** The status of the collection of an invoice that the documents name; null where they leave it open. */
export function shownStatus(world: World, invoice: Invoice): string | null {
  const attempts = attemptsOf(world, invoice);
  const schedule = scheduleOf(world, invoice);
  const was_planned = schedule !== undefined || attempts.length > 0;
  const last = attempts.at(-1);
  if (last?.status === 'pending') return 'charging';
  if (last?.status === 'processing') return 'processing';
  if (invoice.status !== 'open') return was_planned ? 'done' : 'none';
  if (schedule === undefined) return attempts.length > 0 ? null : 'none';
  if (schedule.status === 'over') return null;
  if (world.collection.settings.mode === 'manual') return schedule.status === 'scheduled' ? 'none' : null;
  if (schedule.status === 'none' && (pauseOf(world, invoice) ?? pauseOf(world, null)) !== null) return null;
  if (schedule.status !== 'scheduled') return schedule.status;
  const is_paused = pauseOf(world, invoice) !== null || pauseOf(world, null) !== null;
  const can_charge = isActive(defaultMethod(world)) && atProvider(world.currency, dueOf(invoice)) !== null;
  if (!can_charge) return null;
  return is_paused ? 'paused' : 'scheduled';
}

/** Whether the charges that have come due meet two invoices with a card whose first decline ends the method: either could be declined. */
export function isAmbiguous(world: World): boolean {
  const copy = structuredClone(world);
  const known = copy.collection.attempts.length;
  const failing = copy.collection.methods.filter(({ status }) => status === 'failing').length;
  runSchedules(copy);
  const { attempts, methods } = copy.collection;
  const unplanned = copy.collection.schedules.filter(({ status }) => status === 'none').length;
  const before = world.collection.schedules.filter(({ status }) => status === 'none').length;
  const has_failed = methods.filter(({ status }) => status === 'failing').length > failing;
  return has_failed && (attempts.length > known + 1 || unplanned > before);
}
