import { setTimeout as delay } from 'node:timers/promises';
import { waitUntil } from '../waiting.ts';

/** Workflows that sleep until one instant and then have work to do. */
export type Side = {
  /** What can be done before the instant is known. */
  prepare: (workflows: number) => Promise<void>;
  /** Starts the workflows; resolves when all of them sleep. Throws where they do not before the instant. */
  start: (ends_at: string) => Promise<void>;
  /** How many are done, counting parts. */
  finished: () => number | Promise<number>;
  /** Resolves when nothing is under way any more and everything was found right. */
  settle: () => Promise<void>;
};

/** Some times what it takes on two processors, because a start that is not over in time ends the figure. */
const FIRST_START_MS_A_WORKFLOW = 40;
/** How long the instant lies ahead: the time that a start takes at the pace of the one before, and some more. */
const LEAD = { ms: 15_000, starts: 2 };
const LIMIT_MS_A_WORKFLOW = 1000;

type Beside = (work: Promise<unknown>) => Promise<void>;

/**
 * Returns how to measure a side: workflows done a second, from their instant to the last of them. `beside` is what else goes on
 * from the instant on; it must end with the work.
 */
export function rateOf(side: Side, beside?: Beside): (workflows: number) => Promise<number> {
  let start_ms_a_workflow = FIRST_START_MS_A_WORKFLOW;
  return async (workflows) => {
    await side.prepare(workflows);
    const started_at = Date.now();
    const ends_at_ms = started_at + LEAD.ms + LEAD.starts * start_ms_a_workflow * workflows;
    await side.start(new Date(ends_at_ms).toISOString());
    start_ms_a_workflow = (Date.now() - started_at) / workflows;
    await delay(ends_at_ms - Date.now());
    const isDone = async () => (await side.finished()) >= workflows;
    let done_at_ms = 0;
    const work = waitUntil(
      `the work of ${workflows} workflows`,
      workflows * LIMIT_MS_A_WORKFLOW,
      isDone,
    ).then(() => (done_at_ms = Date.now()));
    await (beside?.(work) ?? work);
    const rate = (workflows * 1000) / (done_at_ms - ends_at_ms);
    await side.settle();
    return rate;
  };
}
