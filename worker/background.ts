import { setTimeout as pause } from 'node:timers/promises';
import { withoutSearchText, writeSearchTexts } from '../src/db/customers/customer-search.ts';
import type { Config } from '../src/settings/config.ts';
import { forgetChanges } from '../src/db/changes/retention.ts';
import type { Db, Pool } from '../src/db/connection/pool.ts';
import { noteNotices } from '../src/db/subscriptions/notices.ts';
import { noteExpiries } from '../src/db/credit/noted-expiries.ts';
import { noteOverdue } from '../src/db/invoicing/overdue.ts';
import { sweepProviderEvents } from '../src/db/collection/provider-events.ts';
import { forgetDeliveries } from '../src/db/webhooks/deliveries.ts';
import type { Temporal } from '../src/temporal/temporal.ts';
import { noteStatuses } from '../src/db/subscriptions/noted-status.ts';
import { noteChangesOfPlan } from '../src/db/subscriptions/plan-changes.ts';
import { keepChecking } from './check.ts';
import { keepNumbering } from './feed.ts';
import { keepPartitions } from './partitions.ts';
import { redactEvents } from './redactions.ts';

/** How many rows a sweep changes at once. */
const SWEPT_AT_ONCE = 500;
const REST_MS = 10_000;

/** `report` takes a sentence for each failure. */
type Services = {
  pool: Pool;
  temporal: Pick<Temporal, 'wakeEndpoints'>;
  report: (fault: string, cause: object) => void;
};

/** Work on rows that no workflow does, until the signal. */
export function backgroundWork(
  { pool, temporal, report }: Services,
  { check_share_percent: share_percent, feed_kept_days }: Config,
  signal: AbortSignal,
): Promise<void>[] {
  const reporting = (fault: string) => (error: unknown) => report(fault, { error });
  const sweeping = (fault: string, sweep: (db: Pool, limit: number) => Promise<number>) =>
    keepSweeping((limit) => sweep(pool, limit), signal, reporting(fault));
  const noting = (fault: string, note: typeof noteOverdue) =>
    sweeping(fault, (db, limit) => note(db, { customer_id: null, limit }));
  return [
    keepChecking({ pool, share_percent }, signal, report),
    keepPartitions(
      { pool, feed_kept_days },
      signal,
      reporting('partitions cannot be made: events and changes go to the common ones'),
    ),
    keepNumbering({ pool, temporal }, signal, reporting('changes cannot be numbered')),
    sweeping('customers cannot be made searchable', writeMissingSearchTexts),
    sweeping('old rows of the log of changes cannot be deleted', forgetChanges),
    sweeping('old webhook deliveries cannot be deleted', forgetDeliveries),
    sweeping('old events of payment providers cannot be deleted', sweepProviderEvents),
    noting('overdue invoices cannot be noted', noteOverdue),
    noting('statuses cannot be noted', noteStatuses),
    noting('changes of plan cannot be noted', noteChangesOfPlan),
    noting('expiries cannot be noted', noteExpiries),
    noting('notices cannot be made', noteNotices),
    sweeping('properties of events cannot be redacted', redactEvents),
  ];
}

/**
 * Runs a sweep until the signal: again at once while it finds as many rows as it may, else after ten seconds. `sweep`
 * returns how many it found. Reports a failure and retries. Several workers may run it at the same time.
 */
async function keepSweeping(
  sweep: (limit: number) => Promise<number>,
  signal: AbortSignal,
  reportFailure: (error: unknown) => void,
): Promise<void> {
  while (!signal.aborted) {
    const count = await sweep(SWEPT_AT_ONCE).catch((error: unknown) => {
      reportFailure(error);
      return 0;
    });
    if (count < SWEPT_AT_ONCE) await pause(REST_MS, undefined, { signal }).catch(() => undefined);
  }
}

/**
 * Writes the search text of customers that have none, at most `limit`: another program renamed them. Returns how many
 * it has seen.
 */
async function writeMissingSearchTexts(db: Db, limit: number): Promise<number> {
  const customers = await withoutSearchText(db, limit);
  if (customers.length > 0) await writeSearchTexts(db, customers);
  return customers.length;
}
