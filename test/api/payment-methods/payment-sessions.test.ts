import assert from 'node:assert/strict';
import { requestsTo, testCustomersOn } from '../../support/ledger/test-customer.ts';
import type { Reason } from '../../../src/domain/money/errors.ts';
import { assertRefused } from '../../support/ledger/refused.ts';
import { savedCardsOn } from '../../support/ledger/saved-cards.ts';
import type { Json } from '../../support/servers/api.ts';
import { eventually } from '../../support/servers/eventually.ts';
import { tokenOf } from '../../support/servers/signed-in.ts';
import { useStack } from '../../support/servers/stack.ts';
import { TEST_KEY } from '../../support/servers/stripe-stand-in.ts';
import { useStripe } from '../../support/servers/use-stripe.ts';

const SECRET = 'whsec_of_sessions';

/** contract.md 18. */
describe('payment sessions', () => {
  const { settings, stripe } = useStripe();
  const stack = useStack(settings);
  const request = requestsTo(stack);
  const customers = testCustomersOn(request);
  const { customer, done, get, post, read } = customers;
  const { anOpenInvoice, saveCard } = savedCardsOn(customers, { stack, stripe });
  let provider_id: string;

  before(async () => {
    const provider = { kind: 'stripe', secret_key: TEST_KEY, webhook_secret: SECRET };
    provider_id = (await done('/v1/payment-providers', provider)).id;
  });

  const aPayer = async (): Promise<{ id: string; invoice_id: string }> => {
    const id = await customer({ name: 'Acme', email: 'ada@acme.com' }, null);
    return { id, invoice_id: await anOpenInvoice(id) };
  };
  const pathOf = (invoice_id: string) => `/v1/invoices/${invoice_id}/payment-sessions`;
  const session = (invoice_id: string, body: object = {}): Promise<Json> => done(pathOf(invoice_id), body);
  const postEvents = () =>
    stripe().post({ url: `${stack().api_url}/provider-webhooks/${provider_id}`, secret: SECRET });
  const untilPaid = (invoice_id: string): Promise<Json> =>
    eventually(
      () => read(`/v1/invoices/${invoice_id}`),
      ({ status }) => status === 'paid',
    );
  const refused = async (invoice_id: string, reason: Reason) =>
    assertRefused(await post(pathOf(invoice_id)), { code: 'conflict', reason });

  it('are a page of what is due, which the same request finds again', async () => {
    const { id, invoice_id } = await aPayer();
    const made = await session(invoice_id);
    const { id: session_id, created_at, url, expires_at, ...members } = made;
    assert.deepEqual(members, {
      object: 'payment_session',
      livemode: false,
      invoice_id,
      customer_id: id,
      amount: '49.00',
      currency: 'USD',
      save: false,
      status: 'open',
      payment_id: null,
    });
    assert.match(session_id, /^pys_/);
    assert.match(url, /^https:\/\/checkout\.stripe\.com\//);
    const minutes = (Date.parse(expires_at) - Date.parse(created_at)) / 60_000;
    assert.ok(minutes > 30 && minutes <= 31, `${minutes} minutes`);
    assert.deepEqual(await session(invoice_id), made);
    assert.deepEqual(await read(`/v1/payment-sessions/${session_id}`), made);
    const listed = await read(`/v1/payment-sessions?invoice_id=${invoice_id}&customer_id=${id}&status=open`);
    assert.deepEqual(listed.data, [made]);
    const page = stripe().state.page(url);
    assert.match(
      page.success_url,
      new RegExp(`/portal\\?invoice_id=${invoice_id}&payment_session_id=${session_id}$`),
    );
  });

  it('become a payment after an event of the provider, once for any number of them', async () => {
    const { invoice_id } = await aPayer();
    const { id, url } = await session(invoice_id);
    const intent = stripe().payPage(url);
    stripe().state.tell('checkout.session.completed', stripe().state.pageOfIntent(intent)!);
    await postEvents();
    const { payments } = await untilPaid(invoice_id);
    assert.deepEqual(
      payments.map(({ amount, reference, created_by }: Json) => [amount, reference, created_by]),
      [['49.00', intent, id]],
    );
    const paid = await read(`/v1/payment-sessions/${id}`);
    assert.deepEqual([paid.status, paid.url, paid.payment_id], ['paid', null, payments[0].id]);
    await refused(invoice_id, 'invalid_state');
  });

  it('are read at the provider at once on request', async () => {
    const { invoice_id } = await aPayer();
    const { id, url } = await session(invoice_id);
    assert.equal((await done(`/v1/payment-sessions/${id}/refresh`)).status, 'open');
    stripe().payPage(url);
    stripe().state.events = [];
    assert.equal((await done(`/v1/payment-sessions/${id}/refresh`)).status, 'paid');
    assert.equal((await read(`/v1/invoices/${invoice_id}`)).status, 'paid');
  });

  it('are another page after a change of what is due, and the one before is closed by itself', async () => {
    const { invoice_id } = await aPayer();
    const first = await session(invoice_id);
    await done(`/v1/invoices/${invoice_id}/payments`, { amount: '9.00' });
    await eventually(
      async () => stripe().state.page(first.url).status,
      (status) => status === 'expired',
    );
    const second = await session(invoice_id);
    assert.deepEqual([second.amount, second.id === first.id], ['40.00', false]);
    assert.equal((await read(`/v1/payment-sessions/${first.id}`)).status, 'expired');
  });

  it('can be paid while the invoice is paused, and save the method if they are to', async () => {
    const { id, invoice_id } = await aPayer();
    await done(`/v1/invoices/${invoice_id}/pause-collection`, { reason: 'promised' });
    const { id: session_id, url } = await session(invoice_id, { save: true });
    stripe().payPage(url, 'succeeds', { last4: '1881' });
    await done(`/v1/payment-sessions/${session_id}/refresh`);
    const [method] = (await read(`/v1/payment-methods?customer_id=${id}`)).data;
    assert.deepEqual([method.label, method.is_default], ['Visa 1881', true]);
  });

  it('wait for a debit of days, during which nothing else begins', async () => {
    const { id, invoice_id } = await aPayer();
    await saveCard(id, '4242', 'succeeds');
    const { id: session_id, url } = await session(invoice_id);
    const intent = stripe().payPage(url, 'processing');
    const waiting = await done(`/v1/payment-sessions/${session_id}/refresh`);
    assert.deepEqual([waiting.status, waiting.url], ['open', null]);
    await refused(invoice_id, 'charge_in_progress');
    const charge = await post(`/v1/invoices/${invoice_id}/charge`);
    assertRefused(charge, { code: 'conflict', reason: 'charge_in_progress' });
    const deletion = await request(`/v1/payment-providers/${provider_id}`, { method: 'DELETE' });
    assertRefused(deletion, { code: 'conflict', reason: 'charge_in_progress' });
    stripe().finish(intent, 'succeeds');
    await postEvents();
    await untilPaid(invoice_id);
  });

  it('are closed before a charge by hand', async () => {
    const { id, invoice_id } = await aPayer();
    await saveCard(id, '4242', 'succeeds');
    const { id: session_id, url } = await session(invoice_id);
    const attempt = await done(`/v1/invoices/${invoice_id}/charge`);
    assert.equal(attempt.status, 'succeeded');
    assert.throws(() => stripe().payPage(url), /is expired/);
    assert.equal((await read(`/v1/payment-sessions/${session_id}`)).status, 'expired');
  });

  it('are made once by requests and charges at once', async () => {
    const { id, invoice_id } = await aPayer();
    await saveCard(id, '4242', 'succeeds');
    const answers = await Promise.all([
      ...Array.from({ length: 4 }, () => post(pathOf(invoice_id))),
      post(`/v1/invoices/${invoice_id}/charge`),
    ]);
    for (const { status } of answers) assert.ok([201, 409].includes(status), `status ${status}`);
    const open = stripe()
      .state.all('checkout.session')
      .filter(({ metadata, status }) => metadata['invoice_id'] === invoice_id && status === 'open');
    const charged = stripe().chargesOf(invoice_id);
    assert.equal(open.length + charged.length, 1);
  });

  it('are kept to their customer by a portal link', async () => {
    const [own, other] = [await aPayer(), await aPayer()];
    const foreign = await session(other.invoice_id);
    const link = await done('/v1/portal-sessions', { customer_id: own.id });
    const key = tokenOf(link.url);
    const made = await post(pathOf(own.invoice_id), {}, { key });
    assert.equal(made.status, 201);
    assert.deepEqual((await get('/v1/payment-sessions', { key })).body.data, [made.body]);
    const refreshed = await post(`/v1/payment-sessions/${made.body.id}/refresh`, {}, { key });
    assert.equal(refreshed.status, 200);
    for (const answer of [
      await post(pathOf(other.invoice_id), {}, { key }),
      await get(`/v1/payment-sessions/${foreign.id}`, { key }),
      await post(`/v1/payment-sessions/${foreign.id}/refresh`, {}, { key }),
    ])
      assertRefused(answer, { code: 'not_found' });
  });

  it('are of invoices that can be paid', async () => {
    assertRefused(await post(pathOf('inv_unknown')), { code: 'not_found' });
    const { invoice_id } = await aPayer();
    const wrong = await post(pathOf(invoice_id), { save: 'yes' });
    assertRefused(wrong, { code: 'invalid_request', param: 'save' });
    await done(`/v1/invoices/${invoice_id}/payments`, { amount: '48.60' });
    await refused(invoice_id, 'not_chargeable');
    await done(`/v1/invoices/${invoice_id}/pay`);
    await refused(invoice_id, 'invalid_state');
    const { invoice_id: void_id } = await aPayer();
    await done(`/v1/invoices/${void_id}/void`);
    await refused(void_id, 'invalid_state');
  });

  it('of a provider that does not answer are the same after it does', async () => {
    const { invoice_id } = await aPayer();
    stripe().faultNext(/checkout\/sessions$/, 'lose_answer');
    const lost = await post(pathOf(invoice_id));
    assert.deepEqual([lost.status, lost.body.error.details[0].reason], [500, 'unavailable']);
    const { id } = await session(invoice_id);
    const sessions = (await read(`/v1/payment-sessions?invoice_id=${invoice_id}`)).data;
    assert.deepEqual(
      sessions.map((one: Json) => one.id),
      [id],
    );
    const pages = stripe()
      .state.all('checkout.session')
      .filter(({ metadata }) => metadata['invoice_id'] === invoice_id);
    assert.equal(pages.length, 1);
  });

  it('are in the audit log, by whom they were made', async () => {
    const { invoice_id } = await aPayer();
    const { id } = await session(invoice_id);
    const { data } = await read(`/v1/audit-log?object_id=${id}`);
    assert.deepEqual(
      data.map(({ action, after }: Json) => [action, after.amount, after.invoice_id]),
      [['payment_session.created', '49.00', invoice_id]],
    );
  });

  it('of a customer who is erased are closed at the provider', async () => {
    const { id, invoice_id } = await aPayer();
    const { id: session_id, url } = await session(invoice_id);
    await done(`/v1/customers/${id}/redact`);
    await eventually(
      async () => stripe().state.page(url).status,
      (status) => status === 'expired',
    );
    assert.throws(() => stripe().payPage(url));
    await eventually(
      () => read(`/v1/payment-sessions/${session_id}`),
      ({ status }) => status === 'expired',
    );
  });

  it('end with their provider, at the provider too; without one there are none', async () => {
    const { invoice_id } = await aPayer();
    const { id, url } = await session(invoice_id);
    const { status } = await request(`/v1/payment-providers/${provider_id}`, { method: 'DELETE' });
    assert.equal(status, 200);
    assert.throws(() => stripe().payPage(url));
    assert.equal((await read(`/v1/payment-sessions/${id}`)).status, 'expired');
    await refused(invoice_id, 'no_payment_provider');
  });
});
