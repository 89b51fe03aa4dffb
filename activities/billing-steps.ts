import { billNext, type Answer } from '../src/billing/close/bill-next.ts';
import { aggregateUsage, applyCredits, issueInvoice, type BillingStep } from '../src/billing/close/draft.ts';
import type { Question } from '../src/billing/close/next-step.ts';
import { transaction, type Db, type Pool } from '../src/db/connection/pool.ts';
import type { BillingSettings } from '../src/domain/subscription/subscription.ts';
import type { Temporal } from '../src/temporal/temporal.ts';
import { WORKFLOW_CODE } from '../workflows/messages.ts';
import { createCloseGroups, GroupFailure, type CloseGroups } from './close-groups.ts';
import { failPermanently, isOfItsRow } from './impossible.ts';
import type { CloseMetrics } from './close-metrics.ts';

type BillingStepDeps = {
  /** Its errors that no retry can fix park the subscription. */
  inBillingTransaction: <T>(work: (db: Db) => Promise<T>) => Promise<T>;
  groups: CloseGroups;
  settings: BillingSettings;
  temporal: Pick<Temporal, 'nudge'>;
};

/** The answer to a workflow: `workflow_code` is that of the worker, by which a run knows that a newer one is there. */
export type BillNextAnswer = Omit<Answer, 'turns'> & { workflow_code: number };

/**
 * The activities of a close: `billNext`, local, in a group with others (decision 42), and for what is heavy or has
 * failed there the three steps, each one transaction.
 */
export function billingSteps({ inBillingTransaction, groups, settings, temporal }: BillingStepDeps) {
  return {
    billNext: async (question: Question): Promise<BillNextAnswer> => {
      const { turns, ...answer } = await groups.add(question).catch((error: unknown) => {
        // The steps, which follow, say what is a member's own.
        if (error instanceof GroupFailure) throw error;
        return failPermanently(error);
      });
      void temporal.nudge(turns, 'takeTurn');
      return { ...answer, workflow_code: WORKFLOW_CODE };
    },
    aggregateUsage: (step: BillingStep) => inBillingTransaction((db) => aggregateUsage(db, step, settings)),
    applyCredits: (step: BillingStep) => inBillingTransaction((db) => applyCredits(db, step, settings)),
    issueInvoice: async (step: BillingStep): Promise<void> => {
      const waiting = await inBillingTransaction((db) => issueInvoice(db, step, settings));
      void temporal.nudge(waiting, 'takeTurn');
    },
  };
}

/** Below the time limit of a local activity: when that ends, its statements have ended too. */
const GROUP_MS_MAX = 50_000;

/** The groups of a worker, each one transaction of at most 50 s. */
export function closeGroupsOf(pool: Pool, settings: BillingSettings, metrics: CloseMetrics): CloseGroups {
  const groups = createCloseGroups({
    run: (environment_id, questions, { waits }) => {
      const ends_at = performance.now() + GROUP_MS_MAX;
      const work = (db: Db) =>
        billNext(endingAt(db, ends_at), environment_id, questions, {
          settings,
          waits,
          onPart: metrics.onPart,
        });
      return transaction(pool, work, { statement_ms: GROUP_MS_MAX });
    },
    mayBeOneMembersFault: isOfItsRow,
    onGroup: metrics.onGroup,
    onWaited: (ms) => metrics.onPart('queue', ms),
  });
  metrics.gaugeWaiting(groups.waiting);
  return groups;
}

/** Statements until an instant of performance.now(). After it the next one is not sent, and the transaction fails. */
function endingAt(db: Db, ends_at: number): Db {
  const query = db.query.bind(db) as (...parameters: unknown[]) => Promise<unknown>;
  const limited = (...parameters: unknown[]) => {
    if (performance.now() > ends_at)
      throw new Error(`the closes of a group took over ${GROUP_MS_MAX / 1000} s`);
    return query(...parameters);
  };
  return { query: limited as Db['query'] };
}
