import assert from 'node:assert/strict';
import type { ErrorCode, Reason } from '../../../src/domain/money/errors.ts';
import { startApi, type Sent, type TestApi } from '../../support/servers/api.ts';
import { at, FLAT, later, testCustomersOn, PER_UNIT } from '../../support/ledger/test-customer.ts';
import { assertRefused } from '../../support/ledger/refused.ts';

const PATH = '/v1/subscriptions';

/** `plan_id` is a name of a plan below; members that are not given are valid. */
type Members = { plan_id?: unknown; [name: string]: unknown };
type Row = [members: Members, code: ErrorCode, param: string | null, reason: Reason];

describe('bad input, J: subscriptions', () => {
  let api: TestApi;
  let plans: Record<string, string>;
  let customer_id: string;
  const lives = testCustomersOn((path, sent) => api.request(path, sent));
  const { customer, get, plan, post, read, subscribe } = lives;
  before(async () => {
    api = await startApi();
    customer_id = await customer();
    plans = {
      known: await plan([PER_UNIT]),
      euro: await plan([PER_UNIT], { currency: 'EUR' }),
      live: (await postAs(api.live_key, '/v1/pricing-plans', { name: 'Plan', charges: [FLAT] })).id,
      other: (await postAs(api.other_key, '/v1/pricing-plans', { name: 'Plan', charges: [FLAT] })).id,
    };
    for (const key of [api.live_key, api.other_key]) {
      await postAs(key, '/v1/customers', { external_id: 'elsewhere', currency: 'USD' });
    }
  });
  after(() => api.close());

  const postAs = async (key: string, path: string, body: object) => (await post(path, body, { key })).body;
  const create = ({ plan_id = 'known', ...rest }: Members, sent: Sent = {}) => {
    const named = typeof plan_id === 'string' ? (plans[plan_id] ?? plan_id) : plan_id;
    return post(PATH, { customer_id, plan_id: named, ...rest }, sent);
  };
  const stored = async () =>
    (
      await api.pool.query(
        'select (select count(*) from subscriptions) + (select count(*) from periods) as n',
      )
    ).rows[0].n;

  const REFUSED: Row[] = [
    [{ customer_id: undefined }, 'invalid_request', 'customer_id', 'missing'],
    [{ customer_id: null }, 'invalid_request', 'customer_id', 'wrong_type'],
    [{ customer_id: 1 }, 'invalid_request', 'customer_id', 'wrong_type'],
    [{ customer_id: '' }, 'invalid_request', 'customer_id', 'missing'],
    [{ customer_id: ' ' }, 'invalid_request', 'customer_id', 'malformed'],
    [{ customer_id: 'a\u0000' }, 'invalid_request', 'customer_id', 'malformed'],
    [{ customer_id: 'x'.repeat(256) }, 'invalid_request', 'customer_id', 'too_long'],
    [{ plan_id: null }, 'invalid_request', 'plan_id', 'wrong_type'],
    [{ plan_id: 1 }, 'invalid_request', 'plan_id', 'wrong_type'],
    [{ plan_id: '' }, 'invalid_request', 'plan_id', 'missing'],
    [{ start_date: '2024-02-30' }, 'invalid_request', 'start_date', 'malformed'],
    [{ start_date: 'infinity' }, 'invalid_request', 'start_date', 'malformed'],
    [{ start_date: '10000-01-01' }, 'invalid_request', 'start_date', 'malformed'],
    [{ start_date: '1969-12-31' }, 'invalid_request', 'start_date', 'malformed'],
    [{ start_date: 0 }, 'invalid_request', 'start_date', 'wrong_type'],
    [{ start_date: '' }, 'invalid_request', 'start_date', 'malformed'],
    [{ trial_end_date: 'tomorrow' }, 'invalid_request', 'trial_end_date', 'malformed'],
    [{ billing_anchor: '2024-02-30' }, 'invalid_request', 'billing_anchor', 'malformed'],
    [{ billing_anchor: 1 }, 'invalid_request', 'billing_anchor', 'wrong_type'],
    [{ status: 'active' }, 'invalid_request', 'status', 'unknown_member'],
    [{ cancel_at: at('02-01') }, 'invalid_request', 'cancel_at', 'unknown_member'],
    [{ customer_id: 'nobody' }, 'not_found', 'customer_id', 'unknown_customer'],
    [{ customer_id: 'cus_nobody' }, 'not_found', 'customer_id', 'unknown_customer'],
    [{ customer_id: 'CUSTOMER-1' }, 'not_found', 'customer_id', 'unknown_customer'],
    [{ customer_id: 'elsewhere' }, 'not_found', 'customer_id', 'unknown_customer'],
    [{ plan_id: 'plan_nothing' }, 'not_found', 'plan_id', 'unknown_plan'],
    [{ plan_id: 'live' }, 'not_found', 'plan_id', 'unknown_plan'],
    [{ plan_id: 'other' }, 'not_found', 'plan_id', 'unknown_plan'],
    [{ plan_id: 'euro' }, 'invalid_request', 'plan_id', 'currency_mismatch'],
    [{ trial_end_date: at('01-01') }, 'invalid_request', 'trial_end_date', 'out_of_order'],
    [
      { start_date: at('02-01'), trial_end_date: at('01-31') },
      'invalid_request',
      'trial_end_date',
      'out_of_order',
    ],
    [{ trial_end_date: later(at('01-01', 100), 1) }, 'invalid_request', 'trial_end_date', 'out_of_range'],
    [{ start_date: later(at('01-01', -5), -1) }, 'invalid_request', 'start_date', 'out_of_range'],
    [{ start_date: later(at('01-01', 1), 1) }, 'invalid_request', 'start_date', 'out_of_range'],
    [{ start_date: at('01-01', -50) }, 'invalid_request', 'start_date', 'out_of_range'],
    // With two errors, the earlier check reports: first the schema, then the references, then the state.
    [{ customer_id: 'nobody', start_date: 'x' }, 'invalid_request', 'start_date', 'malformed'],
    [{ customer_id: 'nobody', plan_id: 'live' }, 'not_found', 'customer_id', 'unknown_customer'],
    [{ customer_id: 'nobody', plan_id: 'euro' }, 'not_found', 'customer_id', 'unknown_customer'],
  ];
  for (const [members, code, param, reason] of REFUSED) {
    it(`${JSON.stringify(members).slice(0, 80)}: ${param} ${reason}`, async () => {
      const stored_before = await stored();
      assertRefused(await create(members), { code, param, reason });
      assert.equal(await stored(), stored_before, 'nothing is stored');
    });
  }

  it('reports two invalid dates at once', async () => {
    const { body } = await create({ start_date: 'x', trial_end_date: 'y' });
    assert.deepEqual(body.error.details.map(({ param }: { param: string }) => param).sort(), [
      'start_date',
      'trial_end_date',
    ]);
  });

  it('refuses a key that may only post events', async () => {
    assertRefused(await create({}, { key: api.events_only_key }), { code: 'unauthorized' });
  });

  it('null for an optional date is the same as omitting it', async () => {
    const nulls = { start_date: null, trial_end_date: null, billing_anchor: null };
    const { status, body } = await create({ customer_id: await customer(), ...nulls });
    assert.deepEqual([status, body.start_date, body.billing_anchor], [201, at('01-01'), null]);
  });

  it('accepts the first and the last allowed dates', async () => {
    for (const dates of [
      { start_date: at('01-01', -5) },
      { start_date: at('01-01', 1) },
      { trial_end_date: later(at('01-01'), 1) },
      { trial_end_date: at('01-01', 100) },
    ]) {
      const { status, body } = await create({ customer_id: await customer(), ...dates });
      assert.equal(status, 201, JSON.stringify(body));
    }
  });

  it('unknown ids, other ids and ids of other environments get the same 404', async () => {
    const { id } = await subscribe(await customer(), plans['known']!);
    const bodies = [];
    for (const [path, key] of [
      [`${PATH}/sub_nothing`, api.test_key],
      [`${PATH}/${customer_id}`, api.test_key],
      [`${PATH}/${plans['known']}`, api.test_key],
      [`${PATH}/${id.toUpperCase()}`, api.test_key],
      [`${PATH}/${id}`, api.live_key],
      [`${PATH}/${id}`, api.other_key],
      [`${PATH}/${id}/`, api.test_key],
      [`${PATH}/%00`, api.test_key],
    ] as const) {
      const answer = await get(path, { key });
      assertRefused(answer, { code: 'not_found' });
      bodies.push({ ...answer.body.error, request_id: null });
    }
    assert.deepEqual(bodies, Array(bodies.length).fill(bodies[0]));
    assert.equal((await read(`${PATH}/${id}`)).id, id);
  });

  const FILTERS: [query: string, param: string | null, reason: Reason][] = [
    ['status=ACTIVE', 'status', 'not_allowed'],
    ['status=active,pending', 'status', 'not_allowed'],
    ['status=ended', 'status', 'not_allowed'],
    ['status=', 'status', 'missing'],
    ['status=active&status=pending', 'status', 'duplicate_member'],
    ['customer_id=', 'customer_id', 'missing'],
    ['customer_id=%00', 'customer_id', 'malformed'],
    ['customer_id=%ff', null, 'malformed'],
    [`customer_id=${'x'.repeat(256)}`, 'customer_id', 'too_long'],
    ['plan=plan_1', 'plan', 'unknown_parameter'],
    ['limit=0', 'limit', 'out_of_range'],
    ['limit=201', 'limit', 'out_of_range'],
    ['cursor=x', 'cursor', 'bad_cursor'],
  ];
  for (const [query, param, reason] of FILTERS) {
    it(`?${query.slice(0, 40)}`, async () => {
      assertRefused(await get(`${PATH}?${query}`), { code: 'invalid_request', param, reason });
    });
  }
});
