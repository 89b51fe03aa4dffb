import { proxyActivities, proxyLocalActivities, sleep } from '@temporalio/workflow';
import type { BareActivities } from './bare-loop.ts';

const { step } = proxyActivities<BareActivities>({ startToCloseTimeout: '2 minutes' });
// A local activity costs the server nothing; it only counts how many workflows have got so far.
const { prepare } = proxyLocalActivities<BareActivities>({ startToCloseTimeout: '2 minutes' });

/** A billing workflow without billing: prepares, sleeps until an instant and runs empty steps. */
export async function bareWorkflow(input: { ends_at: string; steps: number }): Promise<void> {
  await prepare();
  await sleep(Math.max(1, Date.parse(input.ends_at) - Date.now()));
  for (let taken = 0; taken < input.steps; taken++) await step();
}
