import { parseArgs } from 'node:util';
import { stopEverything } from '../support/servers/at-end.ts';
import { assertSound } from '../support/ledger/sound.ts';
import { startStack } from '../support/servers/stack.ts';
import { aStripe } from '../support/servers/stripe-stand-in.ts';
import { temporalAddress } from '../support/servers/temporal.ts';
import { accountsOn } from './run/accounts.ts';
import { live } from './run/run.ts';
import { FOCUSES } from './run/stories.ts';
import { tallyOf } from './run/tally.ts';

/** `npm run lives -- --count N --seed S`: any number of lives; with --path and --replay, the one that failed. `--changes W`: the weight of changes of plan; `--focus NAME`: half of the commands are such stories. */
const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '200' },
    seed: { type: 'string', default: '1' },
    changes: { type: 'string', default: '1' },
    focus: { type: 'string' },
    unshrunk: { type: 'boolean', default: false },
    path: { type: 'string' },
    replay: { type: 'string' },
  },
});

const { seed, count, focus: kind, ...place } = values;
const isFocus = (name: string): name is keyof typeof FOCUSES => name in FOCUSES;
if (kind !== undefined && !isFocus(kind))
  throw new Error(`--focus ${kind}: one of ${Object.keys(FOCUSES).join(', ')}.`);
const order = {
  ...(kind === undefined ? {} : { focus: kind }),
  ...{ ...place, seed: Number(seed), changes: Number(place.changes) },
  count: place.path === undefined ? Number(count) : 1,
};
if (!Number.isSafeInteger(order.changes) || order.changes < 0)
  throw new Error(
    `--changes ${place.changes}: a whole number, the weight of changes of plan; 0 leaves them out.`,
  );
if (!Number.isSafeInteger(order.seed) || !Number.isSafeInteger(order.count) || order.count < 1)
  throw new Error(`--count ${count} --seed ${seed}: both are whole numbers, and there is at least one life.`);

const stops: (() => Promise<void>)[] = [];
try {
  const stripe = await aStripe();
  const settings = { TEMPORAL_ADDRESS: await temporalAddress(), STRIPE_API_URL: stripe.url };
  const stack = await startStack(settings, stops);
  const started_at = Date.now();
  const secondsSince = () => Math.round((Date.now() - started_at) / 1000);
  const step = Math.ceil(order.count / 20);
  const progress = (lived: number) => {
    if (lived % step === 0) console.log(`${lived} of ${order.count} lives, ${secondsSince()} s`);
  };
  const { lived, seen, failures } = await live(
    accountsOn(
      () => stack,
      () => stripe,
    ),
    { ...order, progress },
  );
  console.log(tallyOf(seen));
  console.log(
    failures.length > 0 ? failures.join('\n\n') : `${lived} lives as the model says, in ${secondsSince()} s`,
  );
  await assertSound(stack.pool);
  process.exitCode = failures.length === 0 && lived === order.count ? 0 : 1;
} finally {
  for (let stop = stops.pop(); stop !== undefined; stop = stops.pop()) await stop();
  await stopEverything();
}
