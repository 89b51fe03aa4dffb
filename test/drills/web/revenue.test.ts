import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { assertFits, signIn, useBrowser, type Window } from '../../support/servers/browser.ts';
import { at, FLAT, requestsTo, testCustomersOn } from '../../support/ledger/test-customer.ts';
import { useStack } from '../../support/servers/stack.ts';

const year = at('01-01').slice(0, 4);
/** The twelve months of the test year. */
const YEAR = `from=${year}-01-01&to=${year}-12-31`;

describe('revenue on the dashboard', () => {
  const stack = useStack();
  const { advance, customer, done, plan, subscribe } = testCustomersOn(requestsTo(stack));
  const openWindow = useBrowser();
  let window: Window;
  const page = (): Page => window.page;
  const visit = (path: string) => page().goto(`${stack().api_url}${path}`);
  const charts = () => page().locator('figure.chart');
  const wordsOf = (place: number) => charts().nth(place).locator('a.bar title').allTextContents();

  before(async () => {
    window = await openWindow();
    await signIn(page(), stack());
  });
  after(() => window.assertQuiet());

  it('says that nothing was booked, and Home says nothing', async () => {
    await visit('/revenue?mode=test');
    await page().getByText('Nothing was booked').waitFor();
    await page().getByText('No recurring revenue').waitFor();
    await assertFits(page(), 'revenue-empty');
    await visit('/?mode=test');
    await page().getByRole('heading', { name: 'Open and overdue' }).waitFor();
    assert.equal(
      await page()
        .getByRole('heading', { name: /^Revenue by month/ })
        .count(),
      0,
    );
  });

  it('draws months in bars, which lead to their days and these to their invoices, with a table below', async () => {
    const acme = await customer({ name: 'Acme', tax_rate: '20' });
    await subscribe(acme, await plan([FLAT], { name: 'Pro', key: 'pro' }));
    const [invoice] = await advance(acme, at('02-01'));
    await advance(acme, at('03-02'));
    await done(`/v1/invoices/${invoice.id}/void`);
    const other = await customer({ name: 'Beta', tax_rate: '20' });
    await subscribe(other, await plan([{ ...FLAT, flat_amount: '90.00' }], { name: 'Team' }));
    await advance(other, at('02-01'));
    await visit(`/revenue?mode=test&${YEAR}`);
    await charts().nth(1).waitFor();
    const months = await wordsOf(0);
    assert.equal(months.length, 12);
    // March: 49.00 of February less the 49.00 that are void.
    assert.deepEqual(months.slice(1, 3), [`Feb ${year}: 139.00 USD`, `Mar ${year}: 0.00 USD`]);
    const march = page().getByRole('row', {
      name: new RegExp(`^Mar ${year} 49.00 0.00 0.00 0.00 0.00 0.00 -49.00`),
    });
    await march.waitFor();
    await assertFits(page(), 'revenue');
    await charts().first().locator('a.bar').nth(1).click();
    await page().waitForURL(/by=day/);
    await page()
      .getByRole('link', { name: `${year}-02-01`, exact: true })
      .click();
    await page().getByRole('heading', { name: 'Invoices', level: 1 }).waitFor();
    await page().getByRole('link', { name: invoice.number, exact: true }).waitFor();
    assert.equal(await page().getByRole('link', { name: /^INV-/ }).count(), 2);
  });

  it('groups by customer and by plan, and saves what it shows', async () => {
    await visit(`/revenue?mode=test&${YEAR}`);
    await page().getByLabel('Grouped by').selectOption('customer');
    await page().getByRole('button', { name: 'Filter' }).click();
    await page().getByRole('row', { name: /^Beta/ }).waitFor();
    await assertFits(page(), 'revenue-customers');
    const saved = page().waitForEvent('download');
    await page().getByRole('button', { name: 'Export CSV' }).click();
    assert.equal((await saved).suggestedFilename(), 'revenue.csv');
    await page().getByLabel('Grouped by').selectOption('plan');
    await page().getByRole('button', { name: 'Filter' }).click();
    await page().getByRole('row', { name: /^Pro/ }).waitFor();
  });

  it('shows recurring revenue by month, and the customers of a month', async () => {
    await visit(`/revenue?mode=test&${YEAR}`);
    await charts().nth(1).waitFor();
    assert.deepEqual((await wordsOf(1)).slice(0, 2), [`Jan ${year}: 139.00 USD`, `Feb ${year}: 139.00 USD`]);
    await charts().nth(1).locator('a.bar').first().click();
    await page()
      .getByRole('heading', { name: `Movements in January ${year}` })
      .waitFor();
    await page().getByRole('link', { name: 'Beta' }).waitFor();
    await assertFits(page(), 'revenue-movements');
  });

  it('is on Home, in small', async () => {
    await visit('/?mode=test');
    await page().getByRole('heading', { name: 'Revenue by month in USD' }).waitFor();
    await page().locator('main').getByRole('link', { name: 'Revenue', exact: true }).click();
    await page().getByRole('heading', { name: 'Revenue', level: 1 }).waitFor();
  });
});
