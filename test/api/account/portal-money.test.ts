import assert from 'node:assert/strict';
import type { Json, Received } from '../../support/servers/api.ts';
import { assertRefused } from '../../support/ledger/refused.ts';
import { holdingsOf, type Holdings } from '../../support/ledger/holdings.ts';
import { tokenOf } from '../../support/servers/signed-in.ts';
import { useStack } from '../../support/servers/stack.ts';
import { requestsTo, testCustomersOn } from '../../support/ledger/test-customer.ts';

describe('the payments and the invoice of a portal link', function () {
  this.timeout(120_000);
  const stack = useStack();
  const request = requestsTo(stack);
  const actions = testCustomersOn(request);
  const { done, read } = actions;
  let mine: Holdings;
  let other: Holdings;
  let token: string;
  const ask = (path: string): Promise<Received> => request(path, { key: token });

  before(async () => {
    mine = await holdingsOf(actions, 'mine');
    other = await holdingsOf(actions, 'other');
    token = tokenOf((await done('/v1/portal-sessions', { customer_id: mine.ids['customer'] })).url);
  });

  it('are of its invoices and in advance, without what staff wrote, also by filters', async () => {
    const { id: in_advance } = await done(`/v1/customers/${mine.ids['customer']}/payments`, {
      ...{ amount: '7.00', reference: 'cheque, came late' },
    });
    await done(`/v1/customers/${other.ids['customer']}/payments`, { amount: '9.00', reference: 'SEPA 9' });
    const { data } = (await ask('/v1/payments')).body;
    assert.equal(data[0].id, in_advance);
    assert.deepEqual(
      data.map(({ amount, invoice_id, reference, created_by, reversal_reason, reversed_by }: Json) => [
        ...[amount, invoice_id, reference, created_by, reversal_reason, reversed_by],
      ]),
      [
        ['7.00', null],
        ['1.00', mine.ids['invoice']],
        ['5.00', mine.ids['invoice']],
      ].map((shown) => [...shown, null, null, null, null]),
    );
    const of_other = await ask(`/v1/payments?invoice_id=${other.ids['invoice']}`);
    assert.deepEqual(of_other.body.data, []);
    for (const reference of ['SEPA 2', 'SEPA 9', 'nothing'])
      assertRefused(await ask(`/v1/payments?reference=${reference}`), {
        ...{ code: 'invalid_request', param: 'reference', reason: 'not_allowed' },
      });
    for (const path of [`/v1/payments/${in_advance}`, '/v1/payments.csv', '/v1/transfers'])
      assertRefused(await ask(path), { code: 'unauthorized', reason: 'not_permitted' });
    await done(`/v1/payments/${in_advance}/reverse`, { reason: 'test' });
  });

  it('opens at an invoice that it reads, a void one too, and is made for no other', async () => {
    const customer_id = mine.ids['external_id'];
    const make = (invoice_id: string) =>
      request('/v1/portal-sessions', { method: 'POST', body: { customer_id, invoice_id } });
    const links = async () => (await read(`/v1/portal-sessions?customer_id=${customer_id}`)).data.length;
    const before = await links();
    for (const id of [other.ids['invoice']!, other.ids['void_invoice']!, ...other.drafts, ...mine.drafts])
      assertRefused(await make(id), { code: 'not_found', param: 'invoice_id', reason: 'unknown_invoice' });
    assert.equal(await links(), before);
    for (const id of [mine.ids['invoice']!, mine.ids['void_invoice']!]) {
      const { status, body } = await make(id);
      assert.equal(status, 201);
      const { pathname, search } = new URL(body.url);
      assert.equal(`${pathname}${search}`, `/portal?invoice_id=${id}`);
      assert.equal('invoice_id' in body, false);
      const opened = await request(`/v1/invoices/${id}`, { key: tokenOf(body.url) });
      assert.equal(opened.body.id, id);
      // The link is not of the invoice alone.
      assert.equal((await request('/v1/invoices', { key: tokenOf(body.url) })).body.data.length, 2);
    }
  });
});
