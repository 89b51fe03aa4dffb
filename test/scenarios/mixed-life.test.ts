import {
  testCustomersOn,
  requestsTo,
  at,
  later,
  times,
  FLAT,
  PER_UNIT,
} from '../support/ledger/test-customer.ts';
import { TIERS } from '../support/ledger/tiers.ts';
import type { Json } from '../support/servers/api.ts';
import { useStack } from '../support/servers/stack.ts';

const DAY_MS = 86_400_000;
const SEEDS = [1, 2, 3, 4];
const MOVES = 30;

const CHARGES = [
  FLAT,
  { ...PER_UNIT, event_name: 'seat', aggregation: { type: 'unique', property: 'user' } },
  { event_name: 'api_call', pricing_model: 'graduated', tiers: TIERS },
  {
    event_name: 'storage',
    pricing_model: 'volume',
    aggregation: { type: 'sum', property: 'size' },
    tiers: [
      { up_to: 10, unit_amount: '2' },
      { up_to: null, unit_amount: '1' },
    ],
  },
  {
    event_name: 'job',
    pricing_model: 'package',
    package_size: '10',
    package_amount: '3',
    free_units: '5',
    aggregation: { type: 'max', property: 'size' },
  },
];

/** Pseudorandom numbers from a seed: a linear congruential generator is good enough here. */
function randomOf(seed: number): (below: number) => number {
  let state = seed * 2654435761;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

describe('a random life with every operation', function () {
  this.timeout(180_000);
  const lives = testCustomersOn(requestsTo(useStack()));

  // No effects are asserted here: after its tests, the stack is checked against all invariants.
  for (const seed of SEEDS) {
    it(`seed ${seed}: usage, late usage, credit, cuts, voids, regenerations and an end`, async () => {
      const random = randomOf(seed);
      const customer = await lives.customer({ tax_rate: '19' });
      const subscription = await lives.subscribe(customer, await lives.plan(CHARGES));
      let now = at('01-01');

      const use = async () => {
        const timestamp = later(now, -random(50) * DAY_MS);
        const event_name = ['seat', 'api_call', 'storage', 'job'][random(4)]!;
        const properties = {
          user: `user-${random(4)}`,
          size: random(12) - (event_name === 'storage' ? 4 : 0),
        };
        await lives.use(customer, times(1 + random(5), { timestamp, event_name, properties }));
      };
      const grant = () =>
        lives.grant(customer, 1 + random(20), {
          rollover: random(2) === 0,
          ...(random(2) === 0 ? { expires_in_days: 1 + random(60) } : {}),
        });
      const advance = async () => {
        now = later(now, (1 + random(20)) * DAY_MS);
        await lives.advance(customer, now, { hold_drafts: random(3) === 0 });
      };
      // May be refused because of the invoice's state, which is a valid response.
      const correct = async (what: string) => {
        const { data }: { data: Json[] } = await lives.read(
          `/v1/invoices?subscription_id=${subscription.id}`,
        );
        if (data.length > 0) await lives.post(`/v1/invoices/${data[random(data.length)].id}/${what}`);
      };
      const generate = () =>
        lives.post('/v1/invoices/generate', { subscription_id: subscription.id, close_now: random(2) === 0 });
      const moves = [use, use, use, grant, advance, advance, generate];
      for (let move = 0; move < MOVES; move++) {
        const place = random(moves.length + 4);
        if (place < moves.length) await moves[place]!();
        else await correct(['void', 'regenerate', 'finalize', 'regenerate'][place - moves.length]!);
      }
      await lives.post(`/v1/subscriptions/${subscription.id}/cancel`, { at: 'now' });
      await use();
      await lives.advance(customer, later(now, 40 * DAY_MS));
    });
  }
});
