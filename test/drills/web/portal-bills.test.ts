import assert from 'node:assert/strict';
import type { Json } from '../../support/servers/api.ts';
import { plainPng } from '../../support/documents/png.ts';
import { assertFits, useBrowser, type Window } from '../../support/servers/browser.ts';
import { useStack } from '../../support/servers/stack.ts';
import { at, FLAT, PER_UNIT, requestsTo, testCustomersOn } from '../../support/ledger/test-customer.ts';

/** The bills on the page of a portal link, in the words of its invoices. */
describe('the bills on the page of a portal link', () => {
  const stack = useStack();
  const request = requestsTo(stack);
  const { advance, customer, done, grant, plan, read, subscribe, use } = testCustomersOn(request);
  const openWindow = useBrowser();
  let acme: string;
  let invoice: Json;

  before(async () => {
    const footer = { invoice_footer: 'IBAN DE02 1203 0000 0000 2020 51' };
    await request('/v1/account', { method: 'PATCH', body: footer });
    // Without a logo, the request for it is refused.
    const png = plainPng(120, 40, '#1f5fa8').toString('base64');
    assert.equal((await request('/v1/account/logo', { method: 'PUT', body: { png } })).status, 200);
    acme = await customer({ name: 'Acme, Inc.' });
    const charges = [FLAT, { ...PER_UNIT, name: 'API calls', unit_name: 'calls' }];
    await subscribe(acme, await plan(charges, { name: 'Pro' }));
    await use(acme, [{ timestamp: at('01-01T10:00') }, { timestamp: at('01-01T12:00') }]);
    await grant(acme, 1, { rollover: true });
    [invoice] = await advance(acme, at('02-01'));
    await done(`/v1/invoices/${invoice.id}/payments`, { amount: '10.00' });
    const lines = [{ line_item_id: invoice.line_items[0].id, amount: '5.00' }];
    await done(`/v1/invoices/${invoice.id}/credit-notes`, { lines, reason: 'Outage' });
    const [mistaken] = await advance(acme, at('03-01'));
    await done(`/v1/invoices/${mistaken.id}/void`, { reason: 'wrong' });
    await advance(acme, at('04-01'));
    await use(acme, [{ timestamp: at('04-01T10:00') }]);
  });

  const linkOf = async (customer_id: string): Promise<string> =>
    (await done('/v1/portal-sessions', { customer_id })).url;

  /** Opens the page of a link. `faults` has the refused requests, and those that a payer's page does not send. */
  async function visit(url: string): Promise<Window & { faults: string[] }> {
    const window = await openWindow();
    const faults: string[] = [];
    window.page.on('response', (response) => {
      const { pathname } = new URL(response.url());
      if (response.status() >= 400 || pathname.startsWith('/dashboard/'))
        faults.push(`${response.status()} ${pathname}`);
    });
    const { pathname, search, hash } = new URL(url);
    await window.page.goto(`${stack().api_url}${pathname}${search}${hash}`);
    return { ...window, faults };
  }

  it('the payer reads how to pay first, then what it was billed, has paid and will pay', async () => {
    const { page, context, faults, assertQuiet } = await visit(await linkOf(acme));
    await page.getByText('IBAN DE02').waitFor();
    const titles = ['Invoices', 'Payments', 'Credit notes', 'To come', 'Plan and prices', 'Usage', 'Credit'];
    for (const name of titles) await page.getByRole('heading', { name, level: 2, exact: true }).waitFor();
    assert.deepEqual(await page.getByRole('heading', { level: 2 }).allInnerTexts(), [
      'How to pay',
      ...titles,
    ]);
    await page.getByText(`due ${invoice.due_date}`).first().waitFor();
    const payments = page.getByRole('region', { name: 'Payments, newest first' });
    await payments.getByText(invoice.number).waitFor();
    const { data } = await read(`/v1/payments?customer_id=${acme}`);
    const [paid] = await payments.getByRole('row').filter({ hasText: '10.00 USD' }).allInnerTexts();
    assert.match(paid!, new RegExp(`${data[0].paid_at.slice(0, 10)} UTC\\s+${invoice.number}\\s+received`));
    const downloading = page.waitForEvent('download');
    await payments.getByRole('button', { name: `PDF of receipt-${data[0].id}` }).click();
    assert.equal((await downloading).suggestedFilename(), `receipt-${data[0].id}.pdf`);
    const listed = page.locator('.with-file summary').filter({ hasText: 'Invoice INV' });
    assert.equal(await listed.count(), 3);
    await page.locator(`a.bar[href="#${at('01-01').slice(0, 7)}"]`).click();
    await page.getByText(`Invoices of January ${at('01-01').slice(0, 4)}.`).waitFor();
    await listed.nth(1).waitFor({ state: 'detached' });
    assert.match(await listed.innerText(), new RegExp(invoice.number));
    await page.getByRole('button', { name: 'Show all' }).click();
    await listed.nth(2).waitFor();
    await page.getByText('49.00 USD', { exact: true }).first().waitFor();
    await page.getByText('billed each month').waitFor();
    await page.getByText('API calls calls').waitFor();
    await page.getByText('1 calls', { exact: true }).waitFor();
    assert.deepEqual(faults, []);
    assertQuiet();
    await context.close();
  });

  it('a link opens at the invoice that it was made for, beside the one before', async () => {
    const invoices = (await read(`/v1/invoices?customer_id=${acme}`)).data;
    const [march] = invoices;
    const { url } = await done('/v1/portal-sessions', { customer_id: acme, invoice_id: march.id });
    const { search } = new URL(url);
    const { page, context, faults, assertQuiet } = await visit(url);
    const document = page.getByRole('article', { name: `Invoice ${march.number}` });
    await document.getByText('Amount due').waitFor();
    assert.equal(page.url(), `${stack().api_url}/portal${search}`);
    assert.ok((await document.boundingBox())!.y < 900, 'it is in sight');
    // February is void, so that March is beside January, which had 2 calls more.
    await page.getByText(`1.00 USD less than ${invoice.number}`).click();
    await page.getByText('Unchanged:').waitFor();
    assert.equal(await page.locator('a:not([href^="#"])').count(), 0);
    await assertFits(page, 'portal-at-invoice');
    await page.reload();
    await document.waitFor();
    assert.deepEqual(faults, []);
    assertQuiet();
    await context.close();
    const { hash } = new URL(await linkOf(await customer({ name: 'Stranger' }, null)));
    const stranger = await visit(`${stack().api_url}/portal${search}${hash}`);
    await stranger.page.getByText('Nothing is due.').waitFor();
    await stranger.page.getByText('No invoices yet').waitFor();
    assert.equal(await stranger.page.getByText(march.number).count(), 0);
    await stranger.context.close();
  });

  it('the days are of the time zone of the payer', async () => {
    const timezone = 'Asia/Tokyo';
    const tokyo = await customer({ name: 'Acme, Inc.', timezone });
    await subscribe(tokyo, await plan([{ ...PER_UNIT, group_by: ['region_code'] }]));
    await advance(tokyo, at('01-05'));
    const properties = { region_code: 'jp' };
    await use(tokyo, [{ timestamp: at('01-02T16:00'), properties }]);
    await grant(tokyo, 5, { rollover: true, event_names: ['api_call'] });
    const { page, context, faults, assertQuiet } = await visit(await linkOf(tokyo));
    await page.getByLabel(`First day (${timezone})`).fill(at('01-03').slice(0, 10));
    await page.getByLabel('Last day').fill(at('01-03').slice(0, 10));
    await page.getByRole('button', { name: 'Filter' }).click();
    await page.getByRole('heading', { name: 'Api call' }).getByText('1 event', { exact: true }).waitFor();
    await page.getByLabel('By', { exact: true }).selectOption({ label: 'values of region code' });
    await page.getByRole('button', { name: 'Filter' }).click();
    await page.getByRole('cell', { name: 'jp' }).waitFor();
    await page.getByRole('cell', { name: 'Api call' }).waitFor();
    assert.equal(await page.getByText('api_call').count(), 0);
    assert.deepEqual(faults, []);
    assertQuiet();
    await context.close();
  });
});
