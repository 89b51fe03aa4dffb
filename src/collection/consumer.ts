import type { Consumer } from '../db/changes/consumers.ts';
import { attemptsInBatch, type CollectedInvoice } from '../db/collection/open-attempts.ts';
import { wakePagesInBatch } from '../db/collection/payment-pages.ts';

const ROWS_MAX = 2000;

/**
 * The consumer of the log that starts and wakes the workflows of open attempts (decision 69): of a new one, and where
 * its invoice or customer has changed. The page on which a changed invoice is paid is read (decision 71). `wake`
 * returns how many workflows it has reached; until it has reached all of a batch, the place does not move.
 */
export function collectionsConsumer(wake: (invoices: CollectedInvoice[]) => Promise<number>): Consumer {
  return {
    name: 'collections',
    rows_max: ROWS_MAX,
    work: async (db) => {
      const invoices = await attemptsInBatch(db, ROWS_MAX);
      if ((await wake(invoices)) < invoices.length)
        throw new Error('a workflow of a charge is not reached; the log is read again');
      await wakePagesInBatch(db, ROWS_MAX);
    },
  };
}
