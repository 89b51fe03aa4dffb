import type { Consumer } from '../db/changes/consumers.ts';
import { insertPlans, issuedInBatch, planOverdue, type IssuedInvoice } from '../db/collection/new-plans.ts';
import { collectedInBatch, type CollectedInvoice } from '../db/collection/open-attempts.ts';
import { firstChargeAt } from '../domain/collection/schedule.ts';

const ROWS_MAX = 2000;
/** Workflows that are signaled at once. */
const WAKES_AT_ONCE = 100;

/**
 * The consumer of the log that plans the charges of issued invoices, and starts and wakes the workflows of plans and
 * attempts (decisions 69 and 70). `wake` returns how many workflows it has reached; until it has reached all of a batch,
 * the place does not move, and no plan of it is stored.
 */
export function collectionsConsumer(wake: (invoices: CollectedInvoice[]) => Promise<number>): Consumer {
  return {
    name: 'collections',
    rows_max: ROWS_MAX,
    work: async (db) => {
      await insertPlans(db, (await issuedInBatch(db, ROWS_MAX)).map(firstCharge));
      await planOverdue(db, ROWS_MAX);
      const invoices = await collectedInBatch(db, ROWS_MAX);
      for (let first = 0; first < invoices.length; first += WAKES_AT_ONCE) {
        const waking = invoices.slice(first, first + WAKES_AT_ONCE);
        if ((await wake(waking)) < waking.length)
          throw new Error('a workflow of a charge is not reached; the log is read again');
      }
    },
  };
}

function firstCharge({ environment_id, invoice_id, customer_id, ...issued }: IssuedInvoice) {
  return { environment_id, invoice_id, customer_id, first_at: firstChargeAt(issued) };
}
