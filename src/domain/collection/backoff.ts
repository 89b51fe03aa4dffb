const FIRST_MS = 60_000;
const LONGEST_MS = 15 * 60_000;

/**
 * How long an attempt waits, in milliseconds, after the provider did not answer or refused the key `failures` times in
 * a row: a minute, then twice as long each time, up to fifteen.
 */
export function providerWaitMs(failures: number): number {
  return Math.min(FIRST_MS * 2 ** Math.min(failures - 1, 10), LONGEST_MS);
}
