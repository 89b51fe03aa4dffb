import assert from 'node:assert/strict';
import { text } from 'node:stream/consumers';
import { parse } from 'csv-parse/sync';
import type { Json } from '../../support/servers/api.ts';
import { newSignInLink } from '../../../src/db/account/sign-in-link.ts';
import {
  seriousFaults,
  takePicture,
  useBrowser,
  WIDTHS,
  type Window,
} from '../../support/servers/browser.ts';
import { useStack } from '../../support/servers/stack.ts';
import { at, FLAT, requestsTo, testCustomersOn } from '../../support/ledger/test-customer.ts';

const YEAR = at('01-01').slice(0, 4);

describe('finding, summing and exporting invoices in a browser', function () {
  const stack = useStack();
  const { advance, customer, done, plan, subscribe } = testCustomersOn(requestsTo(stack));
  const openWindow = useBrowser();
  let window: Window;
  /** Invoices of the first customer, issued on 1 September, October and November; that of September is paid. */
  let invoices: Json[];
  const page = () => window.page;
  const heading = (name: string | RegExp) => page().getByRole('heading', { name, level: 1 });
  const find = async (q: string) => {
    await page().getByLabel('Find', { exact: true }).fill(q);
    await page().keyboard.press('Enter');
  };
  before(async () => {
    const plan_id = await plan([FLAT]);
    const made: Json[][] = [];
    for (const name of ['Ökostrom 東京', 'Ökobau']) {
      const customer_id = await customer({ name, tax_rate: '20' }, at('08-01'));
      await subscribe(customer_id, plan_id);
      made.push(await advance(customer_id, at('11-01')));
    }
    [invoices] = made as [Json[]];
    await done(`/v1/invoices/${invoices[0].id}/payments`, { reference: 'SEPA 4711' });
    window = await openWindow();
    await page().goto((await newSignInLink(stack().pool, `${stack().api_url}/`))!);
    await heading('Home').waitFor();
  });
  const download = async (button: string) => {
    const downloading = page().waitForEvent('download');
    await page().getByRole('button', { name: button }).click();
    const file = await downloading;
    const rows: Json[] = parse(await text(await file.createReadStream()), { columns: true });
    return { name: file.suggestedFilename(), rows };
  };

  it('finds a customer by a part of its name, from any page and by keyboard alone', async () => {
    await find('STROM 東');
    await heading('Ökostrom 東京').waitFor();
    // The page of what was found is not in the way back.
    await page().goBack();
    await heading('Home').waitFor();
    await page().goForward();
    await heading('Ökostrom 東京').waitFor();
  });

  it("finds the customer's open invoices of October, sums them, and exports them", async () => {
    await page().getByRole('link', { name: 'Show all' }).last().click();
    await heading('Invoices').waitFor();
    await page().getByLabel('Status', { exact: true }).selectOption('open');
    await page().getByLabel('By', { exact: true }).selectOption('day of issue');
    await page().getByLabel('Month').fill(`${YEAR}-10`);
    await page().getByRole('button', { name: 'Filter' }).click();
    const [, october] = invoices;
    await page().getByRole('link', { name: invoices[0].number }).waitFor({ state: 'detached' });
    await page().getByRole('link', { name: october.number }).waitFor();
    const sums = page().getByRole('region', { name: 'Sums by currency' });
    // 49.00 and 20 percent.
    assert.match(
      (await sums.textContent())!,
      /^Sums by currencyCurrencyopen.*58\.80 \w{3}1 invoice, tax 9\.80$/,
    );
    await takePicture(page(), 'invoices-of-october');
    const { name, rows } = await download('Export CSV');
    assert.deepEqual([name, rows.length], [`invoices-${YEAR}-10.csv`, 1]);
    assert.deepEqual(
      [rows[0].id, rows[0].number, rows[0].total, rows[0].amount_due, rows[0].customer_name],
      [october.id, october.number, '58.80', '58.80', 'Ökostrom 東京'],
    );
    const lines = await download('Export line items');
    assert.deepEqual(
      lines.rows.map(({ invoice_number, amount }: Json) => [invoice_number, amount]),
      [[october.number, '49.00']],
    );
  });

  it('exports the usage of a customer', async () => {
    await find('Ökobau');
    await heading('Ökobau').waitFor();
    const { name, rows } = await download('Export CSV by day');
    assert.deepEqual([name, rows], ['usage.csv', []]);
  });

  it('shows what was found where it is more than one object', async () => {
    await find('öko');
    await heading('Search').waitFor();
    // Two customers, each with its three invoices.
    await page().getByText('8 found for “öko”.').waitFor();
    await takePicture(page(), 'search');
    await page().getByRole('link', { name: 'Ökobau' }).first().click();
    await heading('Ökobau').waitFor();
  });

  it('leads from a number and from the reference of a payment to the invoice', async () => {
    for (const q of [invoices[1].number.toLowerCase(), 'SEPA 4711']) {
      await find(q);
      await heading(q === 'SEPA 4711' ? invoices[0].number : invoices[1].number).waitFor();
    }
  });

  it('says that nothing was found', async () => {
    await find('nobody');
    await page().getByText('Nothing was found for “nobody”.').waitFor();
  });

  for (const [name, width] of Object.entries(WIDTHS))
    it(`the page of what was found is sound at the width of a ${name}`, async () => {
      await page().setViewportSize({ width, height: 900 });
      await page().goto(`${stack().api_url}/search?q=${encodeURIComponent('öko')}&mode=test`);
      await page().getByText('8 found').waitFor();
      await takePicture(page(), `search-${name}`);
      assert.deepEqual(await seriousFaults(page()), []);
      const overflow = await page().evaluate<number>('document.documentElement.scrollWidth - innerWidth');
      assert.ok(overflow <= 0, `${overflow} pixels too wide`);
    });

  it('no page contacted another host or logged an error', () => window.assertQuiet());
});
