import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import type { Json } from '../../support/servers/api.ts';
import {
  assertFits,
  seriousFaults,
  signIn,
  takePicture,
  useBrowser,
  type Window,
} from '../../support/servers/browser.ts';
import { tokenOf } from '../../support/servers/signed-in.ts';
import { plainPng } from '../../support/documents/png.ts';
import { useStack } from '../../support/servers/stack.ts';
import { at, FLAT, PER_UNIT, requestsTo, testCustomersOn } from '../../support/ledger/test-customer.ts';

/** The page of a portal link, for the payer, and what staff do to give one out. */
describe('the portal in a browser', function () {
  const stack = useStack();
  const request = requestsTo(stack);
  const { advance, customer, done, grant, plan, subscribe, use } = testCustomersOn(request);
  const openWindow = useBrowser();
  let staff: Window;
  let acme: string;
  let invoice: Json;

  before(async () => {
    // Without a logo, the request for it is refused.
    const png = plainPng(120, 40, '#1f5fa8').toString('base64');
    assert.equal((await request('/v1/account/logo', { method: 'PUT', body: { png } })).status, 200);
    acme = await customer({ name: 'Acme, Inc.' });
    await subscribe(acme, await plan([FLAT, { ...PER_UNIT, name: 'API calls' }]));
    await use(acme, [{ timestamp: at('01-01T10:00') }, { timestamp: at('01-01T12:00') }]);
    await grant(acme, 1, { rollover: true, note: 'to keep them' });
    [invoice] = await advance(acme, at('02-01'));
    await done(`/v1/invoices/${invoice.id}/payments`, { amount: '10.00', reference: 'SEPA 1' });
    const lines = [{ line_item_id: invoice.line_items[0].id, amount: '5.00' }];
    await done(`/v1/invoices/${invoice.id}/credit-notes`, { lines, reason: 'Outage' });
    const [mistaken] = await advance(acme, at('03-01'));
    await done(`/v1/invoices/${mistaken.id}/void`, { reason: 'angry customer' });
    await advance(acme, at('04-01'));
    await use(acme, [{ timestamp: at('04-01T10:00') }]);
    staff = await openWindow();
    await signIn(staff.page, stack());
  });

  const newToken = async (customer_id = acme): Promise<string> =>
    tokenOf((await done('/v1/portal-sessions', { customer_id })).url);
  const addressOf = (token: string) => `${stack().api_url}/portal#${token}`;
  const heading = (page: Page | ReturnType<Page['frameLocator']>) =>
    page.getByRole('heading', { name: 'Bills of Acme, Inc.', level: 1 });

  /** Opens the page of a portal link. `faults` has the refused requests, and those that a payer's page does not send. */
  async function visit(token: string): Promise<Window & { faults: string[] }> {
    const window = await openWindow();
    const faults: string[] = [];
    window.page.on('response', (response) => {
      const { pathname } = new URL(response.url());
      // No invoice comes before the first one.
      if (response.status() === 404 && pathname.endsWith('/comparison')) return;
      if (response.status() >= 400 || pathname.startsWith('/dashboard/'))
        faults.push(`${response.status()} ${pathname}`);
    });
    await window.page.goto(addressOf(token));
    return { ...window, faults };
  }

  it('staff make a link on the page of a customer, and see it once', async () => {
    const { page } = staff;
    const dialog = page.getByRole('dialog');
    await page.goto(`${stack().api_url}/customers/${acme}?mode=test`);
    await page.getByRole('button', { name: 'Portal link' }).click();
    await dialog.getByText('No link can be used now').waitFor();
    await dialog.getByLabel('Minutes until it ends').fill('1441');
    await dialog.getByRole('button', { name: 'Make a link' }).click();
    await dialog.getByText('must be at most 1440').waitFor();
    await dialog.getByLabel('Minutes until it ends').fill('30');
    await assertFits(page, 'portal-link-form');
    await dialog.getByRole('button', { name: 'Make a link' }).click();
    const link = await dialog.getByText('/portal#tm_ps_').innerText();
    await takePicture(page, 'portal-link-made');
    const payer = await visit(tokenOf(link));
    await heading(payer.page).waitFor();
    await dialog.getByRole('button', { name: 'I have copied the link' }).click();
    await page.getByRole('button', { name: 'Portal link' }).click();
    await dialog.getByRole('button', { name: 'Revoke' }).waitFor();
    await takePicture(page, 'portal-links-running');
    await dialog.getByRole('button', { name: 'Revoke' }).click();
    await dialog.getByText('No link can be used now').waitFor();
    await payer.page.reload();
    await payer.page.getByRole('heading', { name: 'This link is over' }).waitFor();
    await assertFits(payer.page, 'portal-over');
    await payer.page.reload();
    await payer.page.getByRole('heading', { name: 'This page needs a link' }).waitFor();
    await payer.context.close();
  });

  it('staff make a link that opens at an invoice, on its page', async () => {
    const { page } = staff;
    const dialog = page.getByRole('dialog', { name: 'Portal links of Acme, Inc.' });
    await page.goto(`${stack().api_url}/invoices/${invoice.id}?mode=test`);
    await page.getByRole('button', { name: 'Portal link' }).click();
    await dialog.getByText(`The page opens at ${invoice.number}.`).waitFor();
    await dialog.getByRole('button', { name: 'Make a link' }).click();
    const link = await dialog.getByText('/portal?invoice_id=').innerText();
    assert.equal(new URL(link).searchParams.get('invoice_id'), invoice.id);
    await dialog.getByRole('button', { name: 'I have copied the link' }).click();
  });

  it('the payer sees what is due, and the token is nowhere in the address', async () => {
    const { page, context, faults, assertQuiet } = await visit(await newToken());
    await heading(page).waitFor();
    assert.equal(page.url(), `${stack().api_url}/portal`);
    assert.equal((await context.cookies()).length, 0);
    await page.getByText('nothing here is to be paid').waitFor();
    // Of the 50.00 of January, 10.00 are paid and 5.00 credited; the 49.00 of March are due today.
    await page.getByText('84.00 USD').waitFor();
    await page.getByText('35.00 USD is overdue').waitFor();
    await page.reload();
    await heading(page).waitFor();
    for (const text of ['Export CSV', 'SEPA 1', 'angry customer', 'to keep them'])
      assert.equal(await page.getByText(text).count(), 0, text);
    // Bars lead to the invoices of their month, on the page.
    assert.equal(await page.locator('a:not([href^="#"])').count(), 0);
    await page.getByRole('heading', { name: 'API calls' }).waitFor();
    assert.equal(await page.getByText('api_call').count(), 0);
    await assertFits(page, 'portal');
    await page.emulateMedia({ colorScheme: 'dark' });
    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: 900 });
      await takePicture(page, `portal-dark-${width}`);
      assert.ok((await page.evaluate<number>('document.documentElement.scrollWidth')) <= width);
      assert.deepEqual(await seriousFaults(page), []);
    }
    assert.deepEqual(faults, []);
    assertQuiet();
    await context.close();
  });

  it('the payer opens an invoice, its lines and their events, and saves the files', async () => {
    const { page, context, faults, assertQuiet } = await visit(await newToken());
    const document = page.getByRole('article', { name: `Invoice ${invoice.number}` });
    await page.locator('summary').filter({ hasText: invoice.number }).click();
    await document.getByText('Paid').waitFor();
    await document.locator('summary').filter({ hasText: 'API calls' }).click();
    await document.getByText('Events of this line item', { exact: true }).waitFor();
    await document.getByRole('row').filter({ hasText: 'event-' }).nth(1).waitFor();
    await page.setViewportSize({ width: 390, height: 900 });
    await takePicture(page, 'portal-invoice-390');
    await assertFits(page, 'portal-invoice');
    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: `PDF of Invoice ${invoice.number}` }).click();
    assert.equal((await downloading).suggestedFilename(), `Invoice ${invoice.number}.pdf`);
    assert.deepEqual(faults, []);
    await page.getByRole('button', { name: 'E-invoice (XML)' }).first().click();
    await page.getByText('This document lacks data that an e-invoice needs').waitFor();
    await page.locator('summary').filter({ hasText: 'CN-000001' }).click();
    await page.getByText('Outage').waitFor();
    await page.locator('summary').filter({ hasText: 'void' }).click();
    await page.getByText('This invoice is void and must not be paid').waitFor();
    await page.locator('summary').filter({ hasText: 'as of now' }).click();
    await page.getByText('API calls: 1', { exact: false }).first().waitFor();
    await assertFits(page, 'portal-open');
    await page.emulateMedia({ media: 'print' });
    await takePicture(page, 'portal-print');
    assert.equal(await page.getByRole('button', { name: 'Print' }).count(), 0);
    assertQuiet();
    await context.close();
  });

  it('a payer without anything reads sentences', async () => {
    const { page, context, faults, assertQuiet } = await visit(await newToken(await customer({}, null)));
    for (const text of ['Nothing is due.', 'No invoices yet', 'No subscription', 'No usage to show'])
      await page.getByText(text).waitFor();
    await assertFits(page, 'portal-empty');
    assert.deepEqual(faults, []);
    assertQuiet();
    await context.close();
  });

  it('the payer ends the link, after a question, and a tab that still shows the bills asks for a new one', async () => {
    const token = await newToken();
    const { page, context, assertQuiet } = await visit(token);
    const other = await visit(token);
    for (const shown of [page, other.page]) await heading(shown).waitFor();
    const dialog = page.getByRole('dialog', { name: 'End this link?' });
    await page.getByRole('button', { name: 'End this link' }).click();
    await assertFits(page, 'portal-end');
    await dialog.getByRole('button', { name: 'Leave it' }).click();
    await page.getByRole('button', { name: 'End this link' }).click();
    await dialog.getByRole('button', { name: 'End this link' }).click();
    await page.getByRole('heading', { name: 'This link is over' }).waitFor();
    assertQuiet();
    await other.page.getByRole('button', { name: 'End this link' }).click();
    await other.page.getByRole('dialog').getByRole('button', { name: 'End this link' }).click();
    await other.page.getByRole('heading', { name: 'This link is over' }).waitFor();
    for (const window of [context, other.context]) await window.close();
  });

  it('works where the browser refuses storage, and takes a new link without loading the page again', async () => {
    const { page, context, assertQuiet } = await openWindow();
    await context.addInitScript(`for (const name of ['localStorage', 'sessionStorage'])
      Object.defineProperty(window, name, { get() { throw new DOMException('denied', 'SecurityError'); } })`);
    await page.goto(addressOf(await newToken()));
    await heading(page).waitFor();
    const other = await newToken(await customer({ name: 'Other' }, null));
    await page.evaluate(`location.hash = '${other}'`);
    await page.getByRole('heading', { name: 'Bills of Other', level: 1 }).waitFor();
    assert.equal(page.url(), `${stack().api_url}/portal`);
    assertQuiet();
    await context.close();
  });

  it('of live data has no band', async () => {
    const { live_key } = stack();
    await stack().done(live_key, 'POST', '/v1/customers', { external_id: 'paying' });
    const { url } = await stack().done<Json>(live_key, 'POST', '/v1/portal-sessions', {
      customer_id: 'paying',
    });
    const { page, context } = await visit(tokenOf(url));
    await page.getByText('Nothing is due.').waitFor();
    assert.equal(await page.getByText('Test data').count(), 0);
    await context.close();
  });

  describe('in a frame', () => {
    let site: Server;
    let origin: string;
    before(async () => {
      site = createServer((asked, response) => {
        response.setHeader('Content-Type', 'text/html');
        const src = decodeURIComponent(asked.url!.slice(2));
        response.end(
          `<!doctype html><title>Shop</title><iframe width="900" height="700" src="${src}"></iframe>`,
        );
      });
      await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
      origin = `http://localhost:${(site.address() as AddressInfo).port}`;
    });
    after(() => site.close());

    /** A page of the other site, whose cookies are not ours. */
    async function framed(path: string, how: 'shown' | 'refused', token = ''): Promise<Page> {
      const { page } = await openWindow();
      const refused = page.waitForEvent('console', {
        predicate: (message) => how === 'refused' && message.text().includes('frame-ancestors'),
      });
      refused.catch(() => undefined);
      await page.goto(`${origin}/?${encodeURIComponent(`${stack().api_url}${path}${token && `#${token}`}`)}`);
      if (how === 'refused') await refused;
      else await heading(page.frameLocator('iframe')).waitFor();
      return page;
    }

    it('it is refused to every site at first', async () => {
      await (await framed('/portal', 'refused', await newToken())).context().close();
    });

    it('staff name the sites in the settings, where a fault stands at its field', async () => {
      const { page } = staff;
      await page.goto(`${stack().api_url}/settings/account?mode=test`);
      const field = page.getByLabel('Sites that may frame the portal');
      await field.fill(`${origin}\nhttp://shop.example.com`);
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('Line 2 must be an origin').waitFor();
      assert.equal(await field.getAttribute('aria-invalid'), 'true');
      await field.fill(`${origin}\n`);
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('Saved.').waitFor();
      await assertFits(page, 'settings-portal-origins');
    });

    it('it is shown to these sites, without cookies; no other page is, and no other site has it', async () => {
      // The page may be as old as two seconds.
      await new Promise((resolve) => setTimeout(resolve, 2500));
      const page = await framed('/portal', 'shown', await newToken());
      await page.frameLocator('iframe').getByText('35.00 USD is overdue').waitFor();
      await takePicture(page, 'portal-framed');
      assert.equal((await page.context().cookies()).length, 0);
      await page.context().close();
      for (const path of ['/', '/sign-in']) await (await framed(path, 'refused')).context().close();
      origin = origin.replace('localhost', '127.0.0.1');
      await (await framed('/portal', 'refused', await newToken())).context().close();
    });
  });

  it('no page of staff contacted another host or logged an error', () => staff.assertQuiet());
});
