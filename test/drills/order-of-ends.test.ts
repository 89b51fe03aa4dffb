import assert from 'node:assert/strict';
import fc from 'fast-check';
import { newRequestId } from '../../src/keys/ids.ts';
import type { Json } from '../support/servers/api.ts';
import { eventually } from '../support/servers/eventually.ts';
import { useStack } from '../support/servers/stack.ts';
import { forEach } from './airports.ts';

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
const DAY_MS = 24 * HOUR_MS;
const BILLED_WITHIN_MS = 150_000;

/** A subscription with one charge on its own event name; all its usage is an hour after its start. */
type Sub = { minutes: number; interval: 'day' | 'week'; unit_amount: string; used: number };

/** billing.md 1: the periods of a customer's subscriptions are billed in the order of their ends, also after a worker was down. */
describe('credit goes to the period that ends first', function () {
  this.timeout(200_000);
  const stack = useStack({ GRACE_PERIOD: '0s' });
  const post = <T = Json>(key: string, path: string, body: object) =>
    stack().done<T>(key, 'POST', path, body);
  const instant = (ms: number) => new Date(ms).toISOString();

  async function aCustomer(key: string, credit: number, clock: number | null = null): Promise<string> {
    const customer_id = newRequestId();
    await post(key, '/v1/customers', { external_id: customer_id });
    if (clock !== null) await post(key, '/v1/test-clock/advance', { customer_id, to: instant(clock) });
    const { id } = await post(key, '/v1/credit-grants', { customer_id, amount: credit, rollover: true });
    // Backdated before every period, as if the worker had been running all the time.
    await stack().pool.query(`update credit_grants set created_at = '2020-01-01' where id = $1`, [id]);
    return customer_id;
  }

  /** Creates subscriptions that start `minutes` after `begun_at`; the event name of the first is e0. */
  async function subscribe(
    key: string,
    customer_id: string,
    { subs, begun_at }: { subs: readonly Sub[]; begun_at: number },
  ): Promise<void> {
    await forEach(subs, async ({ minutes, interval, unit_amount }, index) => {
      const charges = [{ event_name: `e${index}`, pricing_model: 'per_unit', unit_amount }];
      const plan = await post(key, '/v1/pricing-plans', { name: 'Plan', interval, charges });
      const start_date = instant(begun_at + minutes * MINUTE_MS);
      await post(key, '/v1/subscriptions', { customer_id, plan_id: plan.id, start_date });
    });
  }

  async function use(
    key: string,
    customer_id: string,
    used: { event_name: string; timestamp: string; count: number },
  ): Promise<void> {
    const { event_name, timestamp, count } = used;
    if (count === 0) return;
    const event = { event_name, customer_id, timestamp };
    const events = Array.from({ length: count }, () => ({ ...event, idempotency_key: newRequestId() }));
    await post(key, '/v1/events/batch', { events });
  }

  const usageOf = ({ subs, begun_at }: { subs: readonly Sub[]; begun_at: number }) =>
    subs.map(({ minutes, used }, index) => ({
      event_name: `e${index}`,
      timestamp: instant(begun_at + minutes * MINUTE_MS + HOUR_MS),
      count: used,
    }));

  /** Total of each period by its end, in minutes after `begun_at`; waits until `periods` invoices are issued. */
  async function billed(
    key: string,
    customer_id: string,
    { begun_at, periods }: { begun_at: number; periods: number },
  ): Promise<string[]> {
    // Waits by SQL: listing 200 invoices through the API repeatedly would slow the worker down.
    const issued = `
      select from invoices i join customers c on (c.environment_id, c.id) = (i.environment_id, i.customer_id)
      where c.external_id = $1 and i.number is not null`;
    await eventually(
      () => stack().pool.query(issued, [customer_id]),
      ({ rowCount }) => rowCount! >= periods,
      BILLED_WITHIN_MS,
    );
    const list = `/v1/invoices?limit=200&customer_id=${customer_id}`;
    const { data } = await stack().done<{ data: Json[] }>(key, 'GET', list);
    return data
      .map(({ period_end, total, credits_applied }) => {
        const minutes = (Date.parse(period_end) - begun_at) / MINUTE_MS;
        return `${`${minutes}`.padStart(6)}: ${total}, ${credits_applied} of credit`;
      })
      .sort();
  }

  it('M3: the worker was down; B ended four hours ago, A two: the credit goes to B', async () => {
    const { live_key, whileAway } = stack();
    const begun_at = Date.now() - 28 * HOUR_MS;
    const subs: Sub[] = [
      { minutes: 120, interval: 'day', unit_amount: '0.01', used: 100 },
      { minutes: 0, interval: 'day', unit_amount: '1.00', used: 100 },
    ];
    const customer_id = await whileAway(async () => {
      const id = await aCustomer(live_key, 100);
      await subscribe(live_key, id, { subs, begun_at });
      for (const used of usageOf({ subs, begun_at })) await use(live_key, id, used);
      return id;
    });
    assert.deepEqual(await billed(live_key, customer_id, { begun_at, periods: 2 }), [
      '  1440: 0.00, 100 of credit',
      '  1560: 1.00, 0 of credit',
    ]);
  });

  const aSub = fc.record({
    minutes: fc.integer({ min: 1, max: 2 * 24 * 60 }),
    interval: fc.constantFrom('day' as const, 'week' as const),
    unit_amount: fc.constantFrom('0.01', '1', '2.5'),
    used: fc.integer({ min: 0, max: 9 }),
  });
  const aLife = fc.record({
    // No two equal ends: such periods may be billed in either order.
    subs: fc.uniqueArray(aSub, { selector: ({ minutes }) => minutes % 1440, minLength: 2, maxLength: 20 }),
    credit: fc.integer({ min: 1, max: 60 }),
  });
  type Life = { subs: Sub[]; credit: number };
  const SPAN_MS = 3 * DAY_MS;

  /** A live customer with usage of the last three days, which no worker has processed. */
  async function aNeglectedCustomer({ subs, credit }: Life, begun_at: number): Promise<string> {
    const { live_key } = stack();
    const id = await aCustomer(live_key, credit);
    await subscribe(live_key, id, { subs, begun_at });
    for (const used of usageOf({ subs, begun_at })) await use(live_key, id, used);
    return id;
  }

  /** A customer in test mode: the clock runs through the next three days. */
  async function aClockedCustomer({ subs, credit }: Life, begun_at: number): Promise<string> {
    const { test_key } = stack();
    const id = await aCustomer(test_key, credit, begun_at);
    const advance = (to: string) => post(test_key, '/v1/test-clock/advance', { customer_id: id, to });
    await subscribe(test_key, id, { subs, begun_at });
    const usage = usageOf({ subs, begun_at }).toSorted((a, b) => (a.timestamp < b.timestamp ? -1 : 1));
    for (const used of usage) {
      await advance(used.timestamp);
      await use(test_key, id, used);
    }
    await advance(instant(begun_at + SPAN_MS));
    return id;
  }

  it('as with the test clock, for any subscriptions after the worker was down', async () => {
    const lives: Life[] = fc.sample(aLife, { numRuns: 4, seed: 7 });
    const { live_key, test_key, whileAway } = stack();
    const past = Date.now() - SPAN_MS;
    const neglected = await whileAway(() => Promise.all(lives.map((life) => aNeglectedCustomer(life, past))));
    const future = Date.now() + DAY_MS;
    const clocked = await Promise.all(lives.map((life) => aClockedCustomer(life, future)));
    for (const [index, life] of lives.entries()) {
      const expected = await billed(test_key, clocked[index]!, { begun_at: future, periods: 0 });
      const found = await billed(live_key, neglected[index]!, { begun_at: past, periods: expected.length });
      assert.ok(expected.length > 0);
      assert.deepEqual(found, expected, JSON.stringify(life));
    }
  });

  it('two hundred subscriptions that end at once are all billed, and the credit is used up', async () => {
    const { live_key, whileAway } = stack();
    const begun_at = Date.now() - DAY_MS - HOUR_MS;
    const sub: Sub = { minutes: 0, interval: 'day', unit_amount: '1', used: 1 };
    const subs = Array.from({ length: 200 }, () => sub);
    const customer_id = await whileAway(async () => {
      const id = await aCustomer(live_key, 150);
      await subscribe(live_key, id, { subs, begun_at });
      const events = usageOf({ subs, begun_at }).map(({ event_name, timestamp }) => ({
        ...{ event_name, timestamp, customer_id: id },
        idempotency_key: newRequestId(),
      }));
      await post(live_key, '/v1/events/batch', { events });
      return id;
    });
    const lines = await billed(live_key, customer_id, { begun_at, periods: 200 });
    assert.deepEqual(
      [150, 50],
      [
        lines.filter((line) => line.endsWith('0.00, 1 of credit')).length,
        lines.filter((line) => line.endsWith('1.00, 0 of credit')).length,
      ],
    );
  });
});
