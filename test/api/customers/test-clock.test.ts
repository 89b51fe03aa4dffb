import assert from 'node:assert/strict';
import { transaction } from '../../../src/db/connection/pool.ts';
import { beginAdvance } from '../../../src/billing/close/advance-clock.ts';
import { stepClock } from '../../../src/db/subscriptions/test-clock.ts';
import type { ErrorCode, Reason } from '../../../src/domain/money/errors.ts';
import { startApi, type Json } from '../../support/servers/api.ts';
import { eventually } from '../../support/servers/eventually.ts';
import {
  at,
  FLAT,
  later,
  testCustomersOn,
  PER_UNIT,
  requestsTo,
  times,
} from '../../support/ledger/test-customer.ts';
import { assertRefused } from '../../support/ledger/refused.ts';
import { useStack } from '../../support/servers/stack.ts';

const ADVANCE = '/v1/test-clock/advance';
const DAY_MS = 86_400_000;

describe('what the test clock refuses', () => {
  const { customer, get, plan, post, subscribe } = testCustomersOn((path, sent) => api.request(path, sent));
  let api: Awaited<ReturnType<typeof startApi>>;
  let customer_id: string;
  before(async () => {
    api = await startApi();
    customer_id = await customer();
  });
  after(() => api.close());

  const clocks = async () =>
    (await api.pool.query('select test_clock, test_clock_target, hold_drafts from customers order by id'))
      .rows;

  const REFUSED: [members: object, code: ErrorCode, param: string | null, reason: Reason][] = [
    [{ customer_id: undefined }, 'invalid_request', 'customer_id', 'missing'],
    [{ customer_id: '' }, 'invalid_request', 'customer_id', 'missing'],
    [{ to: undefined }, 'invalid_request', 'to', 'missing'],
    [{ to: null }, 'invalid_request', 'to', 'wrong_type'],
    [{ to: 1 }, 'invalid_request', 'to', 'wrong_type'],
    [{ to: '2029-02-30T00:00:00Z' }, 'invalid_request', 'to', 'malformed'],
    [{ to: 'infinity' }, 'invalid_request', 'to', 'malformed'],
    [{ hold_drafts: 'true' }, 'invalid_request', 'hold_drafts', 'wrong_type'],
    [{ hold: true }, 'invalid_request', 'hold', 'unknown_member'],
    [{ customer_id: 'nobody' }, 'not_found', 'customer_id', 'unknown_customer'],
    [{ customer_id: 'nobody', to: at('01-01', -9) }, 'not_found', 'customer_id', 'unknown_customer'],
    [{ to: later(at('01-01'), -1) }, 'invalid_request', 'to', 'clock_moved_back'],
    [{ to: later(at('01-01', 5), 1) }, 'invalid_request', 'to', 'out_of_range'],
  ];
  for (const [members, code, param, reason] of REFUSED) {
    it(`${JSON.stringify(members)}: ${param} ${reason}`, async () => {
      const clocks_before = await clocks();
      const answer = await post(ADVANCE, { customer_id, to: at('02-01'), ...members });
      assertRefused(answer, { code, param, reason });
      assert.deepEqual(await clocks(), clocks_before);
    });
  }

  it('a live key, which has no test clock', async () => {
    const live = { key: api.live_key };
    await post('/v1/customers', { external_id: customer_id }, live);
    assertRefused(await post(ADVANCE, { customer_id, to: at('02-01') }, live), { code: 'not_found' });
  });

  it('an instant before the real time, for a customer without a clock', async () => {
    const real = await customer({}, null);
    const answer = await post(ADVANCE, { customer_id: real, to: later(new Date().toISOString(), -1000) });
    assertRefused(answer, { code: 'invalid_request', param: 'to', reason: 'clock_moved_back' });
  });

  it('no advance of exactly five years, the maximum per call', async () => {
    const { status, body } = await post(ADVANCE, { customer_id: await customer(), to: at('01-01', 5) });
    const { now, invoices } = body;
    assert.deepEqual([status, now, invoices], [200, at('01-01', 5), []]);
  });

  const PERIODS: [dates: object, plans: number, ends: number, what: string][] = [
    [{}, 1, 101, '101 of one subscription'],
    [{}, 2, 51, '51 and 51 of two subscriptions'],
    [{ trial_end_date: at('01-02') }, 1, 102, '101 after a trial, whose end makes no invoice'],
    [{ start_date: at('12-02', -1) }, 1, 71, '30 that are not billed yet and 71'],
  ];
  for (const [dates, plans, days, what] of PERIODS) {
    it(`more than 100 periods per call: ${what}; exactly 100 are accepted`, async () => {
      const customer_id = await customer();
      for (let made = 0; made < plans; made++) {
        const charge = { ...FLAT, event_name: `platform-${made}` };
        await subscribe(customer_id, await plan([charge], { interval: 'day' }), dates);
      }
      const to = later(at('01-01'), days * DAY_MS);
      const refused = { code: 'invalid_request', param: 'to', reason: 'too_many_periods' } as const;
      assertRefused(await post(ADVANCE, { customer_id, to }), refused);
      // There is no worker: the request is accepted, but does not finish in time.
      const taken = await post(ADVANCE, { customer_id, to: later(to, -1) });
      assertRefused(taken, { code: 'internal_error', reason: 'not_in_time' });
      assert.ok(Number(taken.headers.get('retry-after')) >= 1);
      // The target can be requested again, but no earlier instant.
      const back = await post(ADVANCE, { customer_id, to: later(to, -2) });
      assertRefused(back, { code: 'invalid_request', param: 'to', reason: 'clock_moved_back' });
    });
  }

  it('GET, with the allowed method in the response', async () => {
    const answer = await get(ADVANCE);
    assertRefused(answer, { code: 'not_found' });
    assert.equal(answer.headers.get('allow'), 'POST');
  });
});

describe('the test clock', () => {
  const stack = useStack();
  const lives = testCustomersOn(requestsTo(stack));
  const { advance, customer, done, grant, plan, post, read, subscribe, use } = lives;

  const ends = (invoices: Json[]) => invoices.map(({ period_end }) => period_end);

  it('responds with the customer, the time and the invoices, also for our id', async () => {
    const external_id = await customer();
    const { id } = await read(`/v1/customers/${external_id}`);
    await subscribe(external_id, await plan([FLAT]));
    const { status, body } = await post(ADVANCE, { customer_id: id, to: at('02-01').slice(0, 10) });
    const { data } = await read(`/v1/invoices?customer_id=${external_id}`);
    assert.equal(data.length, 1);
    const now = at('02-01');
    assert.deepEqual(
      [status, body],
      [200, { object: 'test_clock', customer_id: external_id, now, invoices: data }],
    );
  });

  it('bills at the very end of a period, not a millisecond before, and once', async () => {
    const customer_id = await customer();
    await subscribe(customer_id, await plan([FLAT]));
    assert.deepEqual(await advance(customer_id, later(at('02-01'), -1)), []);
    assert.deepEqual(ends(await advance(customer_id, at('02-01'))), [at('02-01')]);
    assert.deepEqual(await advance(customer_id, at('02-01')), []);
  });

  it('an invoice is issued before the response: open, or paid if its total is zero', async () => {
    const customer_id = await customer();
    await subscribe(customer_id, await plan([FLAT]));
    await subscribe(customer_id, await plan([PER_UNIT]), { start_date: at('01-02') });
    const shown = (await advance(customer_id, at('02-02'))).map(({ status, total, issued_at, paid_at }) => [
      status,
      total,
      issued_at,
      paid_at,
    ]);
    assert.deepEqual(shown, [
      ['open', '49.00', at('02-01'), null],
      ['paid', '0.00', at('02-02'), at('02-02')],
    ]);
  });

  it('is the real time until the first advance', async () => {
    const customer_id = await customer({}, null);
    const before = new Date().toISOString();
    const { start_date } = await subscribe(customer_id, await plan([FLAT]));
    assert.ok(before <= start_date && start_date <= new Date().toISOString(), start_date);
  });

  it('stands still between advances, for everything that uses the current time', async () => {
    const customer_id = await customer();
    const subscription = await subscribe(customer_id, await plan([PER_UNIT]));
    assert.deepEqual([subscription.created_at, subscription.start_date], [at('01-01'), at('01-01')]);
    const now = at('01-10T12:00');
    await advance(customer_id, now);
    const granted = await grant(customer_id, 1, { expires_in_days: 1, rollover: true });
    assert.deepEqual([granted.created_at, granted.expires_at], [now, at('01-11T12:00')]);
    const event = { event_name: 'api_call', customer_id, idempotency_key: customer_id };
    const stored = await done('/v1/events', event);
    assert.deepEqual([stored.timestamp, stored.created_at], [now, now]);
    const ahead = (timestamp: string) =>
      post('/v1/events', { ...event, idempotency_key: `${customer_id}-${timestamp}`, timestamp });
    assert.equal((await ahead(at('01-11T12:00'))).status, 201);
    assertRefused(await ahead(later(at('01-11T12:00'), 1)), { code: 'invalid_request', reason: 'in_future' });
    const [invoice] = await advance(customer_id, at('02-01'));
    assert.deepEqual([invoice.created_at, invoice.issued_at], [at('02-01'), at('02-01')]);
    await advance(customer_id, at('02-03'));
    assert.equal((await done(`/v1/invoices/${invoice.id}/pay`)).paid_at, at('02-03'));
    const { created_at } = await grant(await customer(), 1);
    assert.equal(created_at, at('01-01'), 'of another customer it is another clock');
  });

  it('hold_drafts keeps drafts until the next advance without it, which issues them before it moves', async () => {
    const customer_id = await customer();
    await subscribe(customer_id, await plan([PER_UNIT]));
    const held = await advance(customer_id, at('03-01'), { hold_drafts: true });
    const seen = held.map(({ status, number, issued_at }) => [status, number, issued_at]);
    assert.deepEqual(seen, Array(2).fill(['draft', null, null]));
    assert.deepEqual(await advance(customer_id, at('03-02'), { hold_drafts: true }), []);
    await use(customer_id, times(3, { timestamp: at('01-31') }));
    assert.deepEqual(await advance(customer_id, at('03-03')), [], 'made by an earlier advance');
    const issued = (await read(`/v1/invoices?customer_id=${customer_id}`)).data;
    assert.deepEqual(
      issued.map(({ status, total, issued_at }: Json) => [status, total, issued_at]),
      [
        ['paid', '0.00', at('03-02')],
        ['open', '3.00', at('03-02')],
      ],
    );
  });

  it('bills all subscriptions in the order of the ends: credit goes to the earlier one', async () => {
    const customer_id = await customer();
    const of = async (event_name: string, start_date: string) =>
      subscribe(customer_id, await plan([{ ...PER_UNIT, event_name }]), { start_date });
    const [late, early] = [await of('a', at('01-20')), await of('b', at('01-10'))];
    await grant(customer_id, 30, { rollover: true });
    for (const event_name of ['a', 'b']) {
      await use(customer_id, times(20, { event_name, timestamp: at('01-02') }));
      await advance(customer_id, at('01-21'));
      await use(customer_id, times(20, { event_name, timestamp: at('01-21') }));
    }
    const invoices = await advance(customer_id, at('03-15'));
    assert.deepEqual(
      invoices.map(({ subscription_id, period_end, credits_applied }) => [
        subscription_id,
        period_end,
        credits_applied,
      ]),
      [
        [early.id, at('02-10'), '20'],
        [late.id, at('02-20'), '10'],
        [early.id, at('03-10'), '0'],
      ],
    );
    const numbers = invoices.map(({ number }) => number);
    assert.deepEqual(numbers, [...numbers].sort());
  });

  it('invoices that were due before are not listed by the advance, but exist when it responds', async () => {
    const customer_id = await customer();
    await subscribe(customer_id, await plan([FLAT]), { start_date: at('08-01', -1) });
    assert.deepEqual(ends(await advance(customer_id, at('02-01'))), [at('02-01')]);
    const { data } = await read(`/v1/invoices?customer_id=${customer_id}`);
    assert.deepEqual(ends(data), [
      at('02-01'),
      at('01-01'),
      ...['12-01', '11-01', '10-01', '09-01'].map((day) => at(day, -1)),
    ]);
  });

  it('concurrent equal advances bill each period once', async () => {
    const customer_id = await customer();
    await subscribe(customer_id, await plan([FLAT]));
    const reported = await Promise.all(Array.from({ length: 4 }, () => advance(customer_id, at('04-01'))));
    const { data } = await read(`/v1/invoices?customer_id=${customer_id}`);
    assert.deepEqual(ends(data), [at('04-01'), at('03-01'), at('02-01')]);
    assert.deepEqual(ends(reported.flat()).sort(), ends(data).sort(), 'each is in the answer of one advance');
  });

  it('concurrent advances to several instants list each invoice once', async () => {
    const customer_id = await customer();
    await subscribe(customer_id, await plan([FLAT]));
    const to = ['02-01', '03-01', '04-01'].map((day) => at(day));
    // The requests may arrive in any order, so the clock may already be past the earlier ends.
    const answers = await Promise.all(to.map((end) => post(ADVANCE, { customer_id, to: end })));
    const reported = answers.flatMap(({ status, body }) => (status === 200 ? body.invoices : []));
    assert.deepEqual(ends(reported).sort(), to);
  });

  it('a retry of an interrupted advance lists the invoices made before as well', async () => {
    const customer_id = await customer();
    const { id: subscription_id } = await subscribe(customer_id, await plan([FLAT]));
    const { rows } = await stack().pool.query<{ environment_id: number; customer_id: string }>(
      'select environment_id, id as customer_id from customers where external_id = $1',
      [customer_id],
    );
    const going = { to: at('04-01'), hold_drafts: false };
    const step = () => transaction(stack().pool, (db) => stepClock(db, rows[0]!));
    await transaction(stack().pool, (db) => beginAdvance(db, rows[0]!, going));
    await step();
    await stack().temporal.nudge([{ ...rows[0]!, subscription_id }], 'advanceClock');
    await eventually(
      () => read(`/v1/invoices?status=open&customer_id=${customer_id}`),
      ({ data }) => data.length === 1,
    );
    await step();
    const again = await advance(customer_id, at('04-01'));
    assert.deepEqual(ends(again), [at('02-01'), at('03-01'), at('04-01')]);
    assert.deepEqual(await advance(customer_id, at('04-01')), []);
  });

  it('gets the same response with the same Idempotency-Key', async () => {
    const customer_id = await customer();
    await subscribe(customer_id, await plan([FLAT]));
    const body = { customer_id, to: at('02-01') };
    const headers = { 'Idempotency-Key': `advance-${customer_id}` };
    const first = await post(ADVANCE, body, { headers });
    await advance(customer_id, at('02-02'));
    const again = await post(ADVANCE, body, { headers });
    assert.deepEqual([again.status, again.body], [first.status, first.body]);
    assert.equal(again.headers.get('idempotent-replayed'), 'true');
    const other = await post(ADVANCE, { ...body, to: at('02-03') }, { headers });
    assertRefused(other, { code: 'conflict', reason: 'idempotency_mismatch' });
  });
});
