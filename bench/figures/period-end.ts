import { setTimeout as delay } from 'node:timers/promises';
import type { Figure } from '../figure.ts';
import { call, forEvery } from '../client.ts';
import { authorization } from '../ingest.ts';
import { openBare } from '../period-end/bare.ts';
import { loadBeside } from '../period-end/load-beside.ts';
import { openBillingRun } from '../period-end/billing-run.ts';
import { openPeriodEnd } from '../period-end/open.ts';
import { rateOf } from '../period-end/side.ts';
import { CUSTOMERS, customerId, singleRequest } from '../requests.ts';
import { numbersBelow } from '../waiting.ts';

/** Both sides first run this many and discard the result. */
const WARM_UP_WORKFLOWS = 50;
/** Subscriptions at prices of their own in T13c. */
const OWN_PRICES = 100;
/** Temporal stays busy for seconds after the last bill; wait, because the other side measures a time without bills. */
const CALM_MS = 10_000;

/** Invoices a second of the real API and worker, divided by what a bare workflow of this kind does. */
function periodEndBeside(
  kind: 'bareSleeper' | 'bareLoop',
  row: Pick<Figure, 'name' | 'title' | 'floor' | 'goal'>,
) {
  return {
    ...row,
    kind: 'ratio',
    unit: 'a second',
    rounds: 2,
    async open(place) {
      const { subscriptions } = place;
      const { address, client, billing } = await openPeriodEnd(place);
      const [ours, theirs] = [rateOf(billing), rateOf(await openBare(place, { address, client, kind }))];
      await ours(WARM_UP_WORKFLOWS);
      await theirs(WARM_UP_WORKFLOWS);
      return { ours: () => ours(subscriptions), theirs: () => theirs(subscriptions) };
    },
  } satisfies Figure;
}

export const periodEnd: Figure = periodEndBeside('bareSleeper', {
  name: 'T13',
  title:
    'invoices when all subscriptions end at once / workflows that sleep and run one empty local activity',
  floor: 0.3,
  goal: 0.6,
});

export const periodEndBesideSteps: Figure = periodEndBeside('bareLoop', {
  name: 'T13a',
  title: 'invoices when all subscriptions end at once / workflows with three empty regular activities',
  floor: 1,
  goal: 2,
});

export const periodEndAtOwnPrices: Figure = {
  kind: 'ratio',
  name: 'T13c',
  title:
    'invoices when all subscriptions end at once, 100 of them at prices of their own (seats, a custom plan, two discounts, a minimum, ' +
    '`bill_at`) / none',
  unit: 'a second',
  floor: 0.5,
  goal: 0.8,
  rounds: 2,
  async open(place) {
    const { subscriptions } = place;
    const { api, client, billing } = await openPeriodEnd(place);
    const own = await openBillingRun(place, { api, client, at_own_prices: OWN_PRICES });
    const [ours, theirs] = [rateOf(own), rateOf(billing)];
    await ours(WARM_UP_WORKFLOWS);
    await theirs(WARM_UP_WORKFLOWS);
    return { ours: () => ours(subscriptions), theirs: () => theirs(subscriptions) };
  },
};

export const ingestAtPeriodEnd: Figure = {
  kind: 'ratio',
  name: 'T13b',
  title: '99th percentile of a single POST while all subscriptions are billed / while none is',
  unit: 'ms',
  floor: 3,
  goal: 2,
  rounds: 2,
  async open(place) {
    const { api, billing } = await openPeriodEnd(place);
    await forEvery(numbersBelow(CUSTOMERS), (number) =>
      call(api, 'customers', { external_id: customerId(number) }),
    );
    const prepare = () => singleRequest(authorization(api));
    const beside = loadBeside({ ports: [api.port], prepare });
    const end = rateOf(billing, beside.during);
    await end(WARM_UP_WORKFLOWS);
    await beside.alone();
    return {
      async ours() {
        const rate = await end(place.subscriptions);
        place.say(`  ${rate.toFixed(1)} invoices a second`);
        return beside.p99_ms();
      },
      async theirs() {
        await delay(CALM_MS);
        await beside.alone();
        return beside.p99_ms();
      },
    };
  },
};
