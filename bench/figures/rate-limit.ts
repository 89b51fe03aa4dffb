import type { Figure } from '../figure.ts';
import { RATE, startRatedApis } from '../load-tests/rated-apis.ts';
import { tryAfterWaiting } from '../load-tests/retry-after.ts';
import { failuresOf } from '../load-tests/tally.ts';
import { startApi } from '../programs.ts';

const TIMES = 3;
const SECONDS = 60;
/** Each client uses up its two units, then waits exactly as long as Retry-After says. */
const CLIENTS = { keys: 500, tries_each: 20, rate: 2 };

export const rateLimit: Figure = {
  kind: 'value',
  name: 'limits',
  title: `what two API processes take of a key in ${SECONDS} s at ${TIMES} times its rate of ${RATE}, off the rate`,
  unit: 'percent',
  floor: 2,
  goal: 1,
  rounds: 1,
  async open(place) {
    const { one, offer } = await startRatedApis(place);
    const { url } = await startApi(place, { rate_limit: `${CLIENTS.rate}` });
    const { database_url, say } = place;
    return {
      async ours() {
        const tally = await offer({ key: one, per_second: TIMES * RATE, seconds: SECONDS });
        const { accepted, refused, unsent } = tally;
        say(`  ${accepted} taken, ${refused} refused, ${unsent} not sent, failed: ${failuresOf(tally)}`);
        const { keys, tries_each } = CLIENTS;
        const succeeded = await tryAfterWaiting({ database_url, url, keys, tries_each });
        say(`  ${succeeded} of ${keys * tries_each} tries succeeded after waiting as long as told`);
        return Math.abs(accepted / (RATE * SECONDS) - 1) * 100;
      },
    };
  },
};
