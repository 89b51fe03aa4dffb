import { dayAfter, dayOf } from '../time/local-time.ts';
import { addMilliseconds, latest } from '../time/period.ts';
import type { CanceledReason } from './email.ts';
import { sendAt, type EmailHours } from './send-at.ts';

/** Days after its own one on which a step may still go. */
export const DAYS_MORE = 2;
/** Days for which a reminder may be tried, and one more: an older one neither leaves today nor has a step of today. */
export const MADE_DAYS = 4;
/** Between the email of an invoice and a reminder of it. */
const REST_MS = 48 * 3_600_000;

/** An invoice of which something is due, and which nothing stops. */
export type OpenInvoice = {
  invoice_id: string;
  due_date: string;
  issued_at: string;
  /** When its own email went or goes; null without one. */
  emailed_at: string | null;
  /** Whether that email waits still, so that no reminder goes before it. */
  is_email_waiting: boolean;
  /** Whether its environment sends such emails: one may come that the log has not written yet. */
  is_emailed: boolean;
  /** The last day of its last pause, or of that of its customer; null for none. */
  paused_to: string | null;
};

/** A reminder that was made: its day, that on which it left, null before it, and the invoices that had a step. */
export type MadeReminder = { day: string; sent_on: string | null; invoice_ids: readonly string[] };

export type ReminderFacts = {
  /** The customer's. */
  now: string;
  timezone: string;
  email_hours: EmailHours;
  reminder_days: readonly number[];
  invoices: readonly OpenInvoice[];
  /** Those of the last days; older ones change nothing. */
  made: readonly MadeReminder[];
};

/** A reminder: its day in the zone of the customer, and the invoices that have a step. */
export type Reminder = { day: string; send_at: string; invoice_ids: string[] };

/**
 * The day of the greatest step that may go today: a step is due on its day and DAYS_MORE days more. Null if none is.
 * `reminder_days` ascend.
 */
export function stepDayOf(due_date: string, reminder_days: readonly number[], today: string): string | null {
  const days = reminder_days.map((step) => dayAfter(due_date, step));
  return days.findLast((day) => day <= today && today <= dayAfter(day, DAYS_MORE)) ?? null;
}

/** The reminder that a customer gets today, one at most (billing.md 17); null for none, or for none yet. */
export function reminderOf(facts: ReminderFacts): Reminder | null {
  const { now, timezone, invoices, made } = facts;
  const today = dayOf(now, timezone);
  if (made.some(({ day, sent_on }) => day >= today || sent_on === today)) return null;
  const named = invoices.flatMap((invoice) => {
    const send_at = hasStep(invoice, facts, today) ? departureOf(invoice, facts) : null;
    return send_at !== null && dayOf(send_at, timezone) === today ? [{ ...invoice, send_at }] : [];
  });
  if (named.length === 0) return null;
  const send_at = named.map((invoice) => invoice.send_at).reduce(latest);
  return { day: today, send_at, invoice_ids: named.map(({ invoice_id }) => invoice_id) };
}

/** Whether a step may go today that neither went, nor a later one, nor has its day in a pause. */
function hasStep(
  { invoice_id, due_date, paused_to }: OpenInvoice,
  { reminder_days, made }: ReminderFacts,
  today: string,
): boolean {
  const step_day = stepDayOf(due_date, reminder_days, today);
  if (step_day === null || (paused_to !== null && step_day <= paused_to)) return false;
  return !made.some(({ day, invoice_ids }) => day >= step_day && invoice_ids.includes(invoice_id));
}

/** The departure of a reminder of an invoice: within the hours, REST_MS after its own email; null while that waits. */
function departureOf(invoice: OpenInvoice, { now, timezone, email_hours }: ReminderFacts): string | null {
  const { issued_at, emailed_at, is_email_waiting, is_emailed } = invoice;
  if (is_email_waiting) return null;
  const own_at = emailed_at ?? (is_emailed ? sendAt(issued_at, timezone, email_hours) : null);
  const from = own_at === null ? now : latest(now, addMilliseconds(own_at, REST_MS));
  return sendAt(from, timezone, email_hours);
}

/** Reasons that no invoice of a reminder is due any more: the first one that one of them has says it for all. */
const STOPS = [
  'paid',
  'muted',
  'paused',
  'charge_in_progress',
  'void',
] as const satisfies readonly CanceledReason[];

/** The invoices that a reminder still names as its turn comes, or why there is none. */
export function namedNow(
  named: readonly { invoice_id: string; stop: CanceledReason | null }[],
): { invoice_ids: string[] } | { stop: CanceledReason } {
  const invoice_ids = named.filter(({ stop }) => stop === null).map(({ invoice_id }) => invoice_id);
  if (invoice_ids.length > 0) return { invoice_ids };
  return { stop: STOPS.find((reason) => named.some(({ stop }) => stop === reason)) ?? 'void' };
}
