import type { Language } from '../../domain/email/language.ts';
import { DAYS_MORE, type MadeReminder, type OpenInvoice } from '../../domain/email/reminder.ts';
import type { EmailHours } from '../../domain/email/send-at.ts';
import type { Db } from '../connection/pool.ts';
import { CUSTOMER_NOW } from '../customers/customer-now.ts';
import { isPaused } from '../customers/collection-pauses.ts';
import { IS_REMINDED, TODAY, ZONE } from './reminder-stops.ts';

/** Invoices that one reminder may name. */
const NAMED_MAX = 500;

/** A customer with steps, its own or those of its environment. */
export type RemindedCustomer = {
  now: string;
  timezone: string;
  email_hours: EmailHours;
  language: Language;
  reminder_days: number[];
  /** Whether an earlier reminder has not left yet: no other one is made. */
  is_waiting: boolean;
};

/** Facts that decide about the reminders of a customer, by its `cus_` id; null for a customer without steps. */
export async function findRemindedCustomer(
  db: Db,
  environment_id: number,
  customer_id: string,
): Promise<RemindedCustomer | null> {
  const { rows } = await db.query<RemindedCustomer>(
    `select ${CUSTOMER_NOW} as now, coalesce(c.timezone, n.timezone) as timezone, n.email_hours,
       coalesce(c.language, n.language) as language,
       coalesce(c.reminder_days, n.reminder_days) as reminder_days, ${hasWaiting('c')} as is_waiting
     from customers c join environments n on n.id = c.environment_id
     where c.environment_id = $1 and c.id = $2 and coalesce(c.reminder_days, n.reminder_days) <> '[]'`,
    [environment_id, customer_id],
  );
  return rows[0] ?? null;
}

/** SQL: a reminder of the customer `c` waits, in real time; those of a test clock leave once it has moved. */
export function hasWaiting(c: string): string {
  return `(${c}.test_clock is null and exists (
      select from emails e
      where e.environment_id = ${c}.environment_id and e.customer_id = ${c}.id and e.status = 'queued'
        and e.kind = 'reminder' and e.created_by is null))`;
}

/** SQL: the last day of the pause of `row`, which is over by now. */
const pausedTo = (row: 'c' | 'i') => `
  case when not ${isPaused(row)} then (${row}.collection_pause ->> 'until')::date end,
  (${row}.collection_resumed_at at time zone ${ZONE})::date`;

/** The open invoices of a customer that may have a step by the day: the earliest due ones, at most NAMED_MAX. */
export async function invoicesWithSteps(
  db: Db,
  environment_id: number,
  { customer_id, reminder_days }: { customer_id: string; reminder_days: readonly number[] },
): Promise<OpenInvoice[]> {
  const { rows } = await db.query<OpenInvoice>(
    `select i.id as invoice_id, i.due_date::text as due_date, i.issued_at, own.emailed_at,
       coalesce(own.is_waiting, false) as is_email_waiting, n.email_kinds ? 'invoice' as is_emailed,
       greatest(${pausedTo('c')}, ${pausedTo('i')})::text as paused_to
     from customers c
     join environments n on n.id = c.environment_id
     join invoices i on i.environment_id = c.environment_id and i.customer_id = c.id and ${IS_REMINDED}
     cross join lateral (
       select max(case when c.test_clock is null then greatest(e.send_at, e.sent_at) else e.send_at end) as emailed_at,
         bool_or(e.status = 'queued' and (c.test_clock is null or e.send_at > c.test_clock)) as is_waiting
       from emails e
       where e.environment_id = i.environment_id and e.object_id = i.id and e.kind = 'invoice'
         and e.status <> 'canceled'
     ) as own
     where c.environment_id = $1 and c.id = $2
       and i.due_date between ${TODAY} - $4::integer - ${DAYS_MORE} and ${TODAY} - $3::integer
     order by i.due_date, i.id limit ${NAMED_MAX}`,
    [environment_id, customer_id, Math.min(...reminder_days), Math.max(...reminder_days)],
  );
  return rows;
}

/** The reminders with these reasons, each of which ends with a day. */
export async function madeReminders(
  db: Db,
  environment_id: number,
  reasons: readonly string[],
): Promise<MadeReminder[]> {
  const { rows } = await db.query<MadeReminder>(
    `select split_part(e.reason, '.', 3) as day, e.invoice_ids,
       case when c.test_clock is null then (e.sent_at at time zone ${ZONE})::date::text end as sent_on
     from emails e
     join environments n on n.id = e.environment_id
     join customers c on c.environment_id = e.environment_id and c.id = e.customer_id
     where e.environment_id = $1 and e.reason = any($2)`,
    [environment_id, reasons],
  );
  return rows;
}
