import { setTimeout as delay } from 'node:timers/promises';
import { waitUntil } from '../waiting.ts';

/** Workflows that sleep until one instant and then do their work. */
export type Side = {
  /** Does what needs no knowledge of the instant. */
  prepare: (workflows: number) => Promise<void>;
  /** Starts the workflows; resolves when all of them sleep. Throws if they do not before the instant. */
  start: (ends_at: string) => Promise<void>;
  /** Number of finished workflows, fractions included. */
  finished: () => number | Promise<number>;
  /** Resolves when nothing is running any more and all results were checked. */
  settle: () => Promise<void>;
};

/** Several times the usual time on two processors, because a start that is too slow fails the figure. */
const FIRST_START_MS_A_WORKFLOW = 40;
/** How far ahead the instant lies: 15 s plus twice the time of a start at the previous pace. */
const LEAD = { ms: 15_000, starts: 2 };
const LIMIT_MS_A_WORKFLOW = 1000;

type Beside = (work: Promise<unknown>) => Promise<void>;

/**
 * Returns a function that measures a side: finished workflows per second, from their instant to the last one. `beside` is a load
 * that runs from the instant on and must end with the work.
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
