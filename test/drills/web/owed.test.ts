import assert from 'node:assert/strict';
import { text } from 'node:stream/consumers';
import { parse } from 'csv-parse/sync';
import { assertFits, signIn, takePicture, useBrowser, type Window } from '../../support/servers/browser.ts';
import { useStack } from '../../support/servers/stack.ts';
import { at, FLAT, requestsTo, testCustomersOn } from '../../support/ledger/test-customer.ts';

const YEAR = at('01-01').slice(0, 4);

describe('what is owed, in a browser', () => {
  const stack = useStack();
  const { advance, customer, done, plan, subscribe } = testCustomersOn(requestsTo(stack));
  const openWindow = useBrowser();
  let window: Window;
  const page = () => window.page;
  const visit = (path: string) => page().goto(stack().api_url + path);
  const row = (name: string | RegExp) => page().getByRole('row', { name });
  const heading = (name: string | RegExp) => page().getByRole('heading', { name });
  const settled = () => page().locator('.loaded[aria-busy="true"]').waitFor({ state: 'hidden' });
  const filter = () => page().getByRole('button', { name: 'Filter' }).click();

  before(async () => {
    window = await openWindow();
    await signIn(page(), stack());
  });

  it('is in the navigation, and says that nobody owes anything', async () => {
    await page().getByRole('link', { name: 'Owed', exact: true }).click();
    await heading('Owed').waitFor();
    await page().getByText('Nobody owes anything').waitFor();
    await assertFits(page(), 'owed-empty');
  });

  it('shows the sums of each currency as bars with a table, and the debtors', async () => {
    const yearly = (currency: string) =>
      plan([{ ...FLAT, billed: 'in_advance' }], { name: `Yearly ${currency}`, interval: 'year', currency });
    for (const [name, currency, now] of [
      ['Late payer', 'USD', '05-20'],
      ['Payer of a part', 'USD', '02-15'],
      ['New customer', 'CHF', '01-10'],
    ] as const) {
      const customer_id = await customer({ name, currency, net_days: 30 }, at('12-31', -1));
      await subscribe(customer_id, await yearly(currency), { start_date: at('01-01') });
      const [invoice] = await advance(customer_id, at(now));
      if (name === 'Payer of a part') await done(`/v1/invoices/${invoice.id}/payments`, { amount: '9.00' });
    }
    await visit('/owed');
    await heading('89.00 USD owed').waitFor();
    await heading('49.00 CHF owed').waitFor();
    await row(`Late payer due ${YEAR}-01-31 1 – – – – 49.00 49.00 USD`).waitFor();
    await row(`Payer of a part due ${YEAR}-01-31 1 – 40.00 – – – 40.00 USD`).waitFor();
    await row(`New customer due ${YEAR}-01-31 1 49.00 – – – – 49.00 CHF`).waitFor();
    const names = await page()
      .getByRole('region', { name: /^Debtors/ })
      .getByRole('link')
      .allInnerTexts();
    assert.deepEqual(names, ['Late payer', 'Payer of a part', 'New customer']);
    await page().getByText('The numbers as a table').last().click();
    await row('Over 90 49.00').waitFor();
    await settled();
    await assertFits(page(), 'owed');
    await page().setViewportSize({ width: 390, height: 844 });
    await takePicture(page(), 'owed-390');
    const overflow = await page().evaluate<number>('document.documentElement.scrollWidth - innerWidth');
    assert.ok(overflow <= 0, `${overflow} pixels too wide`);
    await page().setViewportSize({ width: 1400, height: 900 });
  });

  it('shows a chosen day and a currency, which the address and the file have', async () => {
    await page().getByLabel('At the end of').fill(`${YEAR}-01-31`);
    await page().getByLabel('Currency').selectOption('USD');
    await filter();
    await page().waitForURL(new RegExp(`as_of=${YEAR}-01-31`));
    await heading('98.00 USD owed').waitFor();
    await heading('49.00 CHF owed').waitFor({ state: 'detached' });
    await row(`Payer of a part due ${YEAR}-01-31 1 49.00 – – – – 49.00 USD`).waitFor();
    const downloading = page().waitForEvent('download');
    await page().getByRole('button', { name: 'Export CSV' }).click();
    const file = await downloading;
    const rows = parse(await text(await file.createReadStream()), { columns: true });
    assert.deepEqual([file.suggestedFilename(), rows.length], [`receivables-${YEAR}-01-31.csv`, 2]);
    await page().getByRole('button', { name: 'Show all' }).click();
    await heading('49.00 CHF owed').waitFor();
  });

  it('leads to invoices and customers, also in the dark', async () => {
    await page().getByLabel('Theme').selectOption('dark theme');
    await settled();
    await assertFits(page(), 'owed-dark');
    await page().locator('a.bar[href*="overdue=true"]').first().click();
    await page().waitForURL(/\/invoices\?.*overdue=true/);
    await page().goBack();
    await page().getByRole('link', { name: 'Late payer' }).click();
    await heading('Late payer').waitFor();
    await page().getByLabel('Theme').selectOption('light theme');
  });

  it('is in the list of customers, beside the plan of each', async () => {
    await customer({ name: 'Nothing owed' });
    await visit('/customers');
    await row(/^Late payer .* Yearly USD 49\.00 USD 49\.00 USD /).waitFor();
    await row(/^Payer of a part .* Yearly USD 40\.00 USD 40\.00 USD /).waitFor();
    await row(/^New customer .* Yearly CHF 49\.00 CHF – /).waitFor();
    await row(/^Nothing owed .* – – – /).waitFor();
    await settled();
    await assertFits(page(), 'customers-owing');
    await row(/^Late payer/)
      .getByRole('link', { name: '49.00 USD' })
      .last()
      .click();
    await page().waitForURL(/\/invoices\?.*overdue=true/);
  });

  it('no page logged an error', () => window.assertQuiet());
});
