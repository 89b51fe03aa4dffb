import assert from 'node:assert/strict';
import { startApi, type Received, type TestApi } from '../../support/servers/api.ts';
import { untilSomebodyWaits } from '../../support/ledger/locks.ts';
import { assertRefused } from '../../support/ledger/refused.ts';

const PATH = '/v1/customers';
const ROUNDS = 12;
/** COPY stores live batches of this size. */
const LARGE = 120;

/** contract.md 3. Two API processes on one database, each with the keys of customers in its memory. */
describe('DELETE /v1/customers/{id}', function () {
  let apis: [TestApi, TestApi];
  let made = 0;
  before(async () => {
    const api = await startApi({ processes: 1 });
    const { database_url } = api.deps.config;
    apis = [api, await startApi({ database_url: database_url!, processes: 1 })];
  });
  after(() => Promise.all(apis.map((api) => api.close())));

  const keyOf = (mode: 'test' | 'live') => apis[0][`${mode}_key`];
  const post = (path: string, body: object, { through = 0, mode = 'test' as 'test' | 'live' } = {}) =>
    apis[through % 2]!.post(path, body, { key: keyOf(mode) });
  const remove = (id: string, { through = 0, mode = 'test' as 'test' | 'live', headers = {} } = {}) =>
    apis[through % 2]!.request(`${PATH}/${id}`, { method: 'DELETE', key: keyOf(mode), headers });
  const read = (id: string) => apis[0].request(`${PATH}/${id}`, { key: keyOf('test') });
  const aCustomer = async (mode: 'test' | 'live' = 'test'): Promise<{ id: string; external_id: string }> => {
    const { status, body } = await post(PATH, { external_id: `customer-${++made}` }, { mode });
    assert.equal(status, 201);
    return body;
  };
  const anEvent = (customer_id: string) => ({
    ...{ event_name: 'call', customer_id, idempotency_key: `event-${++made}` },
  });
  const reasonsOf = ({ status, body }: Received): string[] => {
    assert.equal(status, 409, JSON.stringify(body));
    return body.error.details.map(({ reason }: { reason: string }) => reason);
  };
  /** Lets both processes look a customer up, by an event that is refused for another reason. */
  const remember = (customer_id: string, mode: 'test' | 'live' = 'test') =>
    Promise.all(
      [0, 1].map(async (through) => {
        const event = { ...anEvent(customer_id), timestamp: '9999-01-01T00:00:00Z' };
        assertRefused(await post('/v1/events', event, { through, mode }), { code: 'invalid_request' });
      }),
    );

  it('by either id is 200, and then 404', async () => {
    for (const name of ['id', 'external_id'] as const) {
      const customer = await aCustomer();
      const { status, body } = await remove(customer[name]);
      assert.deepEqual([status, body], [200, { id: customer.id, object: 'customer', deleted: true }]);
      for (const id of [customer.id, customer.external_id]) {
        assertRefused(await read(id), { code: 'not_found' });
        assertRefused(await remove(id), { code: 'not_found' });
      }
    }
    const { body: other } = await apis[0].post(PATH, { external_id: 'other' }, { key: apis[0].other_key });
    assertRefused(await remove(other.id), { code: 'not_found' });
    assertRefused(await remove('x?force=true'), { code: 'invalid_request', reason: 'unknown_parameter' });
  });

  it('sent again with its Idempotency-Key gets the first response', async () => {
    const { id } = await aCustomer();
    const headers = { 'Idempotency-Key': 'deletion' };
    const first = await remove(id, { headers });
    const again = await remove(id, { headers, through: 1 });
    assert.deepEqual([first.status, again.status, again.body], [200, 200, first.body]);
    assert.equal(again.headers.get('idempotent-replayed'), 'true');
  });

  const USES: [reason: string, use: (customer_id: string) => Promise<Received>][] = [
    ['has_events', (customer_id) => post('/v1/events', anEvent(customer_id))],
    ['has_credit_grants', (customer_id) => post('/v1/credit-grants', { customer_id, amount: 1 })],
    [
      'has_balance_entries',
      (customer_id) => post(`${PATH}/${customer_id}/balance-adjustments`, { amount: '1', reason: 'x' }),
    ],
    [
      'has_subscriptions',
      async (customer_id) => {
        const charges = [{ event_name: 'call', pricing_model: 'per_unit', unit_amount: '1' }];
        const { body: plan } = await post('/v1/pricing-plans', { name: 'Plan', charges });
        return post('/v1/subscriptions', { customer_id, plan_id: plan.id });
      },
    ],
  ];
  for (const [reason, use] of USES)
    it(`is refused with ${reason}`, async () => {
      const { external_id } = await aCustomer();
      assert.equal((await use(external_id)).status, 201);
      const refused = await remove(external_id);
      assertRefused(refused, { code: 'conflict', param: null, reason: 'invalid_state' });
      assert.deepEqual(reasonsOf(refused), ['invalid_state', reason]);
      assert.equal((await read(external_id)).status, 200);
    });

  it('names everything that stands in the way', async () => {
    const { id, external_id } = await aCustomer();
    for (const [, use] of USES) await use(external_id);
    const { body } = await apis[0].request(`/v1/subscriptions?customer_id=${id}`);
    const order = { subscription_id: body.data[0].id, close_now: true };
    assert.equal((await post('/v1/invoices/generate', order)).status, 201);
    assert.deepEqual(reasonsOf(await remove(id)), [
      ...['invalid_state', 'has_subscriptions', 'has_events', 'has_credit_grants', 'has_invoices'],
      'has_balance_entries',
    ]);
    const patched = await apis[0].request(`${PATH}/${id}`, {
      ...{ method: 'PATCH', body: { currency: 'EUR' } },
    });
    assert.deepEqual(reasonsOf(patched), [
      ...['invalid_state', 'has_subscriptions', 'has_invoices', 'has_balance_entries'],
    ]);
  });

  for (const mode of ['test', 'live'] as const) {
    it(`an event of a deleted customer is one of an unknown customer, in ${mode} mode`, async () => {
      const { id, external_id } = await aCustomer(mode);
      const { external_id: other } = await aCustomer(mode);
      for (const name of [id, external_id, other]) await remember(name, mode);
      assert.equal((await remove(id, { mode })).status, 200);
      for (const through of [0, 1]) {
        for (const name of [id, external_id]) {
          const answer = await post('/v1/events', anEvent(name), { through, mode });
          assertRefused(answer, { code: 'not_found', param: 'customer_id', reason: 'unknown_customer' });
        }
        for (const count of [2, LARGE]) {
          const events = Array.from({ length: count }, () => anEvent(other));
          events[1] = anEvent(external_id);
          const refused = await post('/v1/events/batch', { events }, { through, mode });
          assertRefused(refused, {
            ...{ code: 'not_found', param: 'events[1].customer_id', reason: 'unknown_customer' },
          });
          assert.equal(refused.body.error.details.length, 1);
          // Nothing was stored, and the keys are not used up.
          events[1] = { ...events[1], customer_id: other };
          const { body } = await post('/v1/events/batch', { events }, { through, mode });
          assert.equal(body.created, count);
        }
      }
    });

    it(`events of a new customer of that external_id are the new one's, in ${mode} mode`, async () => {
      for (const count of [1, 2, LARGE]) {
        const { id, external_id } = await aCustomer(mode);
        await remember(external_id, mode);
        await remove(id, { mode });
        const { body: again } = await post(PATH, { external_id }, { mode });
        assert.notEqual(again.id, id);
        const events = Array.from({ length: count }, () => anEvent(external_id));
        const answer =
          count === 1
            ? await post('/v1/events', events[0]!, { through: 1, mode })
            : await post('/v1/events/batch', { events }, { through: 1, mode });
        assert.equal(answer.status, 201, JSON.stringify(answer.body));
        const { rows } = await apis[0].pool.query<{ count: number }>(
          `select count(*)::integer as count from events e join customers c on c.key = e.customer_key where c.id = $1`,
          [again.id],
        );
        assert.equal(rows[0]!.count, count);
      }
    });
  }

  /** Events without a customer, which no foreign key prevents. */
  const orphans = async () =>
    (await apis[0].pool.query('select 1 from events where customer_key not in (select key from customers)'))
      .rowCount;

  for (const mode of ['test', 'live'] as const)
    for (const count of [1, 2, LARGE])
      it(`waits for ${count} ${mode} events that are being stored, and these wait for it`, async () => {
        const { id, external_id } = await aCustomer(mode);
        await remember(external_id, mode);
        const client = await apis[0].pool.connect();
        await client.query('begin');
        // The deletion has looked for events, and has not committed.
        await client.query('lock table deleted_customers in exclusive mode');
        const events = Array.from({ length: count }, () => anEvent(external_id));
        const sending =
          count === 1
            ? post('/v1/events', events[0]!, { mode, through: 1 })
            : post('/v1/events/batch', { events }, { mode, through: 1 });
        await untilSomebodyWaits(apis[0].pool);
        await client.query(
          `insert into deleted_customers (environment_id, id, key, deleted_by)
           select environment_id, id, key, 'test' from customers where id = $1`,
          [id],
        );
        await client.query('delete from customers where id = $1', [id]);
        await client.query('commit');
        client.release();
        assertRefused(await sending, { code: 'not_found', reason: 'unknown_customer' });
        assert.equal(await orphans(), 0);
      });

  it('that races the storing of events leaves no event without a customer', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const mode = round % 2 === 0 ? 'test' : 'live';
      const customers = await Promise.all(Array.from({ length: 8 }, () => aCustomer(mode)));
      for (const { external_id } of customers) await remember(external_id, mode);
      const sent = customers.flatMap(({ id, external_id }, at) => {
        const through = at + round;
        const events = (count: number) => Array.from({ length: count }, () => anEvent(external_id));
        return [
          post('/v1/events', anEvent(external_id), { mode, through }),
          post('/v1/events/batch', { events: events(3) }, { mode, through: through + 1 }),
          remove(id, { mode, through }),
          post('/v1/events/batch', { events: events(LARGE) }, { mode, through }),
          post('/v1/events', anEvent(id), { mode, through: through + 1 }),
        ];
      });
      const answers = await Promise.all(sent);
      const statuses = new Set(answers.map(({ status }) => status));
      for (const status of statuses) assert.ok([200, 201, 404, 409].includes(status), `${status}`);
      for (const at of customers.keys()) {
        const [single, small, removed, large, by_id] = answers.slice(at * 5, at * 5 + 5) as Received[];
        const stored = [single!, small!, large!, by_id!].some(({ status }) => status === 201);
        assert.equal(removed!.status, stored ? 409 : 200);
      }
      assert.equal(await orphans(), 0);
    }
  });

  it('that races subscriptions, grants and adjustments has one winner', async () => {
    const charges = [{ event_name: 'call', pricing_model: 'per_unit', unit_amount: '1' }];
    const { body: plan } = await post('/v1/pricing-plans', { name: 'Plan', charges });
    for (let round = 0; round < ROUNDS; round++) {
      const { external_id } = await aCustomer();
      const body = { customer_id: external_id, plan_id: plan.id };
      const [removed, ...others] = await Promise.all([
        remove(external_id, { through: round }),
        post('/v1/subscriptions', body, { through: round + 1 }),
        post('/v1/credit-grants', { customer_id: external_id, amount: 1 }, { through: round }),
        post(`${PATH}/${external_id}/balance-adjustments`, { amount: '1', reason: 'x' }),
        apis[1].request(`${PATH}/${external_id}`, {
          ...{ method: 'PATCH', body: { name: 'x' }, key: keyOf('test') },
        }),
      ]);
      const [subscribed, granted, adjusted, patched] = others.map(({ status }) => status);
      const is_used = [subscribed, granted, adjusted].includes(201);
      assert.equal(removed.status, is_used ? 409 : 200);
      for (const status of [subscribed, granted, adjusted])
        assert.ok([201, 404].includes(status!), `${status}`);
      assert.ok([200, 404].includes(patched!), `${patched}`);
    }
  });
});
