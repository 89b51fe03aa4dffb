import type { Config } from '../src/settings/config.ts';
import { forgetChanges } from '../src/db/changes/retention.ts';
import type { Pool } from '../src/db/connection/pool.ts';
import { noteNotices } from '../src/db/subscriptions/notices.ts';
import { noteExpiries } from '../src/db/credit/noted-expiries.ts';
import { noteOverdue } from '../src/db/invoicing/overdue.ts';
import { forgetDeliveries } from '../src/db/webhooks/deliveries.ts';
import type { Temporal } from '../src/temporal/temporal.ts';
import { noteStatuses } from '../src/db/subscriptions/noted-status.ts';
import { noteChangesOfPlan } from '../src/db/subscriptions/plan-changes.ts';
import { keepChecking } from './check.ts';
import { keepNumbering } from './feed.ts';
import { keepPartitions } from './partitions.ts';
import { redactEvents } from './redactions.ts';
import { writeMissingSearchTexts } from './search-texts.ts';
import { keepSweeping } from './sweep.ts';

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
    noting('overdue invoices cannot be noted', noteOverdue),
    noting('statuses cannot be noted', noteStatuses),
    noting('changes of plan cannot be noted', noteChangesOfPlan),
    noting('expiries cannot be noted', noteExpiries),
    noting('notices cannot be made', noteNotices),
    sweeping('properties of events cannot be redacted', redactEvents),
  ];
}
