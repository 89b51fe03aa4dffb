import type { AnsweredCharge, ChargeHours, PlanStatus } from '../../domain/collection/schedule.ts';
import type { Db } from '../connection/pool.ts';
import { IS_PAUSED, isPaused } from '../customers/collection-pauses.ts';
import { CUSTOMER_NOW } from '../customers/customer-now.ts';
import { DUE } from '../invoicing/amount-due.ts';
import { HAS_OPEN_ATTEMPT, HAS_OPEN_PAGE, IS_AUTOMATIC_MODE } from '../invoicing/charged.ts';
import { OVERDUE } from '../invoicing/overdue.ts';

export type PlanKey = { environment_id: number; invoice_id: string };

/** The plan of an invoice, with all that decides what comes next. `customer_id` is our `cus_` id. */
export type PlanRow = PlanKey &
  ChargeHours & {
    customer_id: string;
    status: PlanStatus;
    first_at: string | null;
    next_attempt_at: string | null;
    is_automatic: boolean;
    charge_retry_days: number[];
    /** The customer's. */
    now: string;
    has_test_clock: boolean;
    currency: string;
    /** Amount due of an open invoice; null where it is not open, or nothing is due. */
    due: string | null;
    is_void: boolean;
    is_overdue: boolean;
    /** An attempt is open. */
    is_charged: boolean;
    has_open_page: boolean;
    is_paused: boolean;
    /** When the pause is looked at again: the end of the first one that ends by itself. */
    pause_ends_at: string | null;
    /** When the last pause ended; null if none has. */
    held_until: string | null;
    /** The default method that may be charged; null without one. */
    method_id: string | null;
    method_since: string | null;
  };

/** SQL: the end of the pause of `row` by itself. */
const endsAt = (row: 'i' | 'c') => `(${row}.collection_pause ->> 'ends_at')::timestamptz`;

/** SQL: when a pause of `row` ended; null while one lasts. */
const heldUntil = (row: 'i' | 'c') => `
  case when not ${isPaused(row)} then greatest(${endsAt(row)}, ${row}.collection_resumed_at) end`;

/** The plan of an invoice; null before its first plan and attempt. A caller that decides holds the customer's lock. */
export async function findPlan(db: Db, { environment_id, invoice_id }: PlanKey): Promise<PlanRow | null> {
  const { rows } = await db.query<PlanRow>(
    `select k.environment_id, k.invoice_id, k.customer_id, k.status, k.first_at, k.next_attempt_at,
       ${IS_AUTOMATIC_MODE} as is_automatic, n.charge_retry_days, coalesce(c.timezone, n.timezone) as timezone,
       n.email_hours as hours, ${CUSTOMER_NOW} as now, c.test_clock is not null as has_test_clock, i.currency,
       case when i.status = 'open' and ${DUE} > 0 then (${DUE})::text end as due, i.status = 'void' as is_void,
       ${OVERDUE} as is_overdue,
       ${HAS_OPEN_ATTEMPT} as is_charged, ${HAS_OPEN_PAGE} as has_open_page, ${IS_PAUSED} as is_paused,
       least(case when ${isPaused('i')} then ${endsAt('i')} end, case when ${isPaused('c')} then ${endsAt('c')} end)
         as pause_ends_at,
       greatest(${heldUntil('i')}, ${heldUntil('c')}) as held_until, m.id as method_id, m.default_since as method_since
     from collections k
     join environments n on n.id = k.environment_id
     join invoices i on i.environment_id = k.environment_id and i.id = k.invoice_id
     join customers c on c.environment_id = k.environment_id and c.id = k.customer_id
     left join (payment_methods m join payment_providers v
         on v.environment_id = m.environment_id and v.id = m.provider_id and v.deleted_at is null)
       on m.environment_id = k.environment_id and m.customer_id = k.customer_id and m.is_default and m.status = 'active'
     where k.environment_id = $1 and k.invoice_id = $2`,
    [environment_id, invoice_id],
  );
  return rows[0] ?? null;
}

/** The charges of an invoice by the schedule that the provider has answered, in order. */
export async function answeredCharges(
  db: Db,
  { environment_id, invoice_id }: PlanKey,
): Promise<(AnsweredCharge & { id: string })[]> {
  const { rows } = await db.query<AnsweredCharge & { id: string }>(
    `select a.id, a.at, a.payment_method_id as method_id,
       case when a.status = 'action_required' then a.status else a.again end as again
     from payment_attempts a
     where a.environment_id = $1 and a.invoice_id = $2 and a.by = 'schedule'
       and (a.status = 'action_required' or (a.status in ('declined', 'canceled') and a.again is not null))
     order by a.number`,
    [environment_id, invoice_id],
  );
  return rows;
}

/** Columns that are written of a plan whose invoice has no open attempt. */
export type NewPlan = Pick<PlanRow, 'status' | 'first_at' | 'next_attempt_at'>;

/** Writes a plan; the caller holds the lock of the customer, under which it has read it. */
export async function writePlan(
  db: Db,
  { environment_id, invoice_id }: PlanKey,
  { status, first_at, next_attempt_at }: NewPlan,
): Promise<void> {
  await db.query(
    `update collections set status = $3, first_at = $4, next_attempt_at = $5
     where environment_id = $1 and invoice_id = $2`,
    [environment_id, invoice_id, status, first_at, next_attempt_at],
  );
}

/** Notes that an attempt of an invoice has begun: that of its plan, or one of a person, which moves no plan. */
export async function noteBegun(
  db: Db,
  { environment_id, invoice_id }: PlanKey,
  { customer_id, by }: { customer_id: string; by: 'schedule' | 'person' },
): Promise<void> {
  await db.query(
    `insert into collections as k (environment_id, invoice_id, customer_id, status, attempts)
     values ($1, $2, $3, 'charging', 1)
     on conflict (environment_id, invoice_id) do update set status = 'charging', attempts = k.attempts + 1,
       next_attempt_at = case when $4 = 'person' then k.next_attempt_at end`,
    [environment_id, invoice_id, customer_id, by],
  );
}

/** Notes how far the open attempt of an invoice is. */
export async function noteUnderWay(
  db: Db,
  attempt: { environment_id: number; id: string },
  status: 'charging' | 'processing',
): Promise<void> {
  await db.query(
    `update collections k set status = $3 from payment_attempts a
     where a.environment_id = $1 and a.id = $2 and k.environment_id = a.environment_id and k.invoice_id = a.invoice_id
       and k.status in ('charging', 'processing') and k.status <> $3`,
    [attempt.environment_id, attempt.id, status],
  );
}
