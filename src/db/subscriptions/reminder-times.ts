import { DAYS_MORE } from '../../domain/email/reminder.ts';

/**
 * SQL: the instants `at` at which days begin on which the customer $2 of the environment $1 may get a reminder of an
 * open invoice, past ones too (billing.md 17).
 */
export const REMINDER_TIMES = `
  select (i.due_date + s.value::integer + more.days)::timestamp 
    at time zone known_zone(coalesce(c.timezone, n.timezone)) as at
  from customers c
  join environments n on n.id = c.environment_id
  cross join lateral jsonb_array_elements_text(coalesce(c.reminder_days, n.reminder_days)) as s
  cross join generate_series(0, ${DAYS_MORE}) as more(days)
  join invoices i on i.environment_id = c.environment_id and i.customer_id = c.id and i.status = 'open'
  where c.environment_id = $1 and c.id = $2`;
