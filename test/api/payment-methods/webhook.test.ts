import assert from 'node:assert/strict';
import { requestsTo, testCustomersOn } from '../../support/ledger/test-customer.ts';
import { postEvent, signatureOf } from '../../support/servers/stripe-events.ts';
import { useStack } from '../../support/servers/stack.ts';
import { TEST_KEY } from '../../support/servers/stripe-stand-in.ts';
import { useStripe } from '../../support/servers/use-stripe.ts';

const UNKNOWN = 'pp_01kgbv8e60fvgb3w05hb7r3d5x';

describe('what Stripe posts', () => {
  const { settings, stripe } = useStripe({ PUBLIC_URL: 'https://billing.example.com' });
  const stack = useStack(settings);
  const request = requestsTo(stack);
  const { done } = testCustomersOn(request);
  let id: string;
  let secret: string;

  before(async () => {
    id = (await done('/v1/payment-providers', { kind: 'stripe', secret_key: TEST_KEY })).id;
    secret = stripe().state.endpoints()[0]!.secret;
  });

  const urlOf = (provider: string) => `${stack().api_url}/provider-webhooks/${provider}`;
  const event = (event_id: string, object: object = { id: 'pi_1', object: 'payment_intent' }) => ({
    id: event_id,
    object: 'event',
    type: 'payment_intent.succeeded',
    data: { object },
  });
  const stored = async () => {
    const { rows } = await stack().pool.query<{ id: string }>('select id from provider_events order by id');
    return rows.map((row) => row.id);
  };

  it('comes to an endpoint that we made at https, with the events that are read', () => {
    const [endpoint] = stripe().state.endpoints();
    assert.equal(endpoint!.url, `https://billing.example.com/provider-webhooks/${id}`);
    assert.ok(endpoint!.enabled_events.includes('checkout.session.completed'));
  });

  it('is taken once, and again with 200; what nobody reads is not stored', async () => {
    const to = { url: urlOf(id), secret };
    assert.equal(await postEvent(event('evt_1'), to), 200);
    assert.equal(await postEvent(event('evt_1'), to), 200);
    assert.equal(await postEvent(event('evt_2', { id: 'x_1', object: 'balance' }), to), 200);
    assert.equal(await postEvent(event('evt_3', { object: 'balance' }), to), 200);
    assert.deepEqual(await stored(), ['evt_1']);
  });

  const refused: [what: string, post: () => Promise<number>][] = [
    ['another secret', () => postEvent(event('evt_4'), { url: urlOf(id), secret: 'whsec_other' })],
    ['an old signature', () => postEvent(event('evt_4'), { url: urlOf(id), secret, age_seconds: 310 })],
    ['an unknown provider', () => postEvent(event('evt_4'), { url: urlOf(UNKNOWN), secret })],
    ['no signature', () => posted('{}', {})],
    ['no body', async () => (await fetch(urlOf(id), { method: 'POST' })).status],
    ['no JSON', () => posted('not json')],
    ['a list', () => posted('[]')],
    ['null', () => posted('null')],
    ['an event without an object', () => posted('{"id": "evt_4", "type": "x", "data": {}}')],
    [
      'an event without an id',
      () => posted('{"type": "x", "data": {"object": {"object": "payment_intent"}}}'),
    ],
  ];
  const posted = async (
    body: string,
    signed: object = { 'Stripe-Signature': signatureOf(body, { secret }) },
  ) => {
    const headers = { 'Content-Type': 'application/json', ...signed };
    return (await fetch(urlOf(id), { method: 'POST', body, headers })).status;
  };
  for (const [what, post] of refused) {
    it(`is refused with ${what}`, async () => {
      assert.equal(await post(), 401);
      assert.deepEqual(await stored(), ['evt_1']);
    });
  }

  it('is signed by the secret before too, after another one was sent', async () => {
    await request(`/v1/payment-providers/${id}`, {
      method: 'PATCH',
      body: { webhook_secret: 'whsec_second' },
    });
    assert.equal(await postEvent(event('evt_5'), { url: urlOf(id), secret }), 200);
    assert.equal(await postEvent(event('evt_6'), { url: urlOf(id), secret: 'whsec_second' }), 200);
  });

  it('ends with the provider, whose endpoint at Stripe goes', async () => {
    await request(`/v1/payment-providers/${id}`, { method: 'DELETE' });
    assert.deepEqual(stripe().state.endpoints(), []);
    assert.equal(await postEvent(event('evt_7'), { url: urlOf(id), secret: 'whsec_second' }), 401);
  });
});
