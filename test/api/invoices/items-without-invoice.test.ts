import assert from 'node:assert/strict';
import { startApi, type TestApi } from '../../support/servers/api.ts';
import { assertRefused } from '../../support/ledger/refused.ts';
import { signIn, type SignedIn } from '../../support/servers/signed-in.ts';
import { at, FLAT, testCustomersOn } from '../../support/ledger/test-customer.ts';

/** billing.md 7. */
describe('invoice items that no invoice follows for', () => {
  let api: TestApi;
  let me: SignedIn;
  before(async () => {
    api = await startApi();
    me = await signIn(api);
  });
  after(() => api.close());

  /** A customer with items on a subscription that ends after they were added; returns the ids, newest first. */
  async function aFormerCustomer(count: number): Promise<{ customer_id: string; ids: string[] }> {
    const { done, plan, subscribe } = testCustomersOn(api.request);
    const customer_id = `former-${count}`;
    await done('/v1/customers', { external_id: customer_id, currency: 'EUR' });
    const plan_id = await plan([FLAT], { currency: 'EUR' });
    const { id: subscription_id } = await subscribe(customer_id, plan_id, { trial_end_date: at('01-01') });
    const ids: string[] = [];
    for (let made = 0; made < count; made++) {
      const item = { customer_id, description: `Item ${made}`, unit_amount: '-2.5' };
      ids.unshift((await done('/v1/invoice-items', item)).id);
    }
    await api.pool.query('update subscriptions set finished_at = now() where id = $1', [subscription_id]);
    return { customer_id, ids };
  }

  const home = async (environment = 'test') =>
    (await me.request('/dashboard/api/home', { headers: { 'Tidemark-Environment': environment } })).body
      .items_without_invoice;
  const listed = (customer_id: string) =>
    me.request(`/dashboard/api/items-without-invoice?customer_id=${customer_id}`);

  it('are on Home, the newest 20, until they are deleted; and those of one customer apart', async () => {
    assert.deepEqual(await home(), []);
    const first = await aFormerCustomer(2);
    const amount = { amount: '-2.50', currency: 'EUR' };
    const shown = [1, 0].map((made, place) => ({
      ...{ id: first.ids[place], customer_id: 'former-2', description: `Item ${made}`, ...amount },
    }));
    assert.deepEqual(await home(), shown);
    assert.deepEqual(await home('live'), []);
    const second = await aFormerCustomer(21);
    const ids = async () => (await home()).map(({ id }: { id: string }) => id);
    assert.deepEqual(await ids(), second.ids.slice(0, 20));
    const { status, body } = await listed('former-2');
    assert.deepEqual([status, body], [200, { object: 'items_without_invoice', data: shown }]);
    for (const id of second.ids)
      assert.equal((await api.request(`/v1/invoice-items/${id}`, { method: 'DELETE' })).status, 200);
    assert.deepEqual(await ids(), first.ids);
    assert.deepEqual((await listed('former-21')).body.data, []);
  });

  it('are for people who have signed in', async () => {
    const answer = await api.request('/dashboard/api/items-without-invoice?customer_id=former-2');
    assertRefused(answer, { code: 'unauthorized' });
    assertRefused(await me.request('/dashboard/api/items-without-invoice'), {
      code: 'invalid_request',
      param: 'customer_id',
    });
  });
});
