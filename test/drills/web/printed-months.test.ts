import assert from 'node:assert/strict';
import { text } from 'node:stream/consumers';
import { parse } from 'csv-parse/sync';
import type { Json } from '../../support/servers/api.ts';
import { assertFits, signIn, useBrowser, type Window } from '../../support/servers/browser.ts';
import { useStack } from '../../support/servers/stack.ts';
import { at, FLAT, requestsTo, testCustomersOn } from '../../support/ledger/test-customer.ts';

const YEAR = at('01-01').slice(0, 4);
const [OCTOBER, NOVEMBER] = [`${YEAR}-10`, `${YEAR}-11`];

/** October of Los Angeles and of Tokyo: UTC has the end of the first in November, and the issue of the second in October. */
describe('months as documents print them, in a browser', () => {
  const stack = useStack();
  const { advance, customer, done, plan, subscribe } = testCustomersOn(requestsTo(stack));
  const openWindow = useBrowser();
  let window: Window;
  /** Numbers of the invoices and credit notes of both. */
  const numbers = { invoices: [] as string[], notes: [] as string[] };
  const page = () => window.page;
  const visit = (path: string) => page().goto(stack().api_url + path);
  const listed = async (numbered: RegExp) => {
    await page().locator('.loaded[aria-busy="true"]').waitFor({ state: 'hidden' });
    return (await page().getByRole('link', { name: numbered }).allInnerTexts()).sort();
  };
  const filter = async (label: string, month: string) => {
    await page().getByLabel(label, { exact: true }).fill(month);
    await page().getByRole('button', { name: 'Filter' }).click();
    await page().waitForURL(new RegExp(`month=${month}`));
  };

  before(async () => {
    const plan_id = await plan([FLAT]);
    const OCTOBERS: [timezone: string, end: string][] = [
      ['America/Los_Angeles', at('11-01T07:00')],
      ['Asia/Tokyo', at('10-31T15:00')],
    ];
    for (const [timezone, end] of OCTOBERS) {
      const customer_id = await customer({ timezone });
      await subscribe(customer_id, plan_id, { start_date: `${OCTOBER}-01` });
      const [invoice] = (await advance(customer_id, end)) as [Json];
      const note = await done(`/v1/invoices/${invoice.id}/credit-notes`, { lines: 'all', reason: 'Outage' });
      numbers.invoices.push(invoice.number);
      numbers.notes.push(note.number);
    }
    window = await openWindow();
    await signIn(page(), stack());
  });

  it('both Octobers are invoices of October, and issued in November', async () => {
    await visit('/invoices?mode=test');
    await filter('Month', OCTOBER);
    await page().getByText(`${OCTOBER}-01 to ${OCTOBER}-31 Asia/Tokyo`).waitFor();
    assert.deepEqual(await listed(/^INV-/), numbers.invoices);
    await filter('Month', NOVEMBER);
    await page().getByText('A period belongs to the month of its last day').waitFor();
    await page().getByLabel('By', { exact: true }).selectOption('day of issue');
    await page().getByRole('button', { name: 'Filter' }).click();
    await page().getByText(`${NOVEMBER}-01 Asia/Tokyo`).waitFor();
    await page().getByText(`${NOVEMBER}-01 America/Los_Angeles`).waitFor();
    assert.deepEqual(await listed(/^INV-/), numbers.invoices);
    await assertFits(page(), 'invoices-of-november');
  });

  it('the files and the sums are of the same month', async () => {
    const sums = page().getByRole('row').filter({ hasText: '98.00 USD' });
    await sums.filter({ hasText: '2 invoices' }).waitFor();
    const downloading = page().waitForEvent('download');
    await page().getByRole('button', { name: 'Export CSV' }).click();
    const file = await downloading;
    const rows: Json[] = parse(await text(await file.createReadStream()), { columns: true });
    assert.equal(file.suggestedFilename(), `invoices-${NOVEMBER}.csv`);
    assert.deepEqual(rows.map(({ number }) => number).sort(), numbers.invoices);
  });

  it('credit notes too', async () => {
    await visit('/credit-notes?mode=test');
    await filter('Issued in', OCTOBER);
    await page().getByText('No matching credit notes').waitFor();
    await filter('Issued in', NOVEMBER);
    await page().getByText(`${NOVEMBER}-01 Asia/Tokyo`).waitFor();
    assert.deepEqual(await listed(/^CN-/), numbers.notes);
    await assertFits(page(), 'credit-notes-of-november');
  });

  it('the pages of the documents have the day that is printed', async () => {
    for (const number of [numbers.notes[1]!, numbers.invoices[1]!]) {
      await page().getByRole('link', { name: number }).first().click();
      await page()
        .getByRole('heading', { name: new RegExp(number), level: 1 })
        .waitFor();
      await page().getByRole('article').getByText(`${NOVEMBER}-01 Asia/Tokyo`).waitFor();
    }
  });

  it('no page contacted another host or logged an error', () => window.assertQuiet());
});
