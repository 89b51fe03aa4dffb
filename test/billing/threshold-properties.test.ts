import assert from 'node:assert/strict';
import fc from 'fast-check';
import { closeOne } from '../../src/billing/close/close.ts';
import { nextStep } from '../../src/billing/close/next-step.ts';
import { lookAtClock } from '../../src/billing/close/threshold.ts';
import { changeQuantities } from '../../src/billing/terms/quantities.ts';
import { rollUp } from '../../src/db/reports/roll-up.ts';
import { findOpenPeriod } from '../../src/db/subscriptions/periods.ts';
import { setClock } from '../../src/db/subscriptions/test-clock.ts';
import { transaction, type Pool } from '../../src/db/connection/pool.ts';
import { BillingError } from '../../src/domain/money/errors.ts';
import { newId } from '../../src/keys/ids.ts';
import * as given from '../support/ledger/billing.ts';
import { PLANS } from '../support/ledger/closes.ts';
import { breachesOf } from '../support/ledger/sound.ts';
import { TIERS } from '../support/ledger/tiers.ts';

const JANUARY = '2026-01-01T00:00:00.000Z';
const DAY_MS = 86_400_000;
/** Late windows are open: events of the tests are stored now. */
const SETTINGS = { grace_period_ms: 0, late_usage_days: 3650 };
const SUM = { aggregation: { type: 'sum', property: 'n' } } as const;
const perSeat = (event_name: string, billed: 'in_arrears' | 'in_advance'): given.TestCharge => ({
  event_name,
  pricing: { pricing_model: 'flat', flat_amount: '8', billed, quantity: 'subscription' },
});
const OWN_PLANS: readonly (readonly given.TestCharge[])[] = [
  ...PLANS,
  [{ ...SUM, pricing: { pricing_model: 'volume', tiers: TIERS } }],
  [
    {
      ...SUM,
      pricing: { pricing_model: 'package', package_size: '7', package_amount: '5', free_units: '3' },
    },
  ],
];
/** The names of quantities, of which only this plan has fees. */
const NAMES = ['seat', 'desk'] as const;
const SEATS = [
  perSeat('seat', 'in_arrears'),
  perSeat('desk', 'in_advance'),
  { ...SUM, pricing: given.GRADUATED },
];

const day = (after: number) => new Date(Date.parse(JANUARY) + after * DAY_MS).toISOString();
const anEvent = fc.record({
  event_name: fc.constantFrom('api_call', 'stored', 'seats'),
  /** Days before the step. */
  ago: fc.integer({ min: 0, max: 3 }),
  properties: fc.record({ region: fc.constantFrom('a', 'b', 'c'), n: fc.integer({ min: -20, max: 900 }) }),
});
/** Days that pass, and the usage that is stored then. */
const aStep = fc.record({
  days: fc.integer({ min: 1, max: 9 }),
  events: fc.array(anEvent, { maxLength: 9 }),
});
const aPercent = fc.constantFrom(null, '10', '33.3333', '100');
const anAmountToBillAt = fc.constantFrom('0.01', '1', '25', '100');
const aChange = fc.record({
  name: fc.constantFrom(...NAMES),
  quantity: fc.constantFrom('0', '1', '2.5', '10', '40'),
  settle: fc.constantFrom('balance', 'none'),
});

type Terms = { bill_at: string | null; percent: string | null; amount?: string | null };
/** SQL: the lines of a subscription on invoices that are not void, less the automatic notes on them. */
const NET_LINES = `
  select l.full_period_start, l.event_name, l.type, l.amount - coalesce(n.amount, 0) as amount
  from line_items l
  join invoices i on i.environment_id = l.environment_id and i.id = l.invoice_id and i.status <> 'void'
  left join (
    select x.line_item_id, sum(x.amount) as amount from credit_note_lines x group by 1
  ) n on n.line_item_id = l.id
  where l.subscription_id = $1`;

type Change = { name: string; quantity: string; settle: 'balance' | 'none' };
type Step = {
  days: number;
  events: readonly (Omit<given.TestEvent, 'timestamp'> & { ago: number })[];
  changes?: readonly Change[];
};
type Lived = { plan: string; terms: Terms; steps: readonly Step[]; is_rolled_up: boolean };

const USED = { event_name: 'api_call' as const, ago: 1, properties: { region: 'a' as const, n: 115 } };
/** Usage that is billed at once, on the third day. */
const A_CUT = {
  steps: [
    { days: 1, events: [] },
    { days: 1, events: [USED] },
  ],
  is_rolled_up: false,
};
const GIVEN_UP = { name: 'desk' as const, quantity: '0' as const, settle: 'balance' as const };
/** The cut spends the discount of an opening of 0.00, of which a seat is given up then. */
const SPENT_DISCOUNT = {
  ...{ minimum: '0' as const, is_rolled_up: false },
  terms: { percent: null, bill_at: '0.01' as const, amount: '20' as const },
  steps: A_CUT.steps.map((step, place) => ({ step, changes: place === 0 ? [] : [GIVEN_UP] })),
};
const RUNS = 20;

/** A subscription, and the customer whose clock moves. */
type Life = { customer: given.TestCustomer; subscription_id: string };

/** billing.md 15 and 5: parts and late lines sum to the whole under any percent and threshold. */
describe('a period that is billed before its end', function () {
  this.timeout(600_000);
  let pool: Pool;
  let plans: string[];
  /** Plans of seats by their minimum. */
  let seat_plans: Record<'0' | '150', string>;
  before(async () => {
    pool = await given.aLedger();
    plans = [];
    for (const charges of OWN_PLANS) plans.push(await given.aPlan(pool, charges));
    seat_plans = { '0': await given.aPlan(pool, SEATS), '150': await given.aPlan(pool, SEATS) };
    await pool.query('update plans set opens_periods = true where id = any($1)', [Object.values(seat_plans)]);
    await pool.query('update plans set minimum_amount = 150 where id = $1', [seat_plans['150']]);
  });
  after(() => pool.end());

  /** A subscription to a plan with `bill_at`, and discounts of a percent and of an amount. */
  async function aLife(plan: string, { bill_at, percent, amount = null }: Terms): Promise<Life> {
    const customer = await given.aCustomer(pool);
    const subscription_id = await given.aSubscription(pool, customer, plan);
    await pool.query('update subscriptions set bill_at = $2 where id = $1', [subscription_id, bill_at]);
    await pool.query(
      `insert into discounts (environment_id, id, customer_id, name, percent, amount, "from", created_at)
       select $1, id, $2, 'Loyalty', percent, amount, $5, $5
       from unnest($3::text[], $4::numeric[], $6::numeric[]) as d(id, percent, amount)
       where coalesce(percent, amount) is not null`,
      [
        ...[given.LIVE, customer.id, [newId('dis'), newId('dis')], [percent, null]],
        ...[JANUARY, [null, amount]],
      ],
    );
    await pool.query(
      `update periods x set opened_at = null from plans p
       where x.subscription_id = $1 and p.id = $2 and p.opens_periods`,
      [subscription_id, plan],
    );
    await setClock(pool, { environment_id: given.LIVE, customer_id: customer.id }, JANUARY);
    await begin(subscription_id);
    return { customer, subscription_id };
  }

  /** Does what the beginning of a period is, such as its opening invoice. */
  const begin = (subscription_id: string) =>
    transaction(pool, (db) => nextStep(db, { environment_id: given.LIVE, subscription_id }, SETTINGS));

  /** Moves the clock, and bills what has ended by then; with a look where `looks`. */
  async function go({ customer, subscription_id }: Life, to: string, looks: boolean): Promise<void> {
    const key = { environment_id: given.LIVE, customer_id: customer.id };
    await setClock(pool, key, to);
    for (;;) {
      const open = await findOpenPeriod(pool, { ...key, subscription_id });
      if (open === null || open.period_end > to) break;
      const { period_start } = open;
      const request = { subscription_id, period_start, usage_revision: 1, credit_revision: 1, issues: true };
      const how = { locks: 'customer', settings: SETTINGS } as const;
      await transaction(pool, (db) => closeOne(db, given.LIVE, request, how));
      await begin(subscription_id);
    }
    if (looks) await transaction(pool, (db) => lookAtClock(db, key, SETTINGS));
  }

  /** The sums of each full period and charge, and of its period lines, less the automatic notes on them. */
  async function sumsOf({ subscription_id }: Life): Promise<object[]> {
    const { rows } = await pool.query(
      `select full_period_start, coalesce(event_name, type) as name, sum(amount)::text as amount
       from (${NET_LINES}) as net
       group by 1, event_name, coalesce(event_name, type)
       having event_name is not null or sum(amount) <> 0 order by 1, 2`,
      [subscription_id],
    );
    return rows;
  }

  /** The plan lines of each full period that is closed, and all its lines, less the automatic notes on them. */
  async function totalsOf({ subscription_id }: Life): Promise<{ plan_lines: number; all: number }[]> {
    const { rows } = await pool.query<{ plan_lines: number; all: number }>(
      `select coalesce(sum(amount) filter (where type not in ('discount', 'minimum')), 0)::float8 as plan_lines,
         sum(amount)::float8 as all
       from (${NET_LINES}) as net
       where full_period_start in (
         select full_period_start from periods where subscription_id = $1 group by 1
         having bool_and(closed_at is not null))
       group by full_period_start`,
      [subscription_id],
    );
    return rows;
  }

  /** The metered sums of bills before the end, which have no part younger than an hour. */
  async function thresholdBillsOf({ subscription_id }: Life): Promise<{ usage: number; hours: number }[]> {
    const { rows } = await pool.query<{ usage: number; hours: number }>(
      `select usage::float8 as usage, extract(epoch from period_end - period_start)::float8 / 3600 as hours
       from invoices where subscription_id = $1 and cause = 'threshold'`,
      [subscription_id],
    );
    return rows;
  }

  /** Quantities from now on; one that is there already is left. */
  async function change({ subscription_id }: Life, { name, quantity, settle }: Change): Promise<void> {
    const key = { environment_id: given.LIVE, subscription_id };
    const request = { quantities: { [name]: quantity }, at: 'now', settle, bill: 'with_next' } as const;
    await transaction(pool, (db) => changeQuantities(db, key, request, SETTINGS)).catch((error: unknown) => {
      if (!(error instanceof BillingError) || error.code !== 'conflict') throw error;
    });
  }

  /** Two equal lives, of which only the first is billed before the end of its periods; both sum to the same. */
  async function compare({ plan, terms, steps, is_rolled_up }: Lived): Promise<Life> {
    const cut = await aLife(plan, terms);
    const whole = await aLife(plan, { ...terms, bill_at: null });
    let now = 0;
    for (const { days, events, changes = [] } of steps) {
      now += days;
      for (const { customer } of [cut, whole]) {
        const stored = events.map(({ ago, ...event }) => ({
          ...event,
          timestamp: day(Math.max(0, now - ago)),
        }));
        await given.post(pool, customer, stored);
      }
      if (is_rolled_up) while (await rollUp(pool));
      for (const one of [cut, whole]) {
        await go(one, day(now), one === cut);
        for (const asked of changes) await change(one, asked);
      }
    }
    // Two periods more have what the next invoices bring.
    for (const at of [day(60), day(95), day(125)])
      for (const one of [cut, whole]) await go(one, at, one === cut);
    assert.deepEqual(await sumsOf(cut), await sumsOf(whole));
    return cut;
  }

  it('sums to what it is without', async () => {
    let cuts = 0;
    const lived = fc.record({
      plan: fc.integer({ min: 0, max: OWN_PLANS.length - 1 }).map((place) => plans[place]!),
      terms: fc.record({ percent: aPercent, bill_at: anAmountToBillAt }),
      steps: fc.array(aStep, { minLength: 2, maxLength: 6 }),
      is_rolled_up: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(lived, async (life) => {
        const bills = await thresholdBillsOf(await compare(life));
        for (const { usage, hours } of bills) assert.ok(usage >= Number(life.terms.bill_at) && hours >= 1);
        cuts += bills.length;
      }),
      {
        numRuns: RUNS,
        examples: [[{ ...A_CUT, plan: plans[0]!, terms: { percent: null, bill_at: '0.01' } }]],
      },
    );
    assert.ok(cuts > 0);
    await assertNoBreach();
  });

  it('with seats that change sums to what it is without, from the minimum up to the greater of plan lines and minimum', async () => {
    let cuts = 0;
    const lived = fc.record({
      minimum: fc.constantFrom('0', '150'),
      terms: fc.record({ percent: aPercent, bill_at: anAmountToBillAt, amount: fc.constantFrom(null, '20') }),
      steps: fc.array(fc.record({ step: aStep, changes: fc.array(aChange, { maxLength: 3 }) }), {
        minLength: 2,
        maxLength: 6,
      }),
      is_rolled_up: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(lived, async ({ minimum, steps, ...life }) => {
        const taken = steps.map(({ step, changes }) => ({ ...step, changes }));
        const cut = await compare({ ...life, plan: seat_plans[minimum], steps: taken });
        for (const { plan_lines, all } of await totalsOf(cut)) {
          const said = `${all} of ${plan_lines}, at least ${minimum}`;
          assert.ok(all >= Number(minimum) && all <= Math.max(plan_lines, Number(minimum)), said);
        }
        cuts += (await thresholdBillsOf(cut)).length;
      }),
      { numRuns: RUNS, examples: [[SPENT_DISCOUNT]] },
    );
    assert.ok(cuts > 0);
    await assertNoBreach();
  });

  async function assertNoBreach(): Promise<void> {
    const breaches = await transaction(pool, (db) => breachesOf(db));
    // Lives follow one another, each from January on, so that numbers are not in the order of issue (I13).
    assert.deepEqual(
      breaches.filter(({ invariant }) => invariant !== 'I13'),
      [],
    );
  }
});
