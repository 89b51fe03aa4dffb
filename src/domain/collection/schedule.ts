import { sendAt, type EmailHours } from '../email/send-at.ts';
import { instantOf, localOf, startOfDay } from '../time/local-time.ts';
import type { Decline } from './decline.ts';

export const CHARGE_MODES = ['manual', 'automatic'] as const;
export const CHARGE_DATES = ['issue', 'due_date'] as const;

/** States of the plan of an invoice as they are stored: the first three are those of one that goes on. */
export const PLAN_STATUSES = [
  'scheduled',
  'charging',
  'processing',
  'action_required',
  'exhausted',
  'none',
] as const;
export type PlanStatus = (typeof PLAN_STATUSES)[number];

/** States of the plan of an invoice as it shows them (billing.md 21). */
export const COLLECTION_STATUSES = [...PLAN_STATUSES, 'paused', 'done'] as const;
export type CollectionStatus = (typeof COLLECTION_STATUSES)[number];

/** Zone of a customer and the hours of its day in which it is charged. */
export type ChargeHours = { timezone: string; hours: EmailHours };

/** A method of a customer, and since when it is the default. */
export type DefaultMethod = { id: string; since: string };

/** A charge by the schedule that the provider has answered; one that ended before is none. */
export type AnsweredCharge = {
  /** When it was planned, by the clock of the customer. */
  at: string;
  method_id: string;
  /** Advice after its decline; `action_required`: nothing without its payer. */
  again: Decline['again'] | 'action_required';
};

export type ScheduleFacts = ChargeHours & {
  /** Whole days after the first charge, ascending. */
  charge_retry_days: readonly number[];
  /** When the first charge is planned. */
  first_at: string;
  is_overdue: boolean;
  /** The default method that may be charged; null without one. */
  method: DefaultMethod | null;
  /** Charges in order. */
  charges: readonly AnsweredCharge[];
  /** When the last charge, a debit of days, was answered; null for any other. */
  answered_at: string | null;
};

/** An end of a plan: `none` where there is no method. */
export type PlanEnd = Extract<PlanStatus, 'none' | 'exhausted' | 'action_required'>;

/** When an open invoice is charged next, or why it is not (billing.md 21). */
export type Schedule = { charge_at: string } | { ended: PlanEnd };

/** When an invoice is charged first: at its issue or at the beginning of its due date, within the hours. */
export function firstChargeAt({
  charge_on,
  issued_at,
  due_date,
  ...hours
}: ChargeHours & {
  charge_on: (typeof CHARGE_DATES)[number];
  issued_at: string;
  /** A day of the customer. */
  due_date: string;
}): string {
  return within(hours, charge_on === 'issue' ? issued_at : startOfDay(due_date, hours.timezone));
}

/**
 * When an open invoice is charged next. A new default method is tried at once where the charges before have ended
 * without money, or the invoice is overdue; the days of trying again then count from that charge.
 */
export function scheduleOf(facts: ScheduleFacts): Schedule {
  const { method, charges, first_at, is_overdue } = facts;
  if (method === null) return { ended: endOf(charges) };
  const round = roundOf(charges, method);
  if (round.length > 0) return nextOf(facts, round);
  const planned = charges.length > 0 ? nextOf(facts, roundOfLast(charges)) : { charge_at: first_at };
  return 'ended' in planned || (is_overdue && method.since > planned.charge_at)
    ? { charge_at: method.since }
    : { charge_at: later(planned.charge_at, within(facts, method.since)) };
}

/** The charges with a method since it is the default. */
export function roundOf(
  charges: readonly AnsweredCharge[],
  method: DefaultMethod | null,
): readonly AnsweredCharge[] {
  return charges.filter(({ at, method_id }) => method_id === method?.id && at >= method.since);
}

/** Whether the last charge is the first one of its method since that is the default. */
export function isFirstOfRound(charges: readonly AnsweredCharge[], method: DefaultMethod | null): boolean {
  const is_default = charges.at(-1)?.method_id === method?.id;
  return (is_default ? roundOf(charges, method) : roundOfLast(charges)).length === 1;
}

/** Why a plan without a next charge has ended: what came of its last one. */
export function endOf(charges: readonly Pick<AnsweredCharge, 'again'>[]): PlanEnd {
  const last = charges.at(-1);
  if (last === undefined) return 'none';
  return last.again === 'action_required' ? last.again : 'exhausted';
}

/** The last charges of one method in a row. */
function roundOfLast(charges: readonly AnsweredCharge[]): readonly AnsweredCharge[] {
  const last = charges.at(-1);
  return charges.slice(charges.findLastIndex(({ method_id }) => method_id !== last?.method_id) + 1);
}

/** The next charge after these, of one method. */
function nextOf(facts: ScheduleFacts, round: readonly AnsweredCharge[]): Schedule {
  const [first, last] = [round[0]!, round.at(-1)!];
  if (last.again === 'action_required' || last.again === 'never') return { ended: endOf(round) };
  const charge_at = facts.charge_retry_days
    .map((days) => daysAfter(facts, first.at, days))
    .find((at) => at > last.at);
  if (charge_at === undefined) return { ended: 'exhausted' };
  const next_at = last.again === 'later' ? earlier(charge_at, daysAfter(facts, last.at, 1)) : charge_at;
  return {
    charge_at: facts.answered_at === null ? next_at : later(next_at, within(facts, facts.answered_at)),
  };
}

/** Instant of the same time of day, days later, moved into the hours. */
function daysAfter(hours: ChargeHours, at: string, days: number): string {
  return within(hours, instantOf(localOf(at, hours.timezone).add({ days }), hours.timezone));
}

function within({ timezone, hours }: ChargeHours, at: string): string {
  return sendAt(at, timezone, hours);
}

function later(a: string, b: string): string {
  return a > b ? a : b;
}

function earlier(a: string, b: string): string {
  return a < b ? a : b;
}

/** A charge that begins later than this after its instant is late: no worker ran. */
const LATE_MS = 3_600_000;

/**
 * When a charge begins that was planned for `planned_at`: then, or within the hours after a pause that ended at
 * `held_until`, or after the method became the default. One that is late by now waits for the hours; under a test clock
 * none is, for the clock goes on first.
 */
export function beginsAt({
  planned_at,
  held_until,
  method_since,
  now,
  has_test_clock,
  ...hours
}: ChargeHours & {
  planned_at: string;
  held_until: string | null;
  method_since: string | null;
  now: string;
  has_test_clock: boolean;
}): string {
  const from = later(held_until ?? planned_at, method_since ?? planned_at);
  const at = from > planned_at ? within(hours, from) : planned_at;
  const is_late = !has_test_clock && Date.parse(now) - Date.parse(at) > LATE_MS;
  return is_late ? within(hours, now) : at;
}
