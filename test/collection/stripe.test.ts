import assert from 'node:assert/strict';
import { ProviderError, type PaymentProvider } from '../../src/collection/provider.ts';
import { stripeProvider } from '../../src/collection/stripe/stripe.ts';
import { signatureOf } from '../support/servers/stripe-events.ts';
import { aStripe, LIVE_KEY, TEST_KEY, type StripeStandIn } from '../support/servers/stripe-stand-in.ts';
import type { Behaviour } from '../support/servers/stripe-state.ts';

const DAY_MS = 86_400_000;
const INVOICE = { invoice_id: 'inv_1', invoice_number: 'INV-000001', amount: '12.00', currency: 'EUR' };

describe('Stripe as a provider', () => {
  let stripe: StripeStandIn;
  let provider: PaymentProvider;
  let customer_reference: string;

  before(async () => {
    stripe = await aStripe();
    provider = stripeProvider({ secret_key: TEST_KEY, api_url: stripe.url });
    customer_reference = await provider.createCustomer({ customer_id: 'cus_1', name: 'Acme', email: null });
  });
  after(() => stripe.close());

  const prepared = (attempt_id: string, behaviour: Behaviour, charge = INVOICE) =>
    provider.prepareIntent({
      ...charge,
      attempt_id,
      customer_reference,
      method_reference: stripe.addMethod(customer_reference, behaviour),
    });
  const kindOf = async (request: Promise<unknown>) => {
    const error: unknown = await request.then(
      () => assert.fail('it was done'),
      (error: unknown) => error,
    );
    assert.ok(error instanceof ProviderError, String(error));
    assert.ok(!error.message.includes(TEST_KEY));
    return [error.kind, error.code];
  };

  it('reads the account and the mode of a key', async () => {
    assert.deepEqual(await provider.readAccount(), { account: 'acct_acme', livemode: false });
    const live = stripeProvider({ secret_key: LIVE_KEY, api_url: stripe.url });
    assert.deepEqual(await live.readAccount(), { account: 'acct_acme', livemode: true });
    assert.ok(stripe.asked.every(({ version }) => version === '2026-10-28.endive'));
  });

  it('makes one customer, at once and after a restore a day later', async () => {
    const customer = { customer_id: 'cus_1', name: 'Acme Ltd', email: 'ada@acme.com' };
    assert.equal(await provider.createCustomer(customer), customer_reference);
    stripe.index();
    stripe.passTime(DAY_MS);
    assert.equal(await provider.createCustomer(customer), customer_reference);
  });

  it('makes one page for a key, and reads the method that is saved there', async () => {
    const asked = { key: 'pmp_1', customer_reference, currency: 'EUR', return_url: 'https://acme.com/' };
    const page = await provider.createMethodPage(asked);
    assert.deepEqual(await provider.createMethodPage(asked), page);
    const open = { status: 'open', method_reference: null };
    assert.deepEqual(await provider.readMethodPage(page.reference), open);
    const method_reference = stripe.completePage(page.url);
    assert.deepEqual(await provider.readMethodPage(page.reference), { status: 'complete', method_reference });
    assert.deepEqual(await provider.readMethod(method_reference), {
      reference: method_reference,
      customer_reference,
      type: 'card',
      label: 'Visa 4242',
      expires: '2028-04',
    });
    await provider.detachMethod(method_reference);
    await provider.detachMethod(method_reference);
    assert.equal(await provider.readMethod(method_reference), null);
    assert.equal(await provider.readMethod('pm_of_nobody'), null);
  });

  it('charges the last amount that was set, once', async () => {
    const intent = await prepared('pat_1', 'succeeds');
    assert.equal(intent.status, 'unconfirmed');
    assert.equal(intent.amount, '12.00');
    const { reference } = intent;
    await provider.setIntentAmount(reference, { amount: '8.50', currency: 'EUR' });
    assert.equal((await provider.confirmIntent(reference)).status, 'succeeded');
    const again = await provider.confirmIntent(reference);
    assert.deepEqual(
      [again.status, again.amount, again.attempt_id, again.decline],
      ['succeeded', '8.50', 'pat_1', null],
    );
    assert.equal((await provider.cancelIntent(reference)).status, 'succeeded');
    assert.deepEqual(
      stripe.chargesOf('inv_1').map(({ amount }) => amount),
      [850],
    );
  });

  it('lists the intents of an invoice, the oldest first', async () => {
    const invoice = { ...INVOICE, invoice_id: 'inv_2' };
    for (let number = 1; number <= 3; number++) await prepared(`pat_2_${number}`, 'succeeds', invoice);
    const found = await provider.intentsOf({ invoice_id: 'inv_2', customer_reference });
    assert.deepEqual(
      found.map(({ attempt_id }) => attempt_id),
      ['pat_2_1', 'pat_2_2', 'pat_2_3'],
    );
  });

  const declines: [behaviour: Behaviour, status: string, code: string | null, again: string | null][] = [
    [{ declined: 'insufficient_funds' }, 'declined', 'insufficient_funds', 'by_schedule'],
    [{ declined: 'try_again_later' }, 'declined', 'try_again_later', 'later'],
    [{ declined: 'stolen_card' }, 'declined', 'stolen_card', 'never'],
    [
      { declined: 'generic_decline', advice_code: 'do_not_try_again' },
      'declined',
      'generic_decline',
      'never',
    ],
    ['authentication_required', 'action_required', 'authentication_required', 'by_schedule'],
    ['processing', 'processing', null, null],
  ];
  for (const [behaviour, status, code, again] of declines) {
    it(`a charge is ${status} of a method that ${JSON.stringify(behaviour)}`, async () => {
      const { reference } = await prepared(`pat_${JSON.stringify(behaviour)}`, behaviour);
      const intent = await provider.confirmIntent(reference);
      assert.equal(intent.status, status);
      assert.deepEqual(intent.decline, code === null ? null : { code, again });
      assert.deepEqual(await provider.readIntent(reference), intent);
      const after = await provider.cancelIntent(reference);
      assert.equal(after.status, status === 'processing' ? 'processing' : 'canceled');
    });
  }

  it('does not know whether it did what has no answer, and asks no second time', async () => {
    const { reference } = await prepared('pat_lost', 'succeeds', { ...INVOICE, invoice_id: 'inv_lost' });
    const asked_before = stripe.asked.length;
    stripe.faultNext(/confirm$/, 'lose_answer');
    assert.deepEqual(await kindOf(provider.confirmIntent(reference)), ['unreachable', null]);
    assert.equal(stripe.asked.length, asked_before + 1);
    assert.equal((await provider.readIntent(reference)).status, 'succeeded');
    stripe.down();
    assert.deepEqual(await kindOf(provider.readIntent(reference)), ['unreachable', null]);
    stripe.up();
  });

  const answers: [status: number, error: object, kind: string, code: string | null][] = [
    [401, { type: 'invalid_request_error', message: 'Invalid API Key' }, 'key_refused', null],
    [403, { type: 'invalid_request_error', message: 'The key lacks a right' }, 'key_refused', null],
    [
      400,
      { type: 'invalid_request_error', code: 'amount_too_small', message: 'Less' },
      'refused',
      'amount_too_small',
    ],
    [400, { type: 'idempotency_error', message: 'Other parameters' }, 'refused', null],
    [
      409,
      { type: 'idempotency_error', code: 'idempotency_key_in_use', message: 'Under way' },
      'unreachable',
      'idempotency_key_in_use',
    ],
    [
      429,
      { type: 'invalid_request_error', code: 'rate_limit', message: 'Later' },
      'unreachable',
      'rate_limit',
    ],
    [500, { type: 'api_error', message: 'Something went wrong' }, 'unreachable', null],
  ];
  for (const [status, error, kind, code] of answers) {
    it(`an answer ${status} ${JSON.stringify(error)} is ${kind}`, async () => {
      stripe.faultNext(/account/, { status, error });
      assert.deepEqual(await kindOf(provider.readAccount()), [kind, code]);
    });
  }

  it('takes the events that one of its secrets has signed within 300 s', () => {
    const object = { id: 'pi_1', object: 'payment_intent' };
    const body = Buffer.from(
      JSON.stringify({ id: 'evt_1', type: 'payment_intent.succeeded', data: { object } }),
    );
    const secrets = ['whsec_new', 'whsec_old'];
    const read = (signed: string, age_seconds = 0) =>
      provider.readEvent(body, signatureOf(body.toString(), { secret: signed, age_seconds }), secrets);
    const event = {
      id: 'evt_1',
      type: 'payment_intent.succeeded',
      object_type: 'intent',
      object_reference: 'pi_1',
    };
    assert.deepEqual(read('whsec_new'), event);
    assert.deepEqual(read('whsec_old'), event);
    assert.deepEqual(read('whsec_new', 290), event);
    assert.equal(read('whsec_new', 310), null);
    assert.equal(read('whsec_of_another'), null);
    assert.equal(provider.readEvent(body, '', secrets), null);
  });
});
