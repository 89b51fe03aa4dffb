import { setTimeout as delay } from 'node:timers/promises';

/** Milliseconds: one close takes a tenth of a second, many due periods take longer. */
const PAUSE_MS = { least: 15, most: 250, growth: 1.4 };

/**
 * Returns the pause of a request that polls rows until a workflow has changed them. Each pause is longer than the one
 * before.
 */
export function createPauses(): () => Promise<void> {
  let pause_ms = PAUSE_MS.least;
  return async () => {
    await delay(pause_ms);
    pause_ms = Math.min(pause_ms * PAUSE_MS.growth, PAUSE_MS.most);
  };
}
