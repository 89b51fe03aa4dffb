import assert from 'node:assert/strict';
import { billingOfEvent } from '../../../src/billing/previews/event-billing.ts';
import type { BillingStatus } from '../../../src/domain/usage/billing-cause.ts';
import { eventIdOfUuid } from '../../../src/db/events/event-id.ts';
import { startApi, type Json, type TestApi } from '../../support/servers/api.ts';
import { REPORTS } from '../../../src/db/reports/fold.ts';
import { consumeAll } from '../../../src/db/changes/consume.ts';
import { rollUp } from '../../../src/db/reports/roll-up.ts';
import * as given from '../../support/ledger/billing.ts';

const PER_UNIT = { pricing_model: 'per_unit', unit_amount: '1' } as const;
const SUM = { pricing: PER_UNIT, aggregation: { type: 'sum', property: 'n' } } as const;
/** Precedence if several charges match an event: the first status counts. */
const FIRST: BillingStatus[] = ['too_late', 'late', 'pending', 'billed', 'trial', 'unrated'];
const NONE = { accepted: 0, pending: 0, billed: 0, late: 0, too_late: 0, trial: 0, unrated: 0 };

describe('GET /v1/usage-report', () => {
  let api: TestApi;
  before(async () => {
    api = await startApi();
  });
  after(() => api.close());

  const report = async (query: Record<string, string>): Promise<Json> => {
    const { status, body } = await api.request(`/v1/usage-report?${new URLSearchParams(query)}`, {
      key: api.live_key,
    });
    assert.equal(status, 200, JSON.stringify(body));
    assert.equal(body.object, 'usage_report');
    return body;
  };
  /** Days with events, without counts of zero. */
  const counts = ({ data }: Json) =>
    data
      .filter(({ accepted }: Json) => accepted > 0)
      .map((day: Json) => Object.fromEntries(Object.entries(day).filter(([, value]) => value !== 0)));
  const JANUARY = { from: '2026-01-01', to: '2026-02-01' };
  const day = (date: string) => `${date}T00:00:00.000Z`;

  async function subscribed(...charges: given.TestCharge[]) {
    const customer = await given.aCustomer(api.pool);
    const plan = await given.aPlan(api.pool, charges);
    return { customer, step: given.stepOf(await given.aSubscription(api.pool, customer, plan)) };
  }

  it('has every day of the range, with its events by billing status', async () => {
    const { customer, step } = await subscribed({ pricing: PER_UNIT });
    const customer_id = customer.id;
    await api.pool.query(`update subscriptions set trial_end_date = '2026-01-02' where id = $1`, [
      step.subscription_id,
    ]);
    const send = (timestamp: string, parts: object = {}) =>
      given.post(api.pool, customer, [{ timestamp, ...parts }]);
    await send('2026-01-01T23:59:59.999Z');
    await send('2026-01-02T00:00:00Z');
    await send('2026-01-02T10:00:00Z');
    await send('2026-01-02T10:00:00Z', { event_name: 'unheard of' });
    assert.deepEqual(counts(await report({ ...JANUARY, customer_id })), [
      { day: day('2026-01-01'), accepted: 1, trial: 1 },
      { day: day('2026-01-02'), accepted: 3, pending: 2, unrated: 1 },
    ]);
    await given.bill(api.pool, step);
    await send('2026-01-02T11:00:00Z', { created_at: '2026-03-07T23:59:59.999Z' });
    await send('2026-01-31T23:59:59.999Z', { created_at: '2026-03-08T00:00:00Z' });
    const { data, as_of, ...rest } = await report({ ...JANUARY, customer_id });
    assert.ok(Math.abs(Date.parse(as_of) - Date.now()) < 60_000, as_of);
    assert.deepEqual(rest, {
      object: 'usage_report',
      from: '2026-01-01T00:00:00.000Z',
      to: '2026-02-01T00:00:00.000Z',
      group_by: 'day',
      has_more: false,
      next_cursor: null,
    });
    assert.equal(data.length, 31);
    assert.deepEqual(data[1], {
      ...NONE,
      day: day('2026-01-02'),
      accepted: 4,
      billed: 2,
      late: 1,
      unrated: 1,
    });
    assert.deepEqual(data[2], { ...NONE, day: day('2026-01-03') });
    assert.deepEqual(data[30], { ...NONE, day: day('2026-01-31'), accepted: 1, too_late: 1 });
  });

  it('from is inclusive, to is exclusive, and both may cut a day', async () => {
    const { customer } = await subscribed({ pricing: PER_UNIT });
    const times = ['11:59:59.999', '12:00:00', '23:59:59.999'];
    await given.post(
      api.pool,
      customer,
      times.map((time) => ({ timestamp: `2026-01-05T${time}Z` })),
    );
    await given.post(
      api.pool,
      customer,
      times.map((time) => ({ timestamp: `2026-01-06T${time}Z` })),
    );
    const range = { from: '2026-01-05T12:00:00Z', to: '2026-01-06T12:00:00Z', customer_id: customer.id };
    assert.deepEqual(counts(await report(range)), [
      { day: day('2026-01-05'), accepted: 2, pending: 2 },
      { day: day('2026-01-06'), accepted: 1, pending: 1 },
    ]);
    assert.deepEqual(counts(await report({ ...range, to: range.from })), []);
  });

  it('counts an event of several charges once, with the most urgent status', async () => {
    const { customer, step } = await subscribed({ pricing: PER_UNIT }, SUM, {
      pricing: PER_UNIT,
      filters: { n: ['2'] },
    });
    const customer_id = customer.id;
    const timestamp = '2026-01-10T00:00:00Z';
    // The second charge skips the first event; the third charge matches only the third event.
    await given.post(api.pool, customer, [
      { timestamp, created_at: timestamp },
      { timestamp, created_at: timestamp, properties: { n: 1 } },
      { timestamp, created_at: timestamp, properties: { n: 2 } },
    ]);
    const { line_items } = await given.bill(api.pool, step);
    assert.deepEqual(counts(await report({ ...JANUARY, customer_id })), [
      { day: day('2026-01-10'), accepted: 3, billed: 3 },
    ]);
    await api.pool.query('delete from line_item_spans where line_item_id = $1', [line_items[1]!.id]);
    assert.deepEqual(counts(await report({ ...JANUARY, customer_id })), [
      { day: day('2026-01-10'), accepted: 3, billed: 1, late: 2 },
    ]);
    await api.pool.query(`update invoices set status = 'void' where subscription_id = $1`, [
      step.subscription_id,
    ]);
    assert.deepEqual(counts(await report({ ...JANUARY, customer_id })), [
      { day: day('2026-01-10'), accepted: 3, pending: 3 },
    ]);
  });

  it('covers the customer given by either id, else all customers, of one environment', async () => {
    const { customer } = await subscribed({ pricing: PER_UNIT });
    await given.post(api.pool, await given.aCustomer(api.pool), [{ timestamp: '2025-06-01T00:00:00Z' }]);
    await given.post(
      api.pool,
      customer,
      given.january(3).map((event) => ({ ...event, timestamp: '2025-06-01' })),
    );
    const range = { from: '2025-06-01', to: '2025-06-02' };
    const [everybody] = counts(await report(range));
    assert.deepEqual(everybody, { day: day('2025-06-01'), accepted: 4, unrated: 4 });
    await api.pool.query(`update customers set external_id = 'acme' where id = $1`, [customer.id]);
    for (const customer_id of [customer.id, 'acme'])
      assert.equal(counts(await report({ ...range, customer_id }))[0].accepted, 3);
    assert.deepEqual(counts(await report({ ...range, customer_id: 'nobody' })), []);
    const { body } = await api.request('/v1/usage-report?from=2025-06-01&to=2025-06-02');
    assert.deepEqual(counts(body), []);
  });

  it('by event name and by customer is a list, page by page, that a name and a customer narrow', async () => {
    const customers: given.TestCustomer[] = [];
    for (let count = 0; count < 3; count++) customers.push(await given.aCustomer(api.pool));
    const timestamp = '2025-07-01T12:00:00Z';
    for (const [place, customer] of customers.entries())
      for (const event_name of ['b', 'a', 'ä'].slice(0, place + 1))
        await given.post(api.pool, customer, [
          { timestamp, event_name },
          { timestamp: '2025-07-02T12:00:00Z', event_name },
        ]);
    const external = customers.map(({ id }) => `${id}-external`);
    const range = { from: '2025-07-01', to: '2025-07-03' };
    /** The groups of all pages, of one row each, with their counts. */
    async function groups(query: Record<string, string>): Promise<string[]> {
      const found: string[] = [];
      for (let cursor: string | null = null; ;) {
        const page: Json = await report({
          ...range,
          limit: '1',
          ...query,
          ...(cursor === null ? {} : { cursor }),
        });
        assert.ok(page.data.length <= 1);
        for (const { event_name, customer_id, day: of, accepted, unrated } of page.data)
          found.push(`${event_name ?? customer_id ?? of} ${accepted} ${unrated}`);
        assert.equal(page.has_more, page.next_cursor !== null);
        if (!page.has_more) return found;
        cursor = page.next_cursor;
      }
    }
    const check = async () => {
      assert.deepEqual(await groups({ group_by: 'event_name' }), ['a 4 4', 'b 6 6', 'ä 2 2']);
      assert.deepEqual(await groups({ group_by: 'customer' }), [
        `${external[2]} 6 6`,
        `${external[1]} 4 4`,
        `${external[0]} 2 2`,
      ]);
      assert.deepEqual(await groups({ group_by: 'customer', event_name: 'a' }), [
        `${external[2]} 2 2`,
        `${external[1]} 2 2`,
      ]);
      assert.deepEqual(await groups({ group_by: 'event_name', customer_id: customers[1]!.id }), [
        'a 2 2',
        'b 2 2',
      ]);
      assert.deepEqual(await groups({ group_by: 'customer', customer_id: customers[0]!.id }), [
        `${external[0]} 2 2`,
      ]);
      assert.deepEqual(await groups({ event_name: 'ä' }), [
        `${day('2025-07-01')} 1 1`,
        `${day('2025-07-02')} 1 1`,
      ]);
      assert.deepEqual(await groups({ group_by: 'event_name', customer_id: 'nobody' }), []);
    };
    await check();
    while (await rollUp(api.pool));
    await check();
    await consumeAll(api.pool, REPORTS);
    await check();
  });

  it('a cursor of one grouping or filter is refused by another', async () => {
    const range = { from: '2025-07-01', to: '2025-07-03', limit: '1' };
    const { next_cursor } = await report({ ...range, group_by: 'event_name' });
    for (const other of [{ group_by: 'customer' }, { group_by: 'event_name', event_name: 'a' }]) {
      const query = new URLSearchParams({ ...range, ...other, cursor: next_cursor });
      const { status, body } = await api.request(`/v1/usage-report?${query}`, { key: api.live_key });
      assert.deepEqual([status, body.error.details[0].reason], [400, 'bad_cursor']);
    }
  });

  it('agrees with the billing status of each event', async () => {
    const { rows } = await api.pool.query(
      `select key_hash, to_char(timestamp, 'YYYY-MM-DD"T00:00:00.000Z"') as day from events where timestamp >= '2026-01-01'`,
    );
    assert.ok(rows.length > 10);
    const days = new Map<string, Record<string, number | string>>();
    for (const { key_hash, day: of } of rows) {
      const event_id = eventIdOfUuid(key_hash);
      const billing = await billingOfEvent(
        api.pool,
        { environment_id: given.LIVE, event_id },
        given.NO_GRACE,
      );
      const status = FIRST.find((one) => billing.some((billing) => billing.status === one))!;
      const counted: Record<string, number | string> = days.get(of) ?? { ...NONE, day: of };
      days.set(of, {
        ...counted,
        accepted: Number(counted['accepted']) + 1,
        [status]: Number(counted[status]) + 1,
      });
    }
    const { data } = await report(JANUARY);
    for (const reported of data)
      assert.deepEqual(reported, days.get(reported.day) ?? { ...NONE, day: reported.day });
  });
});
