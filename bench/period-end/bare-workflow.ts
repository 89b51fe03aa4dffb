import { proxyActivities, proxyLocalActivities, sleep } from '@temporalio/workflow';
import type { BareActivities } from './bare-loop.ts';

const { step } = proxyActivities<BareActivities>({ startToCloseTimeout: '2 minutes' });
// Local, so that it costs the server nothing: it only tells how many have come so far.
const { prepare } = proxyLocalActivities<BareActivities>({ startToCloseTimeout: '2 minutes' });

/** What is left of a billing workflow when nothing is billed: it prepares, sleeps until an instant and takes its steps. */
export async function bareWorkflow(input: { ends_at: string; steps: number }): Promise<void> {
  await prepare();
  await sleep(Math.max(1, Date.parse(input.ends_at) - Date.now()));
  for (let taken = 0; taken < input.steps; taken++) await step();
}
