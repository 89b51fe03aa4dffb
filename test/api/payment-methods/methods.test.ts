import assert from 'node:assert/strict';
import { requestsTo, testCustomersOn } from '../../support/ledger/test-customer.ts';
import { assertRefused } from '../../support/ledger/refused.ts';
import type { Json } from '../../support/servers/api.ts';
import { eventually } from '../../support/servers/eventually.ts';
import { tokenOf } from '../../support/servers/signed-in.ts';
import { useStack } from '../../support/servers/stack.ts';
import { TEST_KEY } from '../../support/servers/stripe-stand-in.ts';
import { useStripe } from '../../support/servers/use-stripe.ts';

const SECRET = 'whsec_of_methods';

describe('payment methods', () => {
  const { settings, stripe } = useStripe();
  const stack = useStack(settings);
  const request = requestsTo(stack);
  const { get, post, done, read } = testCustomersOn(request);
  let provider_id: string;
  let made = 0;

  before(async () => {
    const provider = { kind: 'stripe', secret_key: TEST_KEY, webhook_secret: SECRET };
    provider_id = (await done('/v1/payment-providers', provider)).id;
  });

  const aCustomer = async (): Promise<string> => {
    const external_id = `payer-${++made}`;
    const customer = { external_id, name: 'Ada', email: 'ada@acme.com', currency: 'EUR' };
    await done('/v1/customers', customer);
    return external_id;
  };
  const session = (customer_id: string, body: object = {}): Promise<Json> =>
    done(`/v1/customers/${customer_id}/payment-method-sessions`, body);
  const methodsOf = async (customer_id: string): Promise<Json[]> =>
    (await read(`/v1/payment-methods?customer_id=${customer_id}`)).data;
  const postEvents = (order: 'in_order' | 'reversed' = 'in_order', times = 1) =>
    stripe().post({
      url: `${stack().api_url}/provider-webhooks/${provider_id}`,
      secret: SECRET,
      order,
      times,
    });
  const untilMethods = (customer_id: string, are: (methods: Json[]) => boolean): Promise<Json[]> =>
    eventually(() => methodsOf(customer_id), are);
  /** A card that a customer has saved on a page. */
  const saved = async (customer_id: string, card: object = {}): Promise<Json> => {
    const before = (await methodsOf(customer_id)).length;
    stripe().completePage((await session(customer_id)).url, 'succeeds', card);
    await postEvents();
    return (await untilMethods(customer_id, ({ length }) => length > before))[0];
  };

  it('appear once, whatever order and number of events, and the first is the default', async () => {
    const customer = await aCustomer();
    const page = await session(customer, { return_url: 'https://shop.example.com/account' });
    assert.equal(page.object, 'payment_method_session');
    assert.ok(Date.parse(page.expires_at) > Date.now() + 23 * 3_600_000);
    stripe().completePage(page.url);
    assert.deepEqual(new Set(await postEvents('reversed', 2)), new Set([200]));
    const [method] = await untilMethods(customer, ({ length }) => length === 1);
    assert.deepEqual(
      { ...method, id: '', created_at: '' },
      {
        id: '',
        object: 'payment_method',
        livemode: false,
        created_at: '',
        customer_id: customer,
        type: 'card',
        label: 'Visa 4242',
        expires: '2028-04',
        status: 'active',
        is_default: true,
      },
    );
    const second = await saved(customer, { brand: 'mastercard', last4: '4444' });
    assert.deepEqual([second.label, second.is_default], ['Mastercard 4444', false]);
    const events = await stack().pool.query('select from provider_events where type = $1', [
      'checkout.session.completed',
    ]);
    assert.equal(events.rowCount, 2);
  });

  it('are read without any event once their page is due', async () => {
    const customer = await aCustomer();
    stripe().completePage((await session(customer)).url);
    stripe().state.events = [];
    await stack().pool.query(`update payment_pages set next_read_at = now() where status = 'open'`);
    await untilMethods(customer, ({ length }) => length === 1);
  });

  it('change their default; one that is removed is not it, and leaves none', async () => {
    const customer = await aCustomer();
    const [first, second] = [await saved(customer), await saved(customer, { last4: '1111' })];
    assert.equal((await done(`/v1/payment-methods/${second.id}/default`)).is_default, true);
    assert.equal((await read(`/v1/payment-methods/${first.id}`)).is_default, false);
    const removed = await done(`/v1/payment-methods/${second.id}/remove`);
    assert.deepEqual([removed.status, removed.is_default], ['removed', false]);
    assert.deepEqual(
      (await methodsOf(customer)).map(({ is_default }) => is_default),
      [false, false],
    );
    for (const act of ['default', 'remove']) {
      const refused = await post(`/v1/payment-methods/${second.id}/${act}`);
      assertRefused(refused, { code: 'conflict', reason: 'invalid_state' });
    }
    const { rows } = await stack().pool.query<{ reference: string }>(
      'select reference from payment_methods where id = $1',
      [second.id],
    );
    await eventually(
      async () => stripe().state.get('payment_method', rows[0]!.reference).customer,
      (attached) => attached === null,
    );
    const next = await saved(customer);
    assert.equal(next.is_default, true);
  });

  it('follow what the provider says of them', async () => {
    const customer = await aCustomer();
    const method = await saved(customer);
    const { rows } = await stack().pool.query<{ reference: string }>(
      'select reference from payment_methods where id = $1',
      [method.id],
    );
    const at_provider = stripe().state.get('payment_method', rows[0]!.reference);
    Object.assign(at_provider.card!, { exp_year: 2031, last4: '0005' });
    stripe().state.tell('payment_method.automatically_updated', at_provider);
    await postEvents();
    const [updated] = await untilMethods(customer, ([{ label }]) => label === 'Visa 0005');
    assert.equal(updated.expires, '2031-04');
    stripe().removeMethod(at_provider.id);
    await postEvents();
    const [removed] = await untilMethods(customer, ([{ status }]) => status === 'removed');
    assert.equal(removed.is_default, false);
  });

  it('are kept to their customer by a portal link, which makes a page for it', async () => {
    const [customer, other] = [await aCustomer(), await aCustomer()];
    const [own, foreign] = [await saved(customer), await saved(other)];
    const link = await done('/v1/portal-sessions', { customer_id: customer });
    const key = tokenOf(link.url);
    const page = await post('/v1/customers/self/payment-method-sessions', {}, { key });
    assert.equal(page.status, 201);
    const listed = await get('/v1/payment-methods', { key });
    assert.deepEqual(
      listed.body.data.map(({ id }: Json) => id),
      [own.id],
    );
    assertRefused(await get(`/v1/payment-methods/${foreign.id}`, { key }), { code: 'not_found' });
    const foreign_page = await post(`/v1/customers/${other}/payment-method-sessions`, {}, { key });
    assertRefused(foreign_page, { code: 'not_found' });
    for (const act of ['default', 'remove'])
      assertRefused(await post(`/v1/payment-methods/${foreign.id}/${act}`, {}, { key }), {
        code: 'not_found',
      });
    const foreign_method = await read(`/v1/payment-methods/${foreign.id}`);
    assert.deepEqual([foreign_method.status, foreign_method.is_default], ['active', true]);
  });

  it('are removed and chosen by their payer with a portal link, which the audit log names', async () => {
    const customer = await aCustomer();
    const [first, second] = [await saved(customer), await saved(customer, { last4: '1111' })];
    const link = await done('/v1/portal-sessions', { customer_id: customer });
    const act = (id: string, name: string) =>
      post(`/v1/payment-methods/${id}/${name}`, {}, { key: tokenOf(link.url) });
    const chosen = await act(second.id, 'default');
    assert.deepEqual([chosen.status, chosen.body.is_default], [200, true]);
    const removed = await act(first.id, 'remove');
    assert.deepEqual([removed.status, removed.body.status], [200, 'removed']);
    assertRefused(await act(first.id, 'remove'), { code: 'conflict', reason: 'invalid_state' });
    const entries = (await read(`/v1/audit-log?object_id=${first.id}`)).data;
    assert.deepEqual([entries[0].actor.type, entries[0].actor.id], ['portal_session', link.id]);
  });

  it('end with an erasure, here at once and at the provider soon', async () => {
    const customer = await aCustomer();
    const method = await saved(customer);
    await done(`/v1/customers/${customer}/redact`);
    const erased = await read(`/v1/payment-methods/${method.id}`);
    assert.deepEqual([erased.status, erased.label, erased.expires], ['removed', 'card', null]);
    const { rows } = await stack().pool.query<{ reference: string }>(
      `select k.reference from provider_customers k join customers c using (environment_id)
       where c.id = k.customer_id and c.external_id = $1`,
      [customer],
    );
    await eventually(
      async () => stripe().state.get('customer', rows[0]!.reference),
      ({ name, email }) => name === null && email === null,
    );
  });

  it('keep a customer from being deleted, and no page is made beyond 20 an hour', async () => {
    const customer = await aCustomer();
    for (let page = 0; page < 20; page++) await session(customer);
    const refused = await post(`/v1/customers/${customer}/payment-method-sessions`);
    assertRefused(refused, { code: 'rate_limited' });
    const deletion = await request(`/v1/customers/${customer}`, { method: 'DELETE' });
    assertRefused(deletion, { code: 'conflict' });
    assert.match(JSON.stringify(deletion.body), /has_payment_methods/);
  });

  it('need an address of the web, a customer and a provider', async () => {
    const customer = await aCustomer();
    const path = `/v1/customers/${customer}/payment-method-sessions`;
    const malformed = await post(path, { return_url: 'javascript:alert(1)' });
    assertRefused(malformed, { code: 'invalid_request', param: 'return_url', reason: 'malformed' });
    const unknown = await post('/v1/customers/nobody/payment-method-sessions');
    assertRefused(unknown, { code: 'not_found' });
    const live = { key: stack().live_key };
    await post('/v1/customers', { external_id: customer }, live);
    const without = await post(path, {}, live);
    assertRefused(without, { code: 'conflict', reason: 'no_payment_provider' });
  });

  it('are in the feed, created, updated and removed', async () => {
    const customer = await aCustomer();
    const method = await saved(customer);
    await saved(customer);
    await done(`/v1/payment-methods/${method.id}/remove`);
    const types = await eventually(
      async () => {
        const { rows } = await stack().pool.query<{ type: string }>(
          `select type from feed where object_id = $1 order by sequence`,
          [method.id],
        );
        return rows.map(({ type }) => type);
      },
      ({ length }) => length === 2,
    );
    assert.deepEqual(types, ['payment_method.created', 'payment_method.removed']);
  });

  it('end with their provider', async () => {
    const customer = await aCustomer();
    await saved(customer);
    await request(`/v1/payment-providers/${provider_id}`, { method: 'DELETE' });
    const [method] = await methodsOf(customer);
    assert.deepEqual([method.status, method.is_default], ['removed', false]);
    const { rowCount } = await stack().pool.query(`select from payment_pages where status = 'open'`);
    assert.equal(rowCount, 0);
  });
});
