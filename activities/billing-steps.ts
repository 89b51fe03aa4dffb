import {
  aggregateUsage,
  applyCredits,
  issueInvoice,
  type BillingSettings,
  type BillingStep,
} from '../src/billing/draft.ts';
import { isStillNext, nextStep, type NextStep } from '../src/billing/next-step.ts';
import type { Db } from '../src/db/pool.ts';
import type { Temporal } from '../src/temporal.ts';
import { NOT_NEXT } from '../workflows/messages.ts';

/**
 * `foreseen`: the workflow did not ask for this step, so it is done only if it is still the next; whether the invoice is to be issued.
 * `tells_next`: the answer is the step after this one; `local_steps`: it says what is heavy.
 */
type AskedStep = BillingStep & { foreseen?: { issue: boolean }; tells_next?: boolean; local_steps?: boolean };

type BillingStepDeps = {
  inBillingTransaction: <T>(work: (db: Db) => Promise<T>) => Promise<T>;
  settings: BillingSettings;
  temporal: Pick<Temporal, 'nudge'>;
};

/** The three activities of a close, each one transaction (decision 31). */
export function billingSteps({ inBillingTransaction, settings, temporal }: BillingStepDeps) {
  const nextAfter = async (db: Db, step: AskedStep): Promise<NextStep | undefined> => {
    const { environment_id, subscription_id, tells_next, local_steps = false } = step;
    if (tells_next !== true) return undefined;
    const question = { environment_id, subscription_id, newer_columns: true, foresees: true, local_steps };
    return nextStep(db, question, settings);
  };
  return {
    aggregateUsage: (step: AskedStep) =>
      inBillingTransaction(async (db) => {
        const { foreseen } = step;
        if (foreseen !== undefined && !(await isStillNext(db, { ...step, ...foreseen }, settings)))
          return NOT_NEXT;
        return aggregateUsage(db, step, settings);
      }),
    applyCredits: (step: AskedStep) =>
      inBillingTransaction(async (db) => {
        await applyCredits(db, step, settings);
        return nextAfter(db, step);
      }),
    issueInvoice: async (step: AskedStep) => {
      const { waiting, next } = await inBillingTransaction(async (db) => ({
        waiting: await issueInvoice(db, step, settings),
        next: await nextAfter(db, step),
      }));
      void temporal.nudge(waiting, 'takeTurn');
      return next;
    },
  };
}
