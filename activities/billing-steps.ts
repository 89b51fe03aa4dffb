import { aggregateUsage, applyCredits, issueInvoice, type BillingStep } from '../src/billing/draft.ts';
import type { BillingSettings } from '../src/domain/subscription.ts';
import { lockIfStillNext, nextStep, type NextStep } from '../src/billing/next-step.ts';
import type { Db } from '../src/db/connection/pool.ts';
import type { Temporal } from '../src/temporal.ts';
import { NOT_NEXT } from '../workflows/messages.ts';

/** A step of a close, as a workflow asks for it. */
type AskedStep = BillingStep & {
  /** The invoice is issued in the same close: `issueInvoice` follows `applyCredits`. */
  issue: boolean;
  /** The rows were not asked since the wait began, so the step is done only if it is still the next. */
  foreseen: boolean;
};

type BillingStepDeps = {
  inTransaction: <T>(work: (db: Db) => Promise<T>) => Promise<T>;
  /** Its errors that no retry can fix park the subscription. */
  inBillingTransaction: <T>(work: (db: Db) => Promise<T>) => Promise<T>;
  settings: BillingSettings;
  temporal: Pick<Temporal, 'nudge'>;
};

/** The three activities of a close, each one transaction (decision 31). The last one reads the next step in a second one, and answers with it. */
export function billingSteps({ inTransaction, inBillingTransaction, settings, temporal }: BillingStepDeps) {
  const nextAfter = ({ environment_id, subscription_id }: AskedStep): Promise<NextStep> =>
    inTransaction((db) => nextStep(db, { environment_id, subscription_id }, settings));
  return {
    aggregateUsage: (step: AskedStep) =>
      inBillingTransaction(async (db) => {
        if (!step.foreseen) return aggregateUsage(db, step, settings);
        const is_next = await lockIfStillNext(db, step, settings);
        return is_next ? aggregateUsage(db, step, settings, true) : NOT_NEXT;
      }),
    applyCredits: async (step: AskedStep) => {
      await inBillingTransaction((db) => applyCredits(db, step, settings));
      return step.issue ? undefined : nextAfter(step);
    },
    issueInvoice: async (step: AskedStep) => {
      const waiting = await inBillingTransaction((db) => issueInvoice(db, step, settings));
      void temporal.nudge(waiting, 'takeTurn');
      // In a transaction of its own: the one that issues holds the lock of the numbers until it ends.
      return nextAfter(step);
    },
  };
}
