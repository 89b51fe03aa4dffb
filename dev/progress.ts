const QUIET_MS = 2000;
const INTERVAL_MS = 5000;

/** Prints a line for the person at the terminal. */
export type Say = (line: string) => void;

/**
 * Awaits the work. If it takes more than two seconds, reports every five seconds what it is and how long it has taken.
 */
export async function withProgress<T>(what: string, work: Promise<T>, say: Say): Promise<T> {
  const started_at = performance.now();
  const elapsed = () => `${what} ... ${Math.round((performance.now() - started_at) / 1000)} s`;
  let timer = setTimeout(function tell() {
    say(elapsed());
    timer = setTimeout(tell, INTERVAL_MS);
  }, QUIET_MS);
  try {
    return await work;
  } finally {
    clearTimeout(timer);
    if (performance.now() - started_at > QUIET_MS) say(`${elapsed()}, done`);
  }
}
