import { median, type Figure } from '../figure.ts';
import { RATE, startRatedApis } from '../load-tests/rated-apis.ts';
import { numbersBelow } from '../waiting.ts';

const TIMES = 3;
/** Each is looked at by itself: the disk pauses some times a minute, beside either key, and what counts is the usual second. */
const SECONDS = 10;
/** Until both processes have compiled what they run: for ten seconds they take half as much again of the processors. */
const WARM_UP_SECONDS = 20;
/** Few connections, because they are opened anew each second. */
const NEIGHBOUR = { per_second: 100, connections: 32, seconds: 1 };

export const neighbour: Figure = {
  kind: 'ratio',
  name: 'neighbour',
  title: `p99 of the usual second of a key that sends little, beside one at ${TIMES} times its rate / beside one that keeps to its rate`,
  unit: 'ms',
  floor: 1.2,
  goal: 1.1,
  // Short, and many: an hour's noise is on both sides of each.
  rounds: 11,
  async open(place) {
    const { one, other, offer } = await startRatedApis(place);
    const besideOneAt = async (times: number, seconds = SECONDS): Promise<number> => {
      const p99s: number[] = [];
      const quietly = async () => {
        for (const _ of numbersBelow(seconds)) {
          const { durations } = await offer({ key: other, ...NEIGHBOUR });
          p99s.push(durations.quantile(0.99));
        }
      };
      await Promise.all([offer({ key: one, per_second: times * RATE, seconds }), quietly()]);
      return median(p99s);
    };
    await besideOneAt(TIMES, WARM_UP_SECONDS);
    return { ours: () => besideOneAt(TIMES), theirs: () => besideOneAt(1) };
  },
};
