import { DAYS_MORE, MADE_DAYS } from '../../domain/email/reminder.ts';
import type { Db } from '../connection/pool.ts';
import { hasWaiting } from './reminders.ts';
import { IS_REMINDED, TODAY, ZONE } from './reminder-stops.ts';

/** A step of an environment: its own one, or one that customers of it have. */
export type Step = { environment_id: number; step: number; is_own: boolean };

/** Every step of every environment that reminds; none where nobody does. */
export async function stepsOfAll(db: Db): Promise<Step[]> {
  const { rows } = await db.query<Step>(
    `select n.id as environment_id, s.value::integer as step, false as is_own
     from environments n cross join lateral jsonb_array_elements_text(n.reminder_days) as s
     union
     select c.environment_id, s.value::integer, true
     from customers c cross join lateral jsonb_array_elements_text(c.reminder_days) as s
     where c.reminder_days is not null
     order by environment_id, step, is_own`,
  );
  return rows;
}

/** The place of an invoice among those of a step. */
export type Place = { due_date: string; id: string };
export const FIRST_PLACE: Place = { due_date: '-infinity', id: '' };

/** An invoice that may have a step now. */
export type Candidate = Place & { customer_id: string };

/** SQL: the day of the step $2 of the invoice `i`. */
const STEP_DAY = 'i.due_date + $2::integer';

/** SQL: the end of the hours of today, of `c` and `n`. */
const HOURS_END = `((${TODAY} + (n.email_hours ->> 'until')::integer * interval '1 hour') at time zone ${ZONE})`;

/** SQL: the reminder of the customer `c` on the day `days` before today. */
const reasonOf = (days: number) => `'reminder.' || c.id || '.' || (${TODAY} - ${days})`;

/** SQL: a reminder is of today or left today, or one has named the invoice `i` since its step. */
const IS_GONE = `exists (
    select from emails e
    where e.environment_id = i.environment_id
      and e.reason in (${Array.from({ length: MADE_DAYS + 1 }, (_, days) => reasonOf(days)).join(', ')})
      and (e.reason = ${reasonOf(0)} or (e.sent_at at time zone ${ZONE})::date = ${TODAY}
        or (e.reason >= 'reminder.' || c.id || '.' || (${STEP_DAY}) and e.invoice_ids @> array[i.id])))`;

/** SQL: the own email of the invoice `i` waits, or went too short a time ago for a reminder today. */
const IS_EMAIL_NEAR = `exists (
    select from emails e
    where e.environment_id = i.environment_id and e.object_id = i.id and e.kind = 'invoice' and e.status <> 'canceled'
      and (e.status = 'queued' or greatest(e.send_at, e.sent_at) > ${HOURS_END} - interval '48 hours'))`;

/**
 * A page of the invoices that may have a step now, in the order of their due dates, after a place: few that have none.
 * Customers with a test clock have theirs as it moves.
 */
export async function candidatesOf(
  db: Db,
  { environment_id, step, is_own }: Step,
  { after, limit }: { after: Place; limit: number },
): Promise<Candidate[]> {
  const own = is_own ? 'c.reminder_days @> to_jsonb($2::integer)' : 'c.reminder_days is null';
  const { rows } = await db.query<Candidate>(
    `select i.due_date::text as due_date, i.id, c.id as customer_id
     from environments n
     join invoices i on i.environment_id = n.id and i.status = 'open'
       and i.due_date between current_date - $2::integer - ${DAYS_MORE + 1} and current_date - $2::integer + 1
       and (i.due_date, i.id) > ($3::date, $4)
     join customers c on c.environment_id = i.environment_id and c.id = i.customer_id
     where n.id = $1 and c.test_clock is null and ${own}
       and ${TODAY} between ${STEP_DAY} and ${STEP_DAY} + ${DAYS_MORE}
       and now() < ${HOURS_END} and ${IS_REMINDED}
       and not ${IS_GONE} and not ${IS_EMAIL_NEAR} and not ${hasWaiting('c')}
     order by i.due_date, i.id limit $5`,
    [environment_id, step, after.due_date, after.id, limit],
  );
  return rows;
}
