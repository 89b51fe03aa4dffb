import assert from 'node:assert/strict';
import { send } from '../../support/servers/api.ts';
import { planMigrationsOn } from '../../support/ledger/plan-migrations.ts';
import { assertRefused } from '../../support/ledger/refused.ts';
import { useStack } from '../../support/servers/stack.ts';
import { FLAT, requestsTo, testCustomersOn } from '../../support/ledger/test-customer.ts';

const PATH = '/v1/plan-migrations';
const CHEAP = { ...FLAT, flat_amount: '49.00' };
const DEAR = { ...FLAT, flat_amount: '199.00' };

describe('plan migrations refuse', function () {
  const stack = useStack();
  const lives = testCustomersOn(requestsTo(stack));
  const { customer, plan, get, post, done } = lives;
  const { path, migrated } = planMigrationsOn(lives);
  const live = (address: string, sent: object = {}) =>
    send(stack().api_url + address, { key: stack().live_key, ...sent });

  let from = '';
  let to = '';
  before(async () => void ([from, to] = [await plan([CHEAP]), await plan([DEAR])]));
  const refused = async (parts: object, expected: Parameters<typeof assertRefused>[1]) => {
    for (const dry_run of [false, true])
      assertRefused(
        await post(PATH, { from_plan_id: from, to_plan_id: to, at: 'now', dry_run, ...parts }),
        expected,
      );
  };

  it('unknown plans and customers', async () => {
    for (const param of ['from_plan_id', 'to_plan_id'])
      await refused({ [param]: 'unknown' }, { code: 'not_found', param, reason: 'unknown_plan' });
    await refused(
      { customer_ids: [await customer(), 'unknown'] },
      { code: 'not_found', param: 'customer_ids[1]', reason: 'unknown_customer' },
    );
  });

  it('a plan alone that is the target', async () => {
    const key = await plan([CHEAP], { key: 'alone' });
    for (const parts of [
      { to_plan_id: from },
      { from_plan_id: 'alone', to_plan_id: 'alone' },
      { from_plan_id: 'alone', to_plan_id: key },
    ])
      await refused(parts, { code: 'invalid_request', param: 'to_plan_id', reason: 'not_allowed' });
  });

  it('a target in another currency, and one that is archived', async () => {
    await refused(
      { to_plan_id: await plan([DEAR], { currency: 'EUR' }) },
      { code: 'invalid_request', param: 'to_plan_id', reason: 'currency_mismatch' },
    );
    const archived = await plan([DEAR], { key: 'over' });
    await done(`/v1/pricing-plans/${archived}/archive`);
    for (const to_plan_id of [archived, 'over'])
      await refused({ to_plan_id }, { code: 'conflict', param: 'to_plan_id', reason: 'archived' });
  });

  it('bodies that are not complete, or too much', async () => {
    const invalid = (param: string, reason: 'missing' | 'malformed' | 'too_many' | 'wrong_type') =>
      ({ code: 'invalid_request', param, reason }) as const;
    await refused({ at: undefined }, invalid('at', 'missing'));
    await refused({ at: 'soon' }, invalid('at', 'malformed'));
    await refused(
      { customer_ids: Array.from({ length: 1001 }, () => 'a') },
      invalid('customer_ids', 'too_many'),
    );
    await refused({ customer_ids: 'all' }, invalid('customer_ids', 'wrong_type'));
  });

  it('unknown migrations, and those of the other mode', async () => {
    const { id } = await migrated({ from_plan_id: from, to_plan_id: to, at: 'now' });
    for (const unknown of ['mig_unknown', from]) {
      for (const part of ['', '/outcomes'])
        assertRefused(await get(path(unknown) + part), { code: 'not_found' });
      for (const part of ['/stop', '/take-back'])
        assertRefused(await post(path(unknown) + part), { code: 'not_found' });
    }
    assert.equal((await live(path(id))).status, 404);
    assert.equal((await live(`${path(id)}/take-back`, { method: 'POST', body: {} })).status, 404);
    assert.deepEqual((await live(PATH)).body['data'], []);
    const body = { from_plan_id: from, to_plan_id: to, at: 'now' };
    assert.equal((await live(PATH, { method: 'POST', body })).status, 404);
  });

  it('a status that no outcome has', async () => {
    const { id } = await migrated({ from_plan_id: from, to_plan_id: to, at: 'now' });
    assertRefused(await get(`${path(id)}/outcomes?status=pending`), {
      code: 'invalid_request',
      param: 'status',
    });
  });
});
