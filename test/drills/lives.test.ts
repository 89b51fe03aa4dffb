import assert from 'node:assert/strict';
import { useStack } from '../support/servers/stack.ts';
import { useStripe } from '../support/servers/use-stripe.ts';
import { accountsOn } from '../lives/run/accounts.ts';
import { liveThroughClosedMonth } from '../lives/run/closed-month-life.ts';
import { live } from '../lives/run/run.ts';

/** `npm run lives -- --count 60` lists the situations that they meet. */
const COUNT = 60;
const SEED = 2;
const TIME_LIMIT_MS = 600_000;
const ACTS = 200;

describe('lives of customers', () => {
  const { settings, stripe } = useStripe();
  const stack = useStack(settings);

  it(`${COUNT} random ones go as billing.md says, to the last digit`, async function () {
    this.timeout(TIME_LIMIT_MS);
    const { lived, failures } = await live(accountsOn(stack, stripe), { count: COUNT, seed: SEED });
    assert.ok(failures.length === 0, failures.join('\n'));
    assert.equal(lived, COUNT);
  });

  it(`a closed month has the same journal through ${ACTS} random acts`, async function () {
    this.timeout(TIME_LIMIT_MS);
    const newAccount = accountsOn(stack, stripe);
    const seen = await liveThroughClosedMonth(await newAccount(), { seed: SEED, acts: ACTS });
    // The first act is certain to be one.
    assert.ok(seen.has('act in a closed month refused'));
  });
});
