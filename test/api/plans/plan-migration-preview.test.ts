import assert from 'node:assert/strict';
import { startApi, type Json, type TestApi } from '../../support/servers/api.ts';
import { at, FLAT, PER_UNIT, testCustomersOn, times } from '../../support/ledger/test-customer.ts';

const PATH = '/v1/plan-migrations';
const CHEAP = { ...FLAT, flat_amount: '49.00' };
const DEAR = { ...FLAT, flat_amount: '199.00' };
const COMPARED_MAX = 100;

describe('the preview of a plan migration', function () {
  let api: TestApi;
  const lives = testCustomersOn((path, sent) => api.request(path, sent));
  const { customer, plan, subscribe, read, done, advance, use, grant } = lives;
  before(async () => void (api = await startApi()));
  after(() => api.close());

  async function subscription(plan_id: string, dates: object = {}): Promise<Json> {
    return subscribe(await customer({}, at('04-01')), plan_id, dates);
  }
  const preview = (from_plan_id: string, to_plan_id: string, more: object = {}): Promise<Json> =>
    done(PATH, { from_plan_id, to_plan_id, at: 'period_end', dry_run: true, ...more });
  const figures = ({ current, proposed, difference }: Json) => [current, proposed, difference];

  it('has both subtotals of each subscription, and their sums', async () => {
    // 5 calls at 0.01 and a fee of 49.00; then at 0.02 and a fee of 199.00.
    const calls = (unit_amount: string) => ({ ...PER_UNIT, unit_amount });
    const [from, to] = [await plan([CHEAP, calls('0.01')]), await plan([DEAR, calls('0.02')])];
    const [a, b] = [await subscription(from), await subscription(from)];
    await use(b.customer_id, times(5, { timestamp: at('04-01') }));
    assert.deepEqual(await preview(from, to), {
      ...{ object: 'plan_migration_preview', total: 2 },
      ...{ current: '98.05', proposed: '398.10', difference: '300.05' },
      data: [
        {
          ...{ subscription_id: b.id, customer_id: b.customer_id },
          ...{ current: '49.05', proposed: '199.10', difference: '150.05' },
        },
        {
          ...{ subscription_id: a.id, customer_id: a.customer_id },
          ...{ current: '49.00', proposed: '199.00', difference: '150.00' },
        },
      ],
      has_more: false,
    });
    const { total, current } = await preview(from, to, { customer_ids: [a.customer_id] });
    assert.deepEqual([total, current], [1, '49.00']);
  });

  it('has the credit that the other plan comes with', async () => {
    const from = await plan([PER_UNIT]);
    const to = await plan([PER_UNIT], { grants: [{ amount: 3, expires: 'period_end' }] });
    const { customer_id } = await subscription(from);
    await use(customer_id, times(5, { timestamp: at('04-01') }));
    assert.deepEqual(figures(await preview(from, to)), ['5.00', '2.00', '-3.00']);
    assert.deepEqual((await read(`/v1/credit-grants?customer_id=${customer_id}`)).data, []);
  });

  it('is of no subscriber, and of the others alone', async () => {
    const versions = [await plan([CHEAP], { key: 'some' }), await plan([DEAR], { key: 'some' })];
    const none = { object: 'plan_migration_preview', total: 0, current: '0.00', proposed: '0.00' };
    const empty = { ...none, difference: '0.00', data: [], has_more: false };
    assert.deepEqual(await preview('some', 'some'), empty);
    await subscription(versions[1]!);
    assert.deepEqual(await preview('some', 'some'), empty);
    const { id } = await subscription(versions[0]!);
    const { total, data } = await preview('some', 'some');
    assert.deepEqual([total, data.map((one: Json) => one.subscription_id)], [1, [id]]);
  });

  it('stores nothing', async () => {
    const [from, to] = [await plan([CHEAP]), await plan([DEAR, PER_UNIT])];
    const { id } = await subscription(from);
    const tables = [
      'plan_migrations',
      'plan_migration_outcomes',
      'plan_changes',
      'usage_dimensions',
      'periods',
    ];
    const rowsOf = async () => {
      const rows: unknown[] = [await read(`/v1/subscriptions/${id}`)];
      for (const table of tables) rows.push((await api.pool.query(`select * from ${table}`)).rows);
      return rows;
    };
    const before = await rowsOf();
    await preview(from, to, { at: 'now' });
    assert.deepEqual(await rowsOf(), before);
  });

  it('has fees whole: of a period that was cut, billed in advance, and in a trial', async () => {
    const [from, to] = [await plan([CHEAP]), await plan([{ ...DEAR, billed: 'in_advance' }])];
    const changed = await subscription(await plan([FLAT]));
    await advance(changed.customer_id, at('04-16'));
    await done(`/v1/subscriptions/${changed.id}/change`, { plan_id: from, at: 'now' });
    await subscription(from, { trial_end_date: at('04-20') });
    const { data } = await preview(from, to);
    assert.deepEqual(data.map(figures), [
      ['49.00', '199.00', '150.00'],
      ['49.00', '199.00', '150.00'],
    ]);
    const back = await preview(to, from);
    assert.equal(back.total, 0);
  });

  it('has the fee of a year beside that of a month, and the usage of the current period', async () => {
    const [from, to] = [await plan([CHEAP, PER_UNIT]), await plan([DEAR, PER_UNIT], { interval: 'year' })];
    const { customer_id } = await subscription(from);
    await use(customer_id, times(3, { timestamp: at('04-01') }));
    assert.deepEqual(figures(await preview(from, to)), ['52.00', '202.00', '150.00']);
  });

  it('has usage after credit, which both plans take', async () => {
    const [from, to] = [await plan([PER_UNIT]), await plan([{ ...PER_UNIT, unit_amount: '2' }])];
    const { customer_id } = await subscription(from);
    await grant(customer_id, 2);
    await use(customer_id, times(5, { timestamp: at('04-01') }));
    assert.deepEqual(figures(await preview(from, to)), ['3.00', '6.00', '3.00']);
  });

  it('has the 100 newest subscriptions', async () => {
    const [from, to] = [await plan([CHEAP]), await plan([DEAR])];
    const ids = [];
    for (let made = 0; made <= COMPARED_MAX; made++) {
      const customer_id = await customer({}, null);
      ids.push((await subscribe(customer_id, from)).id);
    }
    const { total, current, data, has_more } = await preview(from, to);
    assert.deepEqual([total, current, has_more], [101, '4900.00', true]);
    assert.deepEqual(
      data.map((one: Json) => one.subscription_id),
      ids.slice(1).toReversed(),
    );
  });
});
