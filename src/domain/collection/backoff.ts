const MINUTE_MS = 60_000;
const LONGEST_MS = 15 * MINUTE_MS;
/** The waits after the first failures in a row. */
const WAITS_MS = [MINUTE_MS, 2 * MINUTE_MS, 4 * MINUTE_MS, 8 * MINUTE_MS];

/**
 * The wait, in milliseconds, of an attempt whose provider has not answered or has refused the key `failures` times in a
 * row: a minute, then twice as long each time, up to fifteen.
 */
export function providerWaitMs(failures: number): number {
  return WAITS_MS[failures - 1] ?? LONGEST_MS;
}
