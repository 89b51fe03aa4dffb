import * as workflow from '@temporalio/workflow';
import { wake, type MigrationInput } from './messages.ts';
import { activities } from './steps.ts';

/** Subscriptions of one run: the history stays short. */
const SUBSCRIPTIONS_A_RUN = 1000;

/**
 * Moves the subscribers of a plan, or takes their changes back, until the rows say that nothing is left. The rows say
 * how far it is: the workflow may be terminated and started again at any time. A signal beside its last call makes it
 * look again.
 */
export async function planMigrationWorkflow(input: MigrationInput): Promise<void> {
  let is_signaled = false;
  workflow.setHandler(wake, () => void (is_signaled = true));
  for (let moved = 0; moved < SUBSCRIPTIONS_A_RUN;) {
    is_signaled = false;
    const batch = await activities.moveSubscribers(input);
    if (batch.is_finished && !is_signaled) return;
    moved += batch.moved;
  }
  await workflow.continueAsNew<typeof planMigrationWorkflow>(input);
}
