import { Context } from '@temporalio/activity';
import type { BillingSettings } from '../src/domain/subscription/subscription.ts';
import { generateInvoices } from '../src/billing/close/generate.ts';
import { releaseDraft } from '../src/db/invoicing/invoice-transitions.ts';
import { nextStep, type Question } from '../src/billing/close/next-step.ts';
import {
  transaction,
  type Act,
  type Db,
  type TransactionLimits,
  type Pool,
} from '../src/db/connection/pool.ts';
import type { MigrationKey } from '../src/db/subscriptions/plan-migrations.ts';
import { requestRegeneration } from '../src/db/subscriptions/regenerations.ts';
import { parkSubscription } from '../src/billing/close/park.ts';
import type { Temporal } from '../src/temporal/temporal.ts';
import { billingSteps, closeGroupsOf } from './billing-steps.ts';
import type { CloseMetrics } from './close-metrics.ts';
import { withHeartbeat } from './heartbeat.ts';
import { failPermanently } from './impossible.ts';
import { checkAndShow } from './invariants.ts';
import { moveSubscribers } from './plan-migrations.ts';
import { reconcileSubscriptions, type ReconcileTemporal } from './reconcile.ts';
import { regenerateInvoice } from './regenerate.ts';

export type ActivityDeps = {
  pool: Pool;
  /** Pool for long statements. */
  background_pool: Pool;
  settings: BillingSettings;
  check_share_percent: number;
  metrics: CloseMetrics;
  temporal: ReconcileTemporal & Pick<Temporal, 'stateOf'>;
};

export type BillingActivities = ReturnType<typeof createActivities>;

/** The actor of what only a signal asks for that somebody sends by hand. */
const BY_SIGNAL: Act = { actor: 'signal' };

type SubscriptionKey = { environment_id: number; subscription_id: string };

/**
 * The activities. Each is one transaction and safe to run twice, even concurrently: it locks the subscription and then
 * finds its own work already done. Histories store the names, so none is ever renamed.
 */
export function createActivities({
  pool,
  background_pool,
  settings,
  check_share_percent,
  metrics,
  temporal,
}: ActivityDeps) {
  const inTransaction = <T>(work: (db: Db) => Promise<T>, act: Act = {}) =>
    withHeartbeat(transaction(pool, work, { ...patience(), act }));
  const inBillingTransaction = <T>(work: (db: Db) => Promise<T>, act: Act = {}) =>
    inTransaction(work, act).catch(failPermanently);
  const groups = closeGroupsOf(pool, settings, metrics);
  return {
    ...billingSteps({ inBillingTransaction, groups, settings, temporal }),
    releaseDraft: (key: SubscriptionKey & { invoice_id: string }) =>
      inBillingTransaction((db) => releaseDraft(db, key.environment_id, key.invoice_id)),
    generateInvoices: async (key: SubscriptionKey) => {
      const ids: string[] = [];
      for (let has_more = true; has_more;) {
        const generated = await inBillingTransaction(
          (db) => generateInvoices(db, key, { close_now: false }, settings),
          BY_SIGNAL,
        );
        ids.push(...(generated?.invoices.map(({ id }) => id) ?? []));
        has_more = generated?.has_more ?? false;
      }
      return ids.length === 0 ? 'No period was due.' : `Created ${ids.join(', ')}.`;
    },
    requestRegeneration: async (key: SubscriptionKey & { invoice_id: string }) => {
      const request = { ...key, reason: 'requested by signal', request_key: requestKey() };
      const id = await inTransaction((db) => requestRegeneration(db, key.environment_id, request));
      return id ?? `${key.invoice_id} is not an invoice of this subscription.`;
    },
    regenerateInvoice: (key: SubscriptionKey & { regeneration_id: string }) =>
      withHeartbeat(regenerateInvoice({ pool, settings, patience: patience() }, key)),
    // Every path of the workflow depends on these two, so they are retried for ever.
    nextStep: (question: Question) => inTransaction((db) => nextStep(db, question, settings)),
    parkSubscription: async (key: SubscriptionKey & { reason: string }) => {
      const waiting = await inTransaction((db) => parkSubscription(db, key, settings));
      void temporal.nudge(waiting, 'takeTurn');
      Context.current().log.error('a subscription needs attention', { ...key });
    },
    moveSubscribers: (key: MigrationKey) => {
      const is_retried = Context.current().info.attempt > 1;
      return withHeartbeat(
        moveSubscribers({ pool, temporal, settings, patience: patience(), is_retried }, key),
      );
    },
    reconcileSubscriptions: () => reconcileSubscriptions({ pool, temporal }),
    checkInvariants: () =>
      withHeartbeat(checkAndShow({ pool, background_pool, check_share_percent, temporal })),
  };
}

/**
 * Statement timeout of the first attempt: a dead connection then delays a period by less than a minute. Each retry gets
 * more time, up to the time limit of an activity.
 */
export const STEP_STATEMENT_MS = 30_000;
const STEP_STATEMENT_MS_MAX = 110_000;
function patience(): TransactionLimits {
  const { attempt } = Context.current().info;
  return attempt === 1 ? {} : { statement_ms: Math.min(attempt * STEP_STATEMENT_MS, STEP_STATEMENT_MS_MAX) };
}

/** One key per signal that an operator sent: the activity that serves it may run twice. */
function requestKey(): string {
  const { workflowExecution, activityId } = Context.current().info;
  return [workflowExecution?.workflowId, workflowExecution?.runId, activityId].join('/');
}
