import assert from 'node:assert/strict';
import { startApi, type Json, type Sent, type TestApi } from '../../support/servers/api.ts';
import type { Reason } from '../../../src/domain/money/errors.ts';
import { assertRefused } from '../../support/ledger/refused.ts';
import { assertSound } from '../../support/ledger/sound.ts';
import { PER_UNIT, testCustomersOn } from '../../support/ledger/test-customer.ts';

/** contract.md 3. */
describe('bill_at of a subscription', () => {
  let api: TestApi;
  before(async () => (api = await startApi()));
  after(async () => {
    await assertSound(api.pool);
    await api.close();
  });

  const request = (path: string, sent?: Sent) => api.request(path, sent);
  const { customer, done, plan, post, read, subscribe } = testCustomersOn(request);
  const path = (id: string) => `/v1/subscriptions/${id}`;
  const patch = (id: string, body: object, sent: Sent = {}) =>
    request(path(id), { method: 'PATCH', body, ...sent });
  const aSubscription = async (parts: object = {}): Promise<Json> =>
    subscribe(await customer(parts), await plan([PER_UNIT]));
  const looksAt = async (id: string): Promise<number> =>
    (await api.pool.query('select from threshold_looks where subscription_id = $1', [id])).rows.length;

  it('is null, set, changed, kept and taken away', async () => {
    const subscription = await aSubscription();
    assert.equal(subscription.bill_at, null);
    for (const [body, expected] of [
      [{ bill_at: '500' }, '500.00'],
      [{ bill_at: 12.5 }, '12.50'],
      [{}, '12.50'],
      [{ bill_at: null }, null],
    ] as const) {
      const { status, body: patched } = await patch(subscription.id, body);
      assert.equal(status, 200, JSON.stringify(patched));
      assert.deepEqual(patched, { ...subscription, bill_at: expected });
      assert.deepEqual(await read(path(subscription.id)), patched);
    }
  });

  it('is taken by a new subscription, in the decimals of the currency', async () => {
    const customer_id = await customer({ currency: 'JPY' });
    const plan_id = await plan([PER_UNIT], { currency: 'JPY' });
    assert.equal((await subscribe(customer_id, plan_id, { bill_at: 100 })).bill_at, '100');
  });

  const REFUSED: [bill_at: unknown, reason: Reason][] = [
    ['0', 'out_of_range'],
    [0, 'out_of_range'],
    ['-1', 'out_of_range'],
    ['0.001', 'out_of_range'],
    ['100.001', 'out_of_range'],
    ['1'.repeat(26), 'out_of_range'],
    ['much', 'malformed'],
    ['', 'malformed'],
    [true, 'wrong_type'],
  ];
  for (const [bill_at, reason] of REFUSED)
    it(`${JSON.stringify(bill_at)} is 400 ${reason}, and nothing is stored`, async () => {
      const customer_id = await customer();
      const plan_id = await plan([PER_UNIT]);
      const refused = { code: 'invalid_request', param: 'bill_at', reason } as const;
      assertRefused(await post('/v1/subscriptions', { customer_id, plan_id, bill_at }), refused);
      assert.deepEqual((await read(`/v1/subscriptions?customer_id=${customer_id}`)).data, []);
      const subscription = await subscribe(customer_id, plan_id);
      assertRefused(await patch(subscription.id, { bill_at }), refused);
      assert.deepEqual(await read(path(subscription.id)), subscription);
    });

  it('of an unknown subscription and of another account are 404, and another member is 400', async () => {
    const { id } = await aSubscription();
    for (const body of [{ bill_at: '1' }, {}]) {
      assertRefused(await patch('sub_none', body), { code: 'not_found' });
      for (const key of [api.live_key, api.other_key])
        assertRefused(await patch(id, body, { key }), { code: 'not_found' });
    }
    const unknown = { code: 'invalid_request', param: 'plan_id', reason: 'unknown_member' } as const;
    assertRefused(await patch(id, { plan_id: 'pro' }), unknown);
  });

  it('is refused once the subscription has ended, and stays while its end is to come', async () => {
    const { id } = await aSubscription();
    await done(`${path(id)}/cancel`);
    assert.equal((await patch(id, { bill_at: '1' })).body.bill_at, '1.00');
    await done(`${path(id)}/cancel`, { at: 'now' });
    for (const bill_at of ['2', null])
      assertRefused(await patch(id, { bill_at }), { code: 'conflict', reason: 'invalid_state' });
    assert.equal((await read(path(id))).bill_at, '1.00');
  });

  it('is asked for once by ten equal requests at once, and is one act and one change', async () => {
    const { id } = await aSubscription();
    const responses = await Promise.all(Array.from({ length: 10 }, () => patch(id, { bill_at: '100' })));
    assert.deepEqual(
      new Set(responses.map(({ status, body }) => `${status} ${body.bill_at}`)),
      new Set(['200 100.00']),
    );
    assert.equal(await looksAt(id), 1);
    const acts = (await read(`/v1/audit-log?object_id=${id}`)).data.map(({ action }: Json) => action);
    assert.deepEqual(acts, ['subscription.updated', 'subscription.created']);
    const { rows } = await api.pool.query<{ after: Json }>(
      `select after from row_changes where table_name = 'subscriptions' and after ->> 'id' = $1 and before is not null
         and before ->> 'bill_at' is distinct from after ->> 'bill_at'`,
      [id],
    );
    assert.equal(rows.length, 1);
  });

  it('is looked at when it is set, and not when it is taken away', async () => {
    const { id } = await aSubscription();
    await patch(id, { bill_at: null });
    assert.equal(await looksAt(id), 0);
    await patch(id, { bill_at: '100' });
    assert.equal(await looksAt(id), 1);
  });
});
