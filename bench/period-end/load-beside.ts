import { runOpenLoop, type OpenLoad } from '../load-tests/open-loop.ts';
import { createTally, failuresOf, type Tally } from '../load-tests/tally.ts';

/** What a backend posts all day, far from what the API can take. A second without an answer, and all connections wait. */
const RATE = { connections: 200, per_second: 200 };
const ALONE_SECONDS = 10;
const PART_SECONDS = 2;

export type LoadBeside = {
  /** Offers events as long as the work goes on. */
  during: (work: Promise<unknown>) => Promise<void>;
  /** Offers events for a while with nothing beside them. */
  alone: () => Promise<void>;
  /** The 99th percentile of the time that events of the last load took. */
  p99_ms: () => number;
};

/** Single events at a steady rate. Throws where one is not accepted. */
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
