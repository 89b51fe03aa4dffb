import { runOpenLoop, type OpenLoad } from '../load-tests/open-loop.ts';
import { createTally, failuresOf, type Tally } from '../load-tests/tally.ts';

/** The usual load of a backend, far below the API's capacity. After a second without responses all connections are waiting. */
const RATE = { connections: 200, per_second: 200 };
const ALONE_SECONDS = 10;
const PART_SECONDS = 2;

export type LoadBeside = {
  /** Offers events until the work ends. */
  during: (work: Promise<unknown>) => Promise<void>;
  /** Offers events for ten seconds without other work. */
  alone: () => Promise<void>;
  /** 99th percentile of the last load's response times. */
  p99_ms: () => number;
};

/** Single events at a steady rate. Throws if one is not accepted. */
export function loadBeside(target: Pick<OpenLoad, 'ports' | 'prepare'>): LoadBeside {
  let last: Tally = createTally();
  async function offer(seconds: number): Promise<void> {
    const { accepted, offered, unsent } = await runOpenLoop({ ...target, ...RATE, seconds }, last);
    if (accepted !== offered) {
      const found_none = `${unsent} found no free connection`;
      throw new Error(
        `${accepted} of ${offered} events were accepted; ${found_none}; failed: ${failuresOf(last)}`,
      );
    }
  }
  return {
    async during(work) {
      last = createTally();
      let is_over = false;
      const watched = work.finally(() => (is_over = true));
      const offering = async () => {
        while (!is_over) await offer(PART_SECONDS);
      };
      await Promise.all([watched, offering()]);
    },
    async alone() {
      last = createTally();
      await offer(ALONE_SECONDS);
    },
    p99_ms: () => last.durations.quantile(0.99),
  };
}
