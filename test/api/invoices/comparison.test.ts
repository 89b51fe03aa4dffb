import assert from 'node:assert/strict';
import type { Json } from '../../support/servers/api.ts';
import { comparedInvoicesOn } from '../../support/ledger/compared-invoices.ts';
import { assertRefused } from '../../support/ledger/refused.ts';
import { at, FLAT, requestsTo, testCustomersOn } from '../../support/ledger/test-customer.ts';
import { TIERS } from '../../support/ledger/tiers.ts';
import { tokenOf } from '../../support/servers/signed-in.ts';
import { useStack } from '../../support/servers/stack.ts';

const UNITS = { event_name: 'api_call', aggregation: { type: 'sum', property: 'units' } };
const T = { ...UNITS, pricing_model: 'graduated', tiers: TIERS };

describe('an invoice beside an earlier one', () => {
  const stack = useStack();
  const customers = testCustomersOn(requestsTo(stack));
  const { advance, customer, done, get, plan, read, subscribe } = customers;

  const { compared, last, said, subscriber, units } = comparedInvoicesOn(customers);

  it('is compared with the last one of its kind that stands, or with any issued one of the customer', async () => {
    const it = await subscriber([T]);
    const [january, february] = [await last(it, '02-01'), await last(it, '03-01')];
    const march = await last(it, '04-01');
    const withOf = async (query = '') => (await compared(march, query)).with_invoice_id;
    assert.equal(await withOf(), february.id);
    await done(`/v1/invoices/${february.id}/regenerate`);
    const [again] = (await read(`/v1/invoices?subscription_id=${it.id}`)).data;
    assert.equal(await withOf(), again.id);
    await done(`/v1/invoices/${again.id}/void`);
    assert.equal(await withOf(), january.id);
    // A void one, and a later one.
    assert.equal(await withOf(`?with=${february.id}`), february.id);
    assert.equal((await compared(january, `?with=${march.id}`)).with_invoice_id, march.id);
    const { id } = await subscribe(it.customer_id, await plan([FLAT]));
    await advance(it.customer_id, at('05-01'));
    const [other] = (await read(`/v1/invoices?subscription_id=${id}`)).data;
    assert.equal(await withOf(`?with=${other.id}`), other.id);
    assert.deepEqual(
      (await read(`/v1/subscriptions/${id}/upcoming-invoice/comparison?with=${march.id}`)).with_invoice_id,
      march.id,
    );
  });

  it('of an opening is compared with openings alone', async () => {
    const customer_id = await customer();
    const charge = { ...FLAT, billed: 'in_advance' };
    await subscribe(customer_id, await plan([charge]));
    await advance(customer_id, at('02-01'));
    const { data } = await read(`/v1/invoices?customer_id=${customer_id}`);
    const opening = data.find(({ kind }: Json) => kind === 'opening');
    const january = data.find(({ kind }: Json) => kind === 'period');
    for (const invoice of [opening, january])
      assertRefused(await get(`/v1/invoices/${invoice.id}/comparison`), {
        code: 'not_found',
        param: null,
        reason: 'no_earlier_invoice',
      });
    assert.equal((await compared(january, `?with=${opening.id}`)).difference, '0.00');
  });

  it('is refused for what does not exist, is of somebody else, is a draft, or is the invoice itself', async () => {
    const it = await subscriber([T]);
    const other = await subscriber([T]);
    const invoice = await last(it, '02-01');
    const of_other = await last(other, '02-01');
    const path = `/v1/invoices/${invoice.id}/comparison`;
    const upcoming_path = `/v1/subscriptions/${it.id}/upcoming-invoice/comparison`;
    await advance(it.customer_id, at('03-01'), { hold_drafts: true });
    const { data } = await read(`/v1/invoices?subscription_id=${it.id}&status=draft`);
    const [draft] = data;
    assert.equal((await compared(draft)).with_invoice_id, invoice.id);
    const nothing = 'inv_01kgbtzk40f259hrnywwde1ktz';
    for (const of_path of [path, upcoming_path]) {
      for (const id of [of_other.id, nothing])
        assertRefused(await get(`${of_path}?with=${id}`), {
          code: 'not_found',
          param: 'with',
          reason: 'unknown_invoice',
        });
      assertRefused(await get(`${of_path}?with=${draft.id}`), {
        code: 'conflict',
        param: 'with',
        reason: 'invalid_state',
      });
      assertRefused(await get(`${of_path}?before=1`), {
        code: 'invalid_request',
        reason: 'unknown_parameter',
      });
    }
    assertRefused(await get(`${path}?with=${invoice.id}`), {
      code: 'invalid_request',
      param: 'with',
      reason: 'not_allowed',
    });
    for (const unknown of [
      `/v1/invoices/${nothing}/comparison`,
      '/v1/subscriptions/sub_01kdvzt3y0f259hrne6m33d3k5/upcoming-invoice/comparison',
    ])
      assertRefused(await get(unknown), { code: 'not_found' });
    for (const mine of [path, upcoming_path])
      assertRefused(await get(mine, { key: stack().live_key }), { code: 'not_found' });
    await done(`/v1/invoices/${draft.id}/void`);
    assertRefused(await get(`${path}?with=${draft.id}`), {
      code: 'not_found',
      param: 'with',
      reason: 'unknown_invoice',
    });
    await done(`/v1/subscriptions/${it.id}/cancel`, { at: 'now' });
    await advance(it.customer_id, at('06-01'));
    assertRefused(await get(upcoming_path), { code: 'conflict', reason: 'invalid_state' });
  });

  it('is read by a portal link, for its customer alone and without drafts', async () => {
    const it = await subscriber([T]);
    const other = await subscriber([T]);
    const [first, second] = [await last(it, '02-01'), await last(it, '03-01')];
    await last(other, '02-01');
    const of_other = await last(other, '03-01');
    await advance(it.customer_id, at('04-01'), { hold_drafts: true });
    const [draft] = (await read(`/v1/invoices?subscription_id=${it.id}&status=draft`)).data;
    const { url } = await done('/v1/portal-sessions', { customer_id: it.customer_id });
    const ask = (path: string) => get(path, { key: tokenOf(url) });
    const path = `/v1/invoices/${second.id}/comparison`;
    const upcoming_path = `/v1/subscriptions/${it.id}/upcoming-invoice/comparison`;
    assert.deepEqual((await ask(path)).body, await read(path));
    assert.deepEqual((await ask(upcoming_path)).body, await read(upcoming_path));
    assert.equal((await ask(path)).body.with_invoice_id, first.id);
    for (const hidden of [
      `/v1/invoices/${of_other.id}/comparison`,
      `/v1/invoices/${draft.id}/comparison`,
      `/v1/invoices/${of_other.id}/comparison?with=${first.id}`,
      `/v1/subscriptions/${other.id}/upcoming-invoice/comparison`,
    ])
      assertRefused(await ask(hidden), { code: 'not_found', param: null });
    for (const of_path of [path, upcoming_path])
      for (const { id } of [of_other, draft])
        assertRefused(await ask(`${of_path}?with=${id}`), {
          code: 'not_found',
          param: 'with',
          reason: 'unknown_invoice',
        });
  });

  it('of a regeneration is the proposed one beside the current one', async () => {
    const it = await subscriber([T]);
    await units(it, '01-01', 900);
    const invoice = await last(it, '02-01');
    await units(it, '01-01', 300);
    const preview = await done(`/v1/invoices/${invoice.id}/regenerate`, { dry_run: true });
    const { comparison } = preview;
    assert.deepEqual(said(comparison), ['usage usage 25.00', 'tax']);
    const { invoice_id, with_invoice_id, total, with_total, difference } = comparison;
    assert.deepEqual(
      [invoice_id, with_invoice_id, total, with_total, difference],
      [null, invoice.id, '115.00', '90.00', '25.00'],
    );
    await done(`/v1/invoices/${invoice.id}/regenerate`);
    const [again] = (await read(`/v1/invoices?subscription_id=${it.id}`)).data;
    assert.deepEqual(await compared(again, `?with=${invoice.id}`), { ...comparison, invoice_id: again.id });
  });
});
