import type { Cause } from '../../domain/usage/billing-cause.ts';
import type { Db } from '../connection/pool.ts';

/** An event as one charge of one subscription judges it. */
export type AskedPlace = {
  charge_id: string | null;
  subscription_id: string | null;
  invoice_id: string | null;
  cause: Cause;
};

/** Names, numbers and periods beside the ids of an AskedPlace. */
export type BilledPlace = {
  /** The name of the charge, or of the events that it counts. */
  charge_name: string | null;
  /** Null on a draft. */
  invoice_number: string | null;
  /** The trial or the part of a full period that holds the event; null where none is open yet, and without one. */
  period_start: string | null;
  period_end: string | null;
  full_period_end: string | null;
  /**
   * The invoice of that period that is not void, a draft too; where one that is void keeps the event from being billed,
   * that one.
   */
  period_invoice_id: string | null;
  period_invoice_number: string | null;
};

/** SQL: the invoice of the period `p` for an event of the cause `asked.cause`, of the period's parts `q`. */
const INVOICE_OF_PERIOD = `
  select i.id, i.full_number from periods q
  join invoices i on i.environment_id = q.environment_id and i.subscription_id = q.subscription_id
    and i.period_start = q.period_start and i.kind = 'period'
  where q.environment_id = $1 and q.subscription_id = asked.subscription_id
    and q.period_start >= p.full_period_start and q.period_start < p.interval_end
    and q.full_period_start = p.full_period_start and q.kind <> 'late'
    and case when asked.cause = 'invoice_void'
      then i.status = 'void' and q.closed_at is not null and not exists (
        select from invoices j where j.environment_id = $1 and j.subscription_id = q.subscription_id
          and j.period_start = q.period_start and j.status <> 'void' and j.kind = 'period')
      else i.status <> 'void' and q.period_start = p.period_start end
  order by q.period_start = p.period_start desc, i.id desc limit 1`;

/**
 * The place of an event for each charge that counts it, in the order of the question; by primary keys, and the invoices
 * of one full period.
 */
export async function readBilledPlaces(
  db: Db,
  environment_id: number,
  { timestamp, charges }: { timestamp: string; charges: readonly AskedPlace[] },
): Promise<BilledPlace[]> {
  const { rows } = await db.query<BilledPlace>(
    `select coalesce(h.name, h.event_name) as charge_name, i.full_number as invoice_number, p.period_start,
       p.period_end, p.full_period_end, b.id as period_invoice_id, b.full_number as period_invoice_number
     from unnest($2::text[], $3::text[], $4::text[], $5::text[]) with ordinality
       as asked(charge_id, subscription_id, invoice_id, cause, place)
     left join charges h on h.environment_id = $1 and h.id = asked.charge_id
     left join invoices i on i.environment_id = $1 and i.id = asked.invoice_id
     left join lateral (
       select found.*, (
         select max(q.period_end) from periods q
         where q.environment_id = $1 and q.subscription_id = asked.subscription_id
           and q.period_start >= found.period_start and q.period_start < found.interval_end
           and q.full_period_start = found.full_period_start and q.kind <> 'late') as full_period_end
       from (
         select period_start, period_end, full_period_start, interval_end from periods
         where environment_id = $1 and subscription_id = asked.subscription_id and period_start <= $6 and kind <> 'late'
         order by period_start desc limit 1) as found
       where found.period_end > $6 and asked.cause not in ('before_start', 'after_cancellation')
     ) as p on true
     left join lateral (${INVOICE_OF_PERIOD}) as b on true
     order by asked.place`,
    [
      environment_id,
      charges.map(({ charge_id }) => charge_id),
      charges.map(({ subscription_id }) => subscription_id),
      charges.map(({ invoice_id }) => invoice_id),
      charges.map(({ cause }) => cause),
      timestamp,
    ],
  );
  return rows;
}
