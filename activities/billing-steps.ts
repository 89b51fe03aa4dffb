import {
  aggregateUsage,
  applyCredits,
  issueInvoice,
  type BillingSettings,
  type BillingStep,
} from '../src/billing/draft.ts';
import { lockIfStillNext, nextStep, type NextStep } from '../src/billing/next-step.ts';
import type { Db } from '../src/db/connection/pool.ts';
import type { Temporal } from '../src/temporal.ts';
import { NOT_NEXT } from '../workflows/messages.ts';

/**
 * `foreseen`: the workflow did not ask for this step, so it is done only if it is still the next; whether the invoice is to be issued.
 * `tells_next`: the answer is the step after this one; `local_steps`: it says what is heavy.
 */
type AskedStep = BillingStep & { foreseen?: { issue: boolean }; tells_next?: boolean; local_steps?: boolean };

type BillingStepDeps = {
  inTransaction: <T>(work: (db: Db) => Promise<T>) => Promise<T>;
  /** Its errors that no retry can fix park the subscription. */
  inBillingTransaction: <T>(work: (db: Db) => Promise<T>) => Promise<T>;
  settings: BillingSettings;
  temporal: Pick<Temporal, 'nudge'>;
};

/** The three activities of a close, each one transaction (decision 31). An answer that tells the next step reads it in a second one. */
export function billingSteps({ inTransaction, inBillingTransaction, settings, temporal }: BillingStepDeps) {
  const nextAfter = async (step: AskedStep): Promise<NextStep | undefined> => {
    const { environment_id, subscription_id, tells_next, local_steps = false } = step;
    if (tells_next !== true) return undefined;
    const question = { environment_id, subscription_id, newer_columns: true, foresees: true, local_steps };
    return inTransaction((db) => nextStep(db, question, settings));
  };
  return {
    aggregateUsage: (step: AskedStep) =>
      inBillingTransaction(async (db) => {
        const { foreseen } = step;
        if (foreseen === undefined) return aggregateUsage(db, step, settings);
        const subscription = await lockIfStillNext(db, { ...step, ...foreseen }, settings);
        return subscription === null ? NOT_NEXT : aggregateUsage(db, step, settings, subscription);
      }),
    applyCredits: async (step: AskedStep) => {
      await inBillingTransaction((db) => applyCredits(db, step, settings));
      return nextAfter(step);
    },
    issueInvoice: async (step: AskedStep) => {
      const waiting = await inBillingTransaction((db) => issueInvoice(db, step, settings));
      void temporal.nudge(waiting, 'takeTurn');
      // In a transaction of its own: the one that issues holds the lock of the numbers until it ends.
      return nextAfter(step);
    },
  };
}
