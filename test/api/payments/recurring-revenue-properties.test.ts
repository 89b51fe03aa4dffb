import assert from 'node:assert/strict';
import fc from 'fast-check';
import { newId } from '../../../src/keys/ids.ts';
import { startApi, type Json, type TestApi } from '../../support/servers/api.ts';

const DAY_MS = 86_400_000;
const FIRST_DAY = Date.parse('2026-01-01');
/** Days in which everything happens; the ranges lie in them. */
const DAYS = 500;
const RUNS = 60;

/** Plans with their amounts a month, in cents, by the rule of contract.md 4. */
const PLANS = [
  { charges: [['flat', '49']], interval: 'month', count: 1, cents: 4900 },
  { charges: [['flat', '199']], interval: 'month', count: 1, cents: 19900 },
  { charges: [['flat', '0']], interval: 'month', count: 1, cents: 0 },
  { charges: [['per_unit', '3']], interval: 'month', count: 1, cents: 0 },
  { charges: [['flat', '1200']], interval: 'year', count: 1, cents: 10000 },
  { charges: [['flat', '10']], interval: 'week', count: 1, cents: 4345 },
  {
    charges: [
      ['flat', '4'],
      ['per_unit', '1'],
      ['flat', '6'],
    ],
    interval: 'month',
    count: 3,
    cents: 333,
  },
] as const;

const MOVEMENTS = ['new', 'expansion', 'contraction', 'churn', 'reactivation'] as const;

/** A customer with a movement of each type, the months of January to May in their order. */
const ONE_OF_EACH: Customer = {
  now: DAYS,
  subscriptions: [
    {
      ...{ plan: 0, start: 0, trial: null, end: null },
      changes: [
        { at: 40, plan: 1 },
        { at: 70, plan: 0 },
        { at: 100, plan: 2 },
        { at: 130, plan: 0 },
      ],
    },
  ],
};

const aDay = fc.nat(DAYS);
const aPlan = fc.nat(PLANS.length - 1);
const aSubscription = fc.record({
  plan: aPlan,
  start: aDay,
  trial: fc.option(fc.integer({ min: 1, max: 60 })),
  end: fc.option(aDay, { freq: 2 }),
  changes: fc.uniqueArray(fc.record({ at: aDay, plan: aPlan }), { maxLength: 4, selector: ({ at }) => at }),
});
type Subscription = typeof aSubscription extends fc.Arbitrary<infer Value> ? Value : never;
const aCustomer = fc.record({
  now: aDay,
  subscriptions: fc.array(aSubscription, { minLength: 1, maxLength: 3 }),
});
type Customer = typeof aCustomer extends fc.Arbitrary<infer Value> ? Value : never;

/** Midnight, or noon on every third day, so that edges of months are met and missed. */
const instantOf = (day: number) => FIRST_DAY + day * DAY_MS + (day % 3 === 2 ? DAY_MS / 2 : 0);
const textOf = (day: number) => new Date(instantOf(day)).toISOString();

/** The second way to calculate it: what each subscription is at one instant. */
function centsAt({ now, subscriptions }: Customer, end_ms: number): number {
  const instant = Math.min(end_ms - 1, instantOf(now));
  return subscriptions.reduce((sum, subscription) => sum + centsOf(subscription, instant), 0);
}

function centsOf({ plan, start, trial, end, changes }: Subscription, instant: number): number {
  const billed_from = instantOf(start) + (trial ?? 0) * DAY_MS;
  if (instant < billed_from || (end !== null && instant >= instantOf(end))) return 0;
  const [last] = changes.filter(({ at }) => instantOf(at) <= instant).sort((a, b) => b.at - a.at);
  return PLANS[last?.plan ?? plan]!.cents;
}

function typeOf(before: number, after: number, had_some: boolean): (typeof MOVEMENTS)[number] | null {
  if (before === after) return null;
  if (before === 0) return had_some ? 'reactivation' : 'new';
  if (after === 0) return 'churn';
  return after > before ? 'expansion' : 'contraction';
}

/** A month as 2026-01; 0 is January 2026. */
const monthOf = (place: number) => new Date(Date.UTC(2026, place)).toISOString().slice(0, 7);
const amountOf = (cents: number) => `${cents < 0 ? '-' : ''}${(Math.abs(cents) / 100).toFixed(2)}`;

function expected(customers: readonly Customer[], [first, last]: readonly [number, number]): object[] {
  const months: object[] = [];
  for (let place = 0; place < last; place++) {
    const sums = { new: 0, expansion: 0, contraction: 0, churn: 0, reactivation: 0 };
    let [before, recurring, count] = [0, 0, 0];
    for (const customer of customers) {
      const ends = Array.from({ length: place + 2 }, (_, month) => Date.UTC(2026, month));
      const at = ends.map((end) => centsAt(customer, end));
      const [had, has] = [at[place]!, at[place + 1]!];
      const type = typeOf(
        had,
        has,
        at.slice(0, place + 1).some((cents) => cents > 0),
      );
      if (type !== null) sums[type] += has - had;
      before += had;
      recurring += has;
      if (has > 0) count++;
    }
    const movements = MOVEMENTS.map((name) => [name, amountOf(sums[name])]);
    const figures = { month: monthOf(place), before: amountOf(before), ...Object.fromEntries(movements) };
    if (place >= first) months.push({ ...figures, recurring: amountOf(recurring), customers: count });
  }
  return months;
}

/** contract.md 4: recurring revenue of random subscriptions, calculated a second time instant by instant. */
describe('recurring revenue of random subscriptions', function () {
  let api: TestApi;
  let environment_id: number;
  const plan_ids: string[] = [];
  before(async () => {
    api = await startApi();
    const { rows } = await api.pool.query(
      'select id from environments where not livemode order by id limit 1',
    );
    [{ id: environment_id }] = rows;
    for (const { charges, interval, count } of PLANS) {
      const { status, body } = await api.post('/v1/pricing-plans', {
        ...{ name: 'Plan', currency: 'USD', interval, interval_count: count },
        charges: charges.map(([pricing_model, amount], place) => ({
          ...{ event_name: `event_${place}`, pricing_model },
          ...(pricing_model === 'flat' ? { flat_amount: amount } : { unit_amount: amount }),
        })),
      });
      assert.equal(status, 201, JSON.stringify(body));
      plan_ids.push(body.id);
    }
  });
  after(() => api.close());

  async function store(customers: readonly Customer[]): Promise<string[]> {
    const { pool } = api;
    // Without cascade, which would take the plans along.
    for (const table of ['plan_changes', 'subscriptions', 'customers'])
      await pool.query(`delete from ${table}`);
    const ids: string[] = [];
    for (const [place, { now, subscriptions }] of customers.entries()) {
      const customer_id = newId('cus');
      ids.push(`c${place}`);
      await pool.query(
        `insert into customers (environment_id, id, external_id, currency, metadata, created_at, test_clock)
         values ($1, $2, $3, 'USD', '{}', now(), $4)`,
        [environment_id, customer_id, `c${place}`, textOf(now)],
      );
      for (const { plan, start, trial, end, changes } of subscriptions) {
        const id = newId('sub');
        const trial_end = trial === null ? null : new Date(instantOf(start) + trial * DAY_MS).toISOString();
        await pool.query(
          `insert into subscriptions (environment_id, id, customer_id, plan_id, start_date, trial_end_date, cancel_at,
             created_at)
           values ($1, $2, $3, $4, $5, $6, $7, now())`,
          [
            ...[environment_id, id, customer_id, plan_ids[plan], textOf(start), trial_end],
            end === null ? null : textOf(end),
          ],
        );
        for (const change of changes)
          await pool.query(
            `insert into plan_changes (environment_id, subscription_id, at, plan_id, is_day)
             values ($1, $2, $3, $4, false)`,
            [environment_id, id, textOf(change.at), plan_ids[change.plan]],
          );
      }
    }
    return ids;
  }

  const read = async (path: string): Promise<Json> => {
    const { status, body } = await api.request(path);
    assert.equal(status, 200, `${path}: ${JSON.stringify(body)}`);
    return body;
  };

  it('equals the sum of what each is at the end of each month, and movements lead from one to the next', async function () {
    this.timeout(120_000);
    const aRange = fc
      .tuple(fc.nat(15), fc.nat(20))
      .map(([first, length]) => [first, first + length] as const);
    const seen = new Set<string>();
    await fc.assert(
      fc.asyncProperty(
        fc.array(aCustomer, { minLength: 1, maxLength: 4 }),
        aRange,
        async (customers, range): Promise<void> => {
          const ids = await store(customers);
          const [from, to] = range.map((place) => `${monthOf(place)}-01`);
          const path = `/v1/recurring-revenue?from=${from}&to=${to}`;
          const { data }: Json = await read(path);
          assert.deepEqual(data, expected(customers, range));
          const { data: of_first } = await read(`${path}&customer_id=${ids[0]}`);
          assert.deepEqual(of_first, expected(customers.slice(0, 1), range));
          for (const of_month of data) await assertMovements(of_month);
          for (const of_month of data)
            MOVEMENTS.filter((name) => Reflect.get(of_month, name) !== '0.00').forEach((name) =>
              seen.add(name),
            );
        },
      ),
      { numRuns: RUNS, examples: [[[ONE_OF_EACH], [0, 5]]] },
    );
    assert.equal(seen.size, MOVEMENTS.length, [...seen].join(', '));
  });

  /** The customers of a month move as much as the month. */
  async function assertMovements(of_month: Json): Promise<void> {
    const { data } = await read(`/v1/recurring-revenue/movements?month=${of_month.month}`);
    const cents = (amount: string) => Math.round(Number(amount) * 100);
    const sizes = data.map(({ before, after }: Json) => Math.abs(cents(after) - cents(before)));
    assert.deepEqual(
      sizes,
      sizes.toSorted((a: number, b: number) => b - a),
    );
    for (const name of MOVEMENTS) {
      const sum = data
        .filter(({ type }: Json) => type === name)
        .reduce((total: number, { before, after }: Json) => total + cents(after) - cents(before), 0);
      assert.equal(sum, cents(of_month[name]), `${name} in ${of_month.month}`);
    }
  }
});
