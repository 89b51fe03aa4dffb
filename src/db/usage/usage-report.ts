import {
  BILLING_REASONS,
  statusOfCause,
  billingParameters,
  eventBillings,
  type Cause,
  type BillingScope,
  type BillingStatus,
} from './event-billing.ts';
import type { Db } from '../pool.ts';

/** Number of events accepted on a day, and of these the number in each billing status; the statuses sum to `accepted`. */
export type UsageDay = Record<BillingStatus, number> & {
  /** Midnight UTC; the range may cut the first and the last day. */
  day: string;
  accepted: number;
};

/**
 * Precedence: an event that several charges count is counted once, under the first of these causes. Causes that need attention come first.
 */
const CAUSES: readonly Cause[] = [
  'too_late',
  'late',
  'pending',
  'invoice_void',
  'billed',
  'trial',
  ...BILLING_REASONS.filter((reason) => reason !== 'invoice_void'),
];

const NONE = { accepted: 0, pending: 0, billed: 0, late: 0, too_late: 0, trial: 0, unrated: 0 };

/** Every day of the range in order, days without events included. */
export async function readUsageReport(db: Db, scope: BillingScope): Promise<UsageDay[]> {
  const { rows } = await db.query<{ day: string; cause: Cause | null; events: string }>(
    `${eventBillings()},
     placed as (
       select date_trunc('day', timestamp, 'UTC') as day, min(array_position($6::text[], cause)) as place
       from billing group by event_id, timestamp
     ),
     counted as (select day, place, count(*) as events from placed group by day, place)
     select day, ($6::text[])[place] as cause, coalesce(events, 0) as events
     from generate_series(date_trunc('day', $3::timestamptz, 'UTC'), $4::timestamptz - interval '1 millisecond',
       interval '1 day') as day
     left join counted using (day)
     order by day`,
    [...billingParameters(scope), CAUSES],
  );
  const days = new Map<string, UsageDay>();
  for (const { day, cause, events } of rows) {
    const counts = days.get(day) ?? { day, ...NONE };
    days.set(day, counts);
    if (cause === null) continue;
    counts.accepted += Number(events);
    counts[statusOfCause(cause).status] += Number(events);
  }
  return [...days.values()];
}
