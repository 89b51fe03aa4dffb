import type { ChargeHours, CHARGE_DATES } from '../../domain/collection/schedule.ts';
import { rowsOfBatch } from '../changes/consumers.ts';
import type { Db } from '../connection/pool.ts';
import { DUE } from '../invoicing/amount-due.ts';
import { IS_AUTOMATIC_MODE } from '../invoicing/charged.ts';
import { OVERDUE } from '../invoicing/overdue.ts';
import type { PlanKey } from './plans.ts';

/** An invoice that was issued while it is charged by itself. `due_date` is a day. */
export type IssuedInvoice = PlanKey &
  ChargeHours & {
    customer_id: string;
    issued_at: string;
    due_date: string;
    charge_on: (typeof CHARGE_DATES)[number];
  };

/**
 * SQL: the mode of `c`, of `n`, was automatic already as the row `r` of the log was written: a consumer reads it later,
 * and what was issued before a change is never planned.
 */
const WAS_AUTOMATIC = `${IS_AUTOMATIC_MODE} and r.noted_at >= greatest(c.charge_mode_at,
    case when c.charge_mode is null then n.charge_mode_at end, '-infinity')`;

const IS_DUE = `i.status = 'open' and ${DUE} > 0`;

/** Invoices that the next batch of the consumer `collections` has issued, where the mode is automatic. */
export async function issuedInBatch(db: Db, rows_max: number): Promise<IssuedInvoice[]> {
  const { rows } = await db.query<IssuedInvoice>(
    `select i.environment_id, i.id as invoice_id, i.customer_id, i.issued_at, i.due_date::text as due_date, n.charge_on,
       coalesce(c.timezone, n.timezone) as timezone, n.email_hours as hours
     from ${rowsOfBatch('collections', rows_max)} as r
     join invoices i on i.environment_id = r.environment_id and i.id = r.after ->> 'id'
     join customers c on c.environment_id = i.environment_id and c.id = i.customer_id
     join environments n on n.id = i.environment_id
     where r.table_name = 'invoices' and r.after ->> 'number' is not null and r.before ->> 'number' is null
       and ${IS_DUE} and ${WAS_AUTOMATIC}
     order by i.environment_id, i.id`,
    [],
  );
  return rows;
}

/** An invoice and the instant of its first charge. */
export type FirstCharge = PlanKey & { customer_id: string; first_at: string };

/** SQL: an invoice that has a plan, or had one since its issue, gets none. */
const UNLESS_PLANNED = `on conflict (environment_id, invoice_id) do update
     set first_at = excluded.first_at, next_attempt_at = excluded.next_attempt_at,
       status = case when k.status in ('charging', 'processing') then k.status else 'scheduled' end
     where k.first_at is null`;

/** Plans the first charges of issued invoices, each once. */
export async function insertPlans(db: Db, charges: readonly FirstCharge[]): Promise<void> {
  if (charges.length === 0) return;
  await db.query(
    `insert into collections as k (environment_id, invoice_id, customer_id, status, first_at, next_attempt_at)
     select p.environment_id, p.invoice_id, p.customer_id, 'scheduled', p.first_at, p.first_at
     from jsonb_to_recordset($1) as p(environment_id integer, invoice_id text, customer_id text, first_at timestamptz)
     ${UNLESS_PLANNED}`,
    [JSON.stringify(charges)],
  );
}

/**
 * Plans the overdue invoices without a plan of customers with a new default method in the next batch of the consumer
 * `collections`, where the mode is automatic: at once.
 */
export async function planOverdue(db: Db, rows_max: number): Promise<void> {
  await db.query(
    `insert into collections as k (environment_id, invoice_id, customer_id, status, first_at, next_attempt_at)
     select distinct i.environment_id, i.id, i.customer_id, 'scheduled', m.default_since, m.default_since
     from ${rowsOfBatch('collections', rows_max)} as r
     join payment_methods m on m.environment_id = r.environment_id and m.id = r.after ->> 'id'
       and m.is_default and m.status = 'active'
     join customers c on c.environment_id = m.environment_id and c.id = m.customer_id
     join environments n on n.id = c.environment_id
     join invoices i on i.environment_id = c.environment_id and i.customer_id = c.id and ${IS_DUE} and ${OVERDUE}
     where r.table_name = 'payment_methods' and r.after ->> 'is_default' = 'true'
       and r.before ->> 'is_default' is distinct from 'true' and ${WAS_AUTOMATIC}
     ${UNLESS_PLANNED}`,
    [],
  );
}
