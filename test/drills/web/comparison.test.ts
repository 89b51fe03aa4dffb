import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import type { Json } from '../../support/servers/api.ts';
import { assertFits, signIn, useBrowser, type Window } from '../../support/servers/browser.ts';
import { at, FLAT, requestsTo, testCustomersOn } from '../../support/ledger/test-customer.ts';
import { TIERS } from '../../support/ledger/tiers.ts';
import { useStack } from '../../support/servers/stack.ts';

const UNITS = { event_name: 'api_call', aggregation: { type: 'sum', property: 'units' } };
const T = { ...UNITS, name: 'API calls', pricing_model: 'graduated', tiers: TIERS };

describe('two bills on the dashboard', () => {
  const stack = useStack();
  const { advance, customer, done, plan, subscribe, use } = testCustomersOn(requestsTo(stack));
  const openWindow = useBrowser();
  let window: Window;
  let customer_id = '';
  let subscription_id = '';
  /** The invoices of January, February and March. */
  const invoices: Json[] = [];
  const page = (): Page => window.page;
  const visit = (path: string) => page().goto(`${stack().api_url}${path}?mode=test`);
  const units = (month: string, count: number) =>
    use(customer_id, [{ timestamp: at(`${month}-01T12:00`), properties: { units: count } }]);
  const bars = async () => {
    const texts = await page().locator('.bar-rows > li').allInnerTexts();
    return texts.map((text) => text.replaceAll(/\n+/g, '\n'));
  };

  before(async () => {
    customer_id = await customer({ name: 'Acme', tax_rate: '20' });
    subscription_id = (await subscribe(customer_id, await plan([T, FLAT]))).id;
    await units('01', 900);
    invoices.push(...(await advance(customer_id, at('02-01'))));
    await units('01', 100);
    await units('02', 1001);
    invoices.push(...(await advance(customer_id, at('03-01'))));
    await done(`/v1/invoices/${invoices[0]!.id}/pay`);
    await units('02', 99);
    window = await openWindow();
    await signIn(page(), stack());
  });
  after(() => window.assertQuiet());

  it('an invoice says how much more it is than the one before, and opens to why', async () => {
    const [january, february] = invoices;
    await visit(`/invoices/${february!.id}`);
    const sentence = page().locator('.beside-earlier summary').first();
    await sentence.click();
    assert.equal(await sentence.innerText(), `30.06 USD more than ${january!.number} (January)`);
    await page().locator('.bar-rows').waitFor();
    assert.deepEqual(await bars(), [
      'API calls\n+25.05 USD\nusage +15.05, late usage +10.00',
      'Tax\n+5.01 USD\nother net amount +5.01',
    ]);
    await page().getByText('Unchanged: Fixed fee for platform.').waitFor();
    await page().getByRole('button', { name: 'Copy as text' }).click();
    assert.equal(
      await page().evaluate('navigator.clipboard.readText()'),
      `Invoice ${february!.number}: 196.86 USD. 30.06 USD more than ${january!.number} (January): 166.80 USD.
- API calls: +25.05 USD (usage +15.05, late usage +10.00)
- Tax: +5.01 USD (other net amount +5.01)`,
    );
    await page().locator('.beside-earlier').getByText('The numbers as a table').click();
    await assertFits(page(), 'comparison');
  });

  it('the first invoice says nothing of the kind', async () => {
    await visit(`/invoices/${invoices[0]!.id}`);
    await page().getByRole('heading', { name: 'Record' }).waitFor();
    await page().waitForLoadState('networkidle');
    assert.equal(await page().locator('.beside-earlier').count(), 0);
  });

  it('the upcoming invoice stands beside the last one, on the pages of its subscription and customer', async () => {
    const february = invoices[1]!;
    for (const path of [`/subscriptions/${subscription_id}`, `/customers/${customer_id}`]) {
      await visit(path);
      const sentence = page().locator('.beside-earlier summary').first();
      await sentence.click();
      assert.equal(await sentence.innerText(), `132.12 USD less than ${february.number} (February)`);
      await page().locator('.bar-rows').waitFor();
      assert.deepEqual(await bars(), [
        'API calls\n-110.10 USD\nusage -105.05, late usage -5.05',
        'Tax\n-22.02 USD\nother net amount -22.02',
      ]);
      await page().getByRole('button', { name: 'Copy as text' }).click();
      assert.match(
        await page().evaluate<string>('navigator.clipboard.readText()'),
        new RegExp(
          `^The upcoming invoice: 64.74 USD. 132.12 USD less than ${february.number} \\(February\\)`,
        ),
      );
      await page()
        .getByRole('link', { name: `Open ${february.number}` })
        .waitFor();
      await assertFits(page(), 'comparison-upcoming');
      const january = invoices[0]!;
      await page()
        .getByLabel('Compared with')
        .selectOption({ label: `${january.number} (January)` });
      await page().getByText(`102.06 USD less than ${january.number} (January)`).waitFor();
      await page()
        .getByRole('link', { name: `Open ${january.number}` })
        .waitFor();
    }
  });

  it('a preview of a regeneration draws the same', async () => {
    await visit(`/invoices/${invoices[1]!.id}/regenerate`);
    await page().getByRole('heading', { name: '5.94 USD more than now' }).waitFor();
    assert.deepEqual(await bars(), [
      'API calls\n+4.95 USD\nusage +4.95',
      'Tax\n+0.99 USD\nother net amount +0.99',
    ]);
    await assertFits(page(), 'comparison-regenerate');
  });

  it('a customer has twelve months in bars, each of which leads to its invoices', async () => {
    await visit(`/customers/${customer_id}`);
    await page().getByRole('heading', { name: 'Billed by month' }).waitFor();
    const of_year = page().locator('figure.chart').first();
    assert.equal(await of_year.locator('a.bar').count(), 12);
    const words = await of_year.locator('a.bar title').allTextContents();
    const year = at('01-01').slice(0, 4);
    assert.deepEqual(words.slice(-3), [
      `Jan ${year}: 166.80 USD, paid, 0 USD, open`,
      `Feb ${year}: 0 USD, paid, 196.86 USD, open`,
      `Mar ${year}: 0 USD, paid, 0 USD, open`,
    ]);
    await assertFits(page(), 'customer-months');
    await of_year.locator('a.bar').nth(-2).click();
    await page().getByRole('link', { name: invoices[1]!.number, exact: true }).waitFor();
    assert.equal(await page().getByRole('link', { name: /^INV-/ }).count(), 1);
  });
});
