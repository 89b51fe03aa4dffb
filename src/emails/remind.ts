import { transaction, type Db, type Pool } from '../db/connection/pool.ts';
import { timeByClock } from '../db/emails/clocks.ts';
import { insertEmails } from '../db/emails/new-emails.ts';
import { findRemindedCustomer, invoicesWithSteps, madeReminders } from '../db/emails/reminders.ts';
import { candidatesOf, FIRST_PLACE, stepsOfAll, type Step } from '../db/emails/reminder-sweep.ts';
import { reminderReasonOf } from '../domain/email/message-id.ts';
import { MADE_DAYS, reminderOf } from '../domain/email/reminder.ts';
import { dayAfter, dayOf } from '../domain/time/local-time.ts';
import { newId } from '../keys/ids.ts';

/** Invoices that the sweep reads at once. */
const READ_AT_ONCE = 500;

export type CustomerKey = { environment_id: number; customer_id: string };

/** Where a sweep works, and what takes the failure of one customer, which holds up no other one. */
export type Sweeper = { pool: Pool; signal: AbortSignal; report: (key: CustomerKey, error: unknown) => void };

/**
 * Writes the reminder that a customer gets today (billing.md 17). Safe to repeat, and beside others who do it: there is
 * one for its reason, the customer and the day.
 */
export async function remindCustomer(db: Db, { environment_id, customer_id }: CustomerKey): Promise<void> {
  const customer = await findRemindedCustomer(db, environment_id, customer_id);
  if (customer === null || customer.is_waiting) return;
  const { now, timezone, language, reminder_days } = customer;
  const invoices = await invoicesWithSteps(db, environment_id, { customer_id, reminder_days });
  if (invoices.length === 0) return;
  const today = dayOf(now, timezone);
  const reasons = Array.from({ length: MADE_DAYS + 1 }, (_, days) =>
    reminderReasonOf(customer_id, dayAfter(today, -days)),
  );
  const made = await madeReminders(db, environment_id, reasons);
  const reminder = reminderOf({ ...customer, invoices, made });
  if (reminder === null) return;
  const { day, send_at, invoice_ids } = reminder;
  const email = {
    environment_id,
    id: newId('eml'),
    reason: reminderReasonOf(customer_id, day),
    kind: 'reminder',
    customer_id,
    object_id: customer_id,
    invoice_ids,
    language,
    status: 'queued',
    status_reason: null,
    send_at,
  } as const;
  await insertEmails(db, [email]);
}

/** Writes the reminders that are due at the test clock of a customer, and has those tried to whose time it has come. */
export async function remindAtClock(db: Db, key: CustomerKey): Promise<void> {
  await remindCustomer(db, key);
  await timeByClock(db, key.environment_id, key.customer_id);
}

/** Writes the reminders of all customers without a test clock, each in a transaction of its own. */
export async function remindAll(sweeper: Sweeper): Promise<void> {
  for (const step of await stepsOfAll(sweeper.pool)) await remindOfStep(sweeper, step);
}

async function remindOfStep({ pool, signal, report }: Sweeper, step: Step): Promise<void> {
  const { environment_id } = step;
  for (let after = FIRST_PLACE; !signal.aborted;) {
    const page = await candidatesOf(pool, step, { after, limit: READ_AT_ONCE });
    for (const customer_id of new Set(page.map((candidate) => candidate.customer_id))) {
      if (signal.aborted) return;
      const key = { environment_id, customer_id };
      await transaction(pool, (db) => remindCustomer(db, key)).catch((error: unknown) => report(key, error));
    }
    if (page.length < READ_AT_ONCE) return;
    after = page.at(-1)!;
  }
}
