import assert from 'node:assert/strict';
import { PLANS_SEARCHED_MAX } from '../../../src/db/subscriptions/plan-search.ts';
import { startApi, type TestApi } from '../../support/servers/api.ts';
import { assertRefused } from '../../support/ledger/refused.ts';
import { FLAT, testCustomersOn } from '../../support/ledger/test-customer.ts';

const PATH = '/v1/pricing-plans';

/** contract.md 3. */
describe('the search of plans', () => {
  let api: TestApi;
  const { done, get, plan, read } = testCustomersOn((path, sent) => api.request(path, sent));
  /** Plans by name, the oldest first. */
  const ids = new Map<string, string>();
  before(async () => {
    api = await startApi();
    for (const [name, key] of [
      ['Öko Strom', 'green-power'],
      ['Pro', 'pro'],
      ['Pro yearly', 'pro'],
      ['Nothing of it', null],
    ] as const)
      ids.set(name, await plan([FLAT], { name, ...(key !== null && { key }) }));
    await done(`${PATH}/${ids.get('Pro')}/archive`);
  });
  after(() => api.close());

  const found = async (search: string, more = '') => {
    const { data } = await read(`${PATH}?search=${encodeURIComponent(search)}${more}`);
    return data.map(({ name }: { name: string }) => name);
  };

  const FOUND: [words: string, names: string[]][] = [
    ['oko', ['Öko Strom']],
    ['STROM öko', ['Öko Strom']],
    ['een-pow', ['Öko Strom']],
    ['pro', ['Pro yearly', 'Pro']],
    ['prö year', ['Pro yearly']],
    ['Pro, version 2', ['Pro yearly']],
    ['plan_', []],
    ['nobody', []],
  ];
  for (const [words, names] of FOUND)
    it(`finds ${names.join(' and ') || 'nothing'} by “${words}”`, async () =>
      assert.deepEqual(await found(words), names));

  it('finds a plan by its id in full', async () => {
    const id = ids.get('Pro')!;
    assert.deepEqual(await found(` ${id} `), ['Pro']);
    assert.deepEqual(await found(id.slice(0, -1)), []);
  });

  it('takes the other filters, and pages', async () => {
    assert.deepEqual(await found('pro', '&archived=false'), ['Pro yearly']);
    assert.deepEqual(await found('o', '&key=pro'), ['Pro yearly', 'Pro']);
    const { data, next_cursor } = await read(`${PATH}?search=pro&limit=1`);
    assert.equal(data[0].name, 'Pro yearly');
    assert.deepEqual(await found('pro', `&limit=1&cursor=${encodeURIComponent(next_cursor)}`), ['Pro']);
    assertRefused(await get(`${PATH}?search=oko&cursor=${encodeURIComponent(next_cursor)}`), {
      code: 'invalid_request',
      param: 'cursor',
    });
  });

  it('refuses a blank text, and finds nothing of the other environment', async () => {
    assertRefused(await get(`${PATH}?search=%20`), { code: 'invalid_request', param: 'search' });
    const { body } = await get(`${PATH}?search=pro`, { key: api.live_key });
    assert.deepEqual(body.data, []);
  });

  it('looks at a limited number of plans, the newest', async () => {
    // Their ids are above those of any plan that is made today. A part at a time: a statement has a time limit.
    for (let first = 1; first < PLANS_SEARCHED_MAX; first += 1_000)
      await api.pool.query(
        `insert into plans (environment_id, id, name, currency, interval, interval_count, metadata, created_at)
         select environment_id, 'plan_7' || lpad(n::text, 25, '0'), 'Filler', currency, interval, interval_count, metadata,
           created_at
         from plans, generate_series($2::integer, least($2::integer + 999, $3::integer)) as n where id = $1`,
        [ids.get('Pro'), first, PLANS_SEARCHED_MAX - 1],
      );
    assert.deepEqual(await found('nothing'), ['Nothing of it']);
    assert.deepEqual(await found('oko'), []);
    assert.equal((await found('filler')).length, 50);
  });
});
