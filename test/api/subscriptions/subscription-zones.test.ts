import assert from 'node:assert/strict';
import { periodAfter, type Schedule } from '../../../src/domain/time/period.ts';
import { startApi, type TestApi } from '../../support/servers/api.ts';
import { at, testCustomersOn, PER_UNIT } from '../../support/ledger/test-customer.ts';

const PATH = '/v1/subscriptions';

describe('a subscription in a time zone', () => {
  let api: TestApi;
  const lives = testCustomersOn((path, sent) => api.request(path, sent));
  const { customer, plan, read, subscribe } = lives;
  before(async () => void (api = await startApi()));
  after(() => api.close());

  const day = (text: string) => at(text).slice(0, 10);
  /** Start, end of trial, anchor, and end of the first period. */
  const ZONED: [what: string, timezone: string, dates: object, shown: (string | null)[]][] = [
    [
      'dates alone are midnights there',
      'Europe/Berlin',
      { start_date: day('02-10'), trial_end_date: day('02-20'), billing_anchor: day('03-01') },
      [at('02-09T23:00'), at('02-19T23:00'), at('02-28T23:00'), at('02-19T23:00')],
    ],
    [
      'months are those of the zone',
      'Europe/Berlin',
      { start_date: day('03-01') },
      [at('02-28T23:00'), null, null, at('03-31T22:00')],
    ],
    [
      'a time without offset is UTC',
      'Asia/Kathmandu',
      { start_date: `${day('03-01')}T00:00` },
      [at('03-01'), null, null, at('04-01')],
    ],
    [
      'an offset is an offset',
      'America/St_Johns',
      { start_date: `${day('03-01')}T00:00:00+01:00`, billing_anchor: day('03-01') },
      [at('02-28T23:00'), null, at('03-01T03:30'), at('03-01T03:30')],
    ],
  ];
  for (const [what, timezone, dates, shown] of ZONED) {
    it(`${timezone}: ${what}`, async () => {
      const customer_id = await customer();
      await api.pool.query('update customers set timezone = $2 where external_id = $1', [
        customer_id,
        timezone,
      ]);
      const body = await subscribe(customer_id, await plan([PER_UNIT]), dates);
      assert.equal(body.timezone, timezone);
      assert.deepEqual(
        [body.start_date, body.trial_end_date, body.billing_anchor, body.current_period_end],
        shown,
      );
    });
  }

  const SANTIAGO: [what: string, dates: object, start: string, ends: string[]][] = [
    [
      'a day without a midnight begins at its first instant, and later periods at midnight',
      { start_date: '2026-09-06' },
      '2026-09-06T04:00:00.000Z',
      ['2026-10-06T03:00:00.000Z', '2026-11-06T03:00:00.000Z'],
    ],
    [
      'an instant keeps its own wall clock',
      { start_date: '2026-09-06T04:00:00Z' },
      '2026-09-06T04:00:00.000Z',
      ['2026-10-06T04:00:00.000Z', '2026-11-06T04:00:00.000Z'],
    ],
    [
      'the end of a trial is a day',
      { start_date: '2026-09-01T12:00:00Z', trial_end_date: '2026-09-06' },
      '2026-09-01T12:00:00.000Z',
      ['2026-09-06T04:00:00.000Z', '2026-10-06T03:00:00.000Z'],
    ],
    [
      'an anchor is a day, whatever the start is',
      { start_date: '2026-08-20T12:00:00Z', billing_anchor: '2026-09-06' },
      '2026-08-20T12:00:00.000Z',
      ['2026-09-06T04:00:00.000Z', '2026-10-06T03:00:00.000Z'],
    ],
    [
      'an anchor is an instant, whatever the start is',
      { start_date: '2026-09-01', billing_anchor: '2026-09-06T04:00:00Z' },
      '2026-09-01T04:00:00.000Z',
      ['2026-09-06T04:00:00.000Z', '2026-10-06T04:00:00.000Z'],
    ],
  ];
  for (const [what, dates, start, ends] of SANTIAGO) {
    it(`America/Santiago: ${what}`, async () => {
      const customer_id = await customer({ timezone: 'America/Santiago' }, null);
      await api.pool.query('update customers set test_clock = $2 where external_id = $1', [
        ...[customer_id, '2026-08-01T00:00:00Z'],
      ]);
      const plan_id = await plan([PER_UNIT]);
      const { id, start_date, current_period_end } = await subscribe(customer_id, plan_id, dates);
      assert.deepEqual([start_date, current_period_end], [start, ends[0]]);
      const { rows } = await api.pool.query<Schedule>(
        `select 'month' as interval, 1 as interval_count, start_date, trial_end_date, billing_anchor, anchor_is_day,
           timezone
         from subscriptions where id = $1`,
        [id],
      );
      assert.equal(periodAfter(rows[0]!, current_period_end).period_end, ends[1]);
    });
  }

  it('keeps the time zone of the environment where the customer has none, and keeps it for ever', async () => {
    const setZone = (timezone: string) =>
      api.pool.query('update environments set timezone = $1 where not livemode', [timezone]);
    await setZone('Pacific/Auckland');
    const [customer_id, plan_id] = [await customer(), await plan([PER_UNIT])];
    const { id, start_date, timezone } = await subscribe(customer_id, plan_id, { start_date: day('07-01') });
    await setZone('UTC');
    assert.deepEqual([start_date, timezone], [at('06-30T12:00'), 'Pacific/Auckland']);
    assert.equal((await read(`${PATH}/${id}`)).timezone, 'Pacific/Auckland');
    assert.equal((await read(`${PATH}/${id}/upcoming-invoice`)).timezone, 'Pacific/Auckland');
  });
});
