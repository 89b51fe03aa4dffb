import assert from 'node:assert/strict';
import { startApi, type Json, type Received, type Sent, type TestApi } from '../../support/servers/api.ts';
import { customPlansOn, FEE } from '../../support/ledger/custom-plans.ts';
import { assertRefused } from '../../support/ledger/refused.ts';
import { assertSound } from '../../support/ledger/sound.ts';
import { PER_UNIT, testCustomersOn } from '../../support/ledger/test-customer.ts';

const PATH = '/v1/pricing-plans';

/** billing.md 12, contract.md 3. */
describe('custom plans of a customer', () => {
  let api: TestApi;
  before(async () => (api = await startApi()));
  after(async () => {
    await assertSound(api.pool);
    await api.close();
  });

  const request = (path: string, sent?: Sent) => api.request(path, sent);
  const customers = testCustomersOn(request);
  const { post, read, done, customer, plan, subscribe } = customers;
  const { created } = customPlansOn(customers);
  it('are in no list of plans but its own, page by page and by search', async () => {
    const base_id = await plan([FEE], { name: 'Listed base' });
    const [customer_id, other] = [await customer(), await customer()];
    const made = [];
    for (const name of ['Listed one', 'Listed two', 'Listed three'])
      made.push(await created(base_id, customer_id, [], { name }));
    await created(base_id, other, [], { name: 'Listed four' });
    const found = async (query: string) =>
      (await read(`${PATH}?${query}`)).data.map(({ name }: Json) => name);
    assert.deepEqual(await found('search=listed'), ['Listed base']);
    assert.deepEqual(await found(`search=${made[0].id}`), []);
    assert.ok(!(await found('limit=200')).includes('Listed one'));
    const own = `customer_id=${customer_id}`;
    assert.deepEqual(await found(own), ['Listed three', 'Listed two', 'Listed one']);
    assert.deepEqual(await found(`${own}&search=two`), ['Listed two']);
    assert.deepEqual(await found(`${own}&key=listed`), []);
    await done(`${PATH}/${made[1].id}/archive`);
    assert.deepEqual(await found(`${own}&archived=true`), ['Listed two']);
    assert.deepEqual(await found(`${own}&archived=false`), ['Listed three', 'Listed one']);
    const { data, next_cursor } = await read(`${PATH}?${own}&limit=2`);
    assert.equal(data.length, 2);
    assert.deepEqual(await found(`${own}&limit=2&cursor=${next_cursor}`), ['Listed one']);
    assert.deepEqual(await found('customer_id=nobody'), []);
  });

  it('are found by the search by their id alone', async () => {
    const { id } = await created(await plan([FEE]), await customer(), [], { name: 'Sought plan' });
    const idsOf = async (q: string) =>
      (await read(`/v1/search?q=${encodeURIComponent(q)}`)).data.map((one: Json) => one.id);
    assert.deepEqual(await idsOf(id), [id]);
    assert.deepEqual(await idsOf('Sought plan'), []);
  });

  it('are for its subscriptions alone', async () => {
    const base_id = await plan([PER_UNIT]);
    const [owner, other] = [await customer(), await customer()];
    const { id: plan_id } = await created(base_id, owner, [{ charge: 0, unit_amount: '2' }]);
    const foreign = { code: 'conflict', param: 'plan_id', reason: 'invalid_state' } as const;
    assertRefused(await post('/v1/subscriptions', { customer_id: other, plan_id }), foreign);
    const of_other = await subscribe(other, base_id);
    for (const dry_run of [false, true]) {
      const body = { plan_id, at: 'period_end', dry_run };
      assertRefused(await post(`/v1/subscriptions/${of_other.id}/change`, body), foreign);
    }
    const of_owner = await subscribe(owner, base_id);
    const changed = await done(`/v1/subscriptions/${of_owner.id}/change`, { plan_id, at: 'period_end' });
    assert.equal(changed.pending_change.plan_id, plan_id);
    assert.equal((await read(`/v1/subscriptions/${of_other.id}`)).pending_change, null);
  });

  it('count as versions of their base where subscriptions are found by a key', async () => {
    const [first, second] = [await plan([FEE], { key: 'counted' }), await plan([FEE], { key: 'counted' })];
    const owner = await customer();
    const { id: plan_id } = await created(first, owner, []);
    const without_key = await plan([FEE]);
    const { id: other_id } = await created(without_key, owner, []);
    const a = await subscribe(owner, plan_id);
    const b = await subscribe(await customer(), second);
    await subscribe(owner, other_id);
    const found = async (plan: string) =>
      (await read(`/v1/subscriptions?plan_id=${plan}`)).data.map(({ id }: Json) => id);
    assert.deepEqual(await found('counted'), [b.id, a.id]);
    assert.deepEqual(await found(plan_id), [a.id]);
    assert.deepEqual(await found(first), []);
    assert.deepEqual(await found(without_key), []);
  });

  it('are archived for themselves; their base is not, nor they with it', async () => {
    const base_id = await plan([FEE]);
    const owner = await customer();
    const { id } = await created(base_id, owner, []);
    await done(`${PATH}/${base_id}/archive`);
    assert.equal((await read(`${PATH}/${id}`)).archived_at, null);
    await done(`${PATH}/${id}/archive`);
    const archived = { code: 'conflict', param: 'plan_id', reason: 'archived' } as const;
    assertRefused(await post('/v1/subscriptions', { customer_id: owner, plan_id: id }), archived);
  });

  it('stand in the way of a deletion and of another currency, archived ones too', async () => {
    const customer_id = await customer();
    const { id } = await created(await plan([FEE]), customer_id, []);
    await done(`${PATH}/${id}/archive`);
    const reasonsOf = ({ status, body }: Received) => [
      status,
      body.error.details.map(({ reason }: Json) => reason),
    ];
    const path = `/v1/customers/${customer_id}`;
    const expected = [409, ['invalid_state', 'has_pricing_plans']];
    assert.deepEqual(reasonsOf(await request(path, { method: 'DELETE' })), expected);
    const euros = { method: 'PATCH', body: { currency: 'EUR' } };
    assert.deepEqual(reasonsOf(await request(path, euros)), expected);
  });

  it('lose name and metadata in its erasure', async () => {
    const customer_id = await customer();
    const base_id = await plan([FEE], { name: 'Pro', metadata: { a: 1 } });
    const made = await created(base_id, customer_id, [], { name: 'For Ada', metadata: { by: 'Ada' } });
    await done(`/v1/customers/${customer_id}/redact`);
    const erased = await read(`${PATH}/${made.id}`);
    assert.deepEqual(erased, { ...made, name: 'Plan', metadata: {} });
    const { name, metadata } = await read(`${PATH}/${base_id}`);
    assert.deepEqual([name, metadata], ['Pro', { a: 1 }]);
  });

  it('are in the audit log without their names', async () => {
    const customer_id = await customer();
    const base_id = await plan([FEE]);
    const { id } = await created(base_id, customer_id, [], { name: 'For Ada' });
    await done(`${PATH}/${id}/archive`);
    const { data } = await read(`/v1/audit-log?object_id=${id}`);
    assert.deepEqual(
      data.map(({ action, customer_id: of }: Json) => [action, of]),
      [
        ['pricing_plan.updated', customer_id],
        ['pricing_plan.created', customer_id],
      ],
    );
    const { name, based_on, currency } = data[1].after;
    assert.deepEqual([name, based_on, currency], ['[personal]', base_id, 'USD']);
  });
});
