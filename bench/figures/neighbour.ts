import type { Figure } from '../figure.ts';
import { startQuietClient } from '../load-tests/quiet-client.ts';
import { RATE, startRatedApis } from '../load-tests/rated-apis.ts';

const TIMES = 3;
const SECONDS = 10;
/** Time in which both processes compile their code: for the first ten seconds they use half as much processor time again. */
const WARM_UP_SECONDS = 20;

export const neighbour: Figure = {
  kind: 'ratio',
  name: 'neighbour',
  title: `p99 of the usual second of a key that sends little, beside one at ${TIMES} times its rate / beside one that keeps to its rate`,
  unit: 'ms',
  floor: 1.2,
  goal: 1.1,
  // Many short rounds, because single ones differ by a third.
  rounds: 11,
  async open(place) {
    const { one, other, ports, offer } = await startRatedApis(place);
    const usualSecond = startQuietClient({ key: other, ports }, place.stops);
    const besideOneAt = async (times: number, seconds = SECONDS): Promise<number> => {
      const [, p99_ms] = await Promise.all([
        offer({ key: one, per_second: times * RATE, seconds }),
        usualSecond(seconds),
      ]);
      return p99_ms;
    };
    await besideOneAt(TIMES, WARM_UP_SECONDS);
    return { ours: () => besideOneAt(TIMES), theirs: () => besideOneAt(1) };
  },
};
