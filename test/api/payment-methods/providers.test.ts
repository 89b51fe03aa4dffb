import assert from 'node:assert/strict';
import { requestsTo, testCustomersOn } from '../../support/ledger/test-customer.ts';
import { assertRefused } from '../../support/ledger/refused.ts';
import { useStack } from '../../support/servers/stack.ts';
import { LIVE_KEY, TEST_KEY } from '../../support/servers/stripe-stand-in.ts';
import { useStripe } from '../../support/servers/use-stripe.ts';

const PATH = '/v1/payment-providers';
const STRIPE = { kind: 'stripe', secret_key: TEST_KEY };

describe('payment providers', () => {
  const { settings, stripe } = useStripe();
  const stack = useStack(settings);
  const request = requestsTo(stack);
  const { get, post, done, read } = testCustomersOn(request);
  const patch = (id: string, body: object) => request(`${PATH}/${id}`, { method: 'PATCH', body });
  const remove = (id: string) => request(`${PATH}/${id}`, { method: 'DELETE' });

  it('are refused where the key is, of the other mode or unknown to Stripe', async () => {
    const refusal = { code: 'invalid_request', param: 'secret_key' } as const;
    const wrong_mode = await post(PATH, { ...STRIPE, secret_key: LIVE_KEY });
    assertRefused(wrong_mode, { ...refusal, reason: 'wrong_mode' });
    const unknown = await post(PATH, { ...STRIPE, secret_key: 'sk_test_of_nobody' });
    assertRefused(unknown, { ...refusal, reason: 'key_refused' });
    assert.deepEqual((await read(PATH)).data, []);
  });

  it('that do not answer are asked again later', async () => {
    stripe().down();
    const unanswered = await post(PATH, STRIPE);
    stripe().up();
    assertRefused(unanswered, { code: 'internal_error', reason: 'unavailable' });
  });

  it('are made once, read, changed and deleted, and show no secret', async () => {
    const made = await post(PATH, STRIPE);
    assert.equal(made.status, 201);
    const provider = made.body;
    const { id } = provider;
    assert.deepEqual(
      { ...provider, created_at: null },
      {
        id,
        object: 'payment_provider',
        livemode: false,
        created_at: null,
        kind: 'stripe',
        account: 'acct_acme',
        status: 'active',
        status_reason: null,
        key_last_four: '0000',
        webhook_url: provider.webhook_url,
      },
    );
    assert.ok(provider.webhook_url.endsWith(`/provider-webhooks/${id}`));
    assert.deepEqual(await read(`${PATH}/${id}`), provider);
    assertRefused(await post(PATH, STRIPE), { code: 'conflict', reason: 'too_many' });

    stripe().acceptKey('sk_test_of_another', 'acct_other');
    const other = await patch(id, { secret_key: 'sk_test_of_another' });
    assertRefused(other, { code: 'invalid_request', param: 'secret_key', reason: 'other_account' });
    stripe().acceptKey('sk_test_second_5678');
    const changed = await patch(id, { secret_key: 'sk_test_second_5678', webhook_secret: 'whsec_first' });
    assert.equal(changed.body.key_last_four, '5678');

    const live = await get(`${PATH}/${id}`, { key: stack().live_key });
    assertRefused(live, { code: 'not_found' });
    const kept = await stack().pool.query(
      `select (select jsonb_agg(p)::text from payment_providers p) as rows, (select jsonb_agg(a)::text from audit_log a) as log`,
    );
    assert.doesNotMatch(JSON.stringify(kept.rows), /sk_test_second|whsec_first/);
    assert.deepEqual((await remove(id)).body, { id, object: 'payment_provider', deleted: true });
    assertRefused(await remove(id), { code: 'not_found' });
    const { rows } = await stack().pool.query(
      `select action from audit_log where object_id = $1 order by id`,
      [id],
    );
    assert.deepEqual(
      rows.map(({ action }) => action),
      ['payment_provider.created', 'payment_provider.updated', 'payment_provider.deleted'],
    );
  });

  it('of ten requests at once, one is made', async () => {
    const made = await Promise.all(Array.from({ length: 10 }, () => post(PATH, STRIPE)));
    const statuses = made.map(({ status }) => status).sort();
    assert.deepEqual(statuses, [201, ...Array.from({ length: 9 }, () => 409)]);
    const { id } = made.find(({ status }) => status === 201)!.body;
    await remove(id);
  });

  it('are failing while Stripe refuses the key, and active after a call that worked', async () => {
    const { id } = await done(PATH, STRIPE);
    await done('/v1/customers', { external_id: 'acme' });
    stripe().refuseKey(TEST_KEY);
    const refused = await post('/v1/customers/acme/payment-method-sessions');
    assertRefused(refused, { code: 'conflict', reason: 'key_refused' });
    const failing = await read(`${PATH}/${id}`);
    assert.equal(failing.status, 'failing');
    assert.match(failing.status_reason, /Invalid API Key provided: sk_test_\*{4}0000/);
    stripe().acceptKey(TEST_KEY);
    await done('/v1/customers/acme/payment-method-sessions');
    const { status, status_reason } = await read(`${PATH}/${id}`);
    assert.deepEqual([status, status_reason], ['active', null]);
    await remove(id);
  });
});
