import { proxyActivities, proxyLocalActivities, sleep } from '@temporalio/workflow';
import type { BareActivities } from './bare.ts';

const { step } = proxyActivities<BareActivities>({ startToCloseTimeout: '2 minutes' });
// A local activity costs the server nothing; `prepare` only counts how many workflows have got so far.
const local = proxyLocalActivities<BareActivities>({ startToCloseTimeout: '2 minutes' });

/** A billing workflow without billing: sleeps until an instant, runs one empty local activity and sleeps on. */
export async function bareSleeper(input: { ends_at: string }): Promise<void> {
  await sleepUntil(input.ends_at);
  await local.step();
  await sleep('1 day');
}

/** A workflow as an engine without groups has it: sleeps until an instant and runs three empty regular activities. */
export async function bareLoop(input: { ends_at: string }): Promise<void> {
  await sleepUntil(input.ends_at);
  for (let taken = 0; taken < 3; taken++) await step();
}

async function sleepUntil(ends_at: string): Promise<void> {
  await local.prepare();
  await sleep(Math.max(1, Date.parse(ends_at) - Date.now()));
}
