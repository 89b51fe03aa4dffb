import type { Figure } from '../figure.ts';
import { RATE, startRatedApis } from '../load-tests/rated-apis.ts';

const TIMES = 3;
/** So long that a pause of the disk of up to 0.2 s is less than a hundredth of what is sent. */
const SECONDS = 20;
/** Until both processes have compiled what they run: for ten seconds they take half as much again of the processors. */
const WARM_UP_SECONDS = 20;
const NEIGHBOUR_RATE = 100;

export const neighbour: Figure = {
  kind: 'ratio',
  name: 'neighbour',
  title: `p99 of a key that sends little, beside one at ${TIMES} times its rate / beside one that keeps to its rate`,
  unit: 'ms',
  floor: 1.2,
  goal: 1.1,
  async open(place) {
    const { one, other, offer } = await startRatedApis(place);
    const besideOneAt = async (times: number, seconds = SECONDS): Promise<number> => {
      const [, quiet] = await Promise.all([
        offer({ key: one, per_second: times * RATE, seconds }),
        offer({ key: other, per_second: NEIGHBOUR_RATE, seconds }),
      ]);
      return quiet.durations.quantile(0.99);
    };
    await besideOneAt(TIMES, WARM_UP_SECONDS);
    return { ours: () => besideOneAt(TIMES), theirs: () => besideOneAt(1) };
  },
};
