import assert from 'node:assert/strict';
import { buffer } from 'node:stream/consumers';
import { newSignInLink } from '../../../src/db/account/sign-in-link.ts';
import type { Json } from '../../support/servers/api.ts';
import {
  seriousFaults,
  takePicture,
  useBrowser,
  WIDTHS,
  type Window,
} from '../../support/servers/browser.ts';
import { useStack } from '../../support/servers/stack.ts';
import { at, requestsTo, testCustomersOn } from '../../support/ledger/test-customer.ts';

const CHARGES = [
  { event_name: 'platform', name: 'Platform', pricing_model: 'flat', flat_amount: '100.00' },
  { event_name: 'support', name: 'Support', pricing_model: 'flat', flat_amount: '50.00' },
];

describe('credit notes and the balance in a browser', () => {
  const stack = useStack();
  const { advance, customer, done, plan, read, subscribe } = testCustomersOn(requestsTo(stack));
  const openWindow = useBrowser();
  let window: Window;
  let customer_id: string;
  /** Invoices of three months, 180.00 each with 20 percent tax; the first is paid. */
  let invoices: Json[];
  const page = () => window.page;
  const button = (name: string) => page().getByRole('button', { name, exact: true });
  const dialog = () => page().getByRole('dialog');
  const visit = (path: string) => page().goto(`${stack().api_url}${path}?mode=test`);
  const heading = (name: string | RegExp) => page().getByRole('heading', { name, level: 1 });
  const balance = async () => (await read(`/v1/customers/${customer_id}`)).balance;
  const owed = async (place: number) => {
    const { status, amount_due } = await read(`/v1/invoices/${invoices[place]!.id}`);
    return [status, amount_due];
  };
  /** Names and amounts of the sums of a document or a preview. */
  const sums = async () => {
    const rows = await page().locator('.totals > div').allInnerTexts();
    return rows.map((row) => row.split(/\s+USD/)[0]!.replaceAll(/\s+/g, ' '));
  };

  before(async function () {
    window = await openWindow();
    customer_id = await customer({ name: 'Acme', tax_rate: '20' });
    await subscribe(customer_id, await plan(CHARGES));
    invoices = await advance(customer_id, at('04-01'));
    assert.deepEqual(
      invoices.map(({ total }) => total),
      ['180.00', '180.00', '180.00'],
    );
    await done(`/v1/invoices/${invoices[0]!.id}/pay`);
    await page().goto((await newSignInLink(stack().pool, `${stack().api_url}/`))!);
    await heading('Home').waitFor();
  });

  it('half a line of a paid invoice is credited after a preview, once, and goes to the balance', async () => {
    await visit('/credit-notes');
    await page().getByText('No credit notes yet').waitFor();
    await visit(`/invoices/${invoices[0]!.id}`);
    await page().getByRole('link', { name: 'Credit…' }).click();
    await heading(`Credit ${invoices[0]!.number}`).waitFor();
    const [platform] = await page().getByLabel('Credit of: Platform').all();
    await button('Preview').click();
    await page().getByText('Enter an amount for at least one line item').waitFor();
    await platform!.fill('100.01');
    await page().getByLabel('Reason').fill('Outage in January');
    await button('Preview').click();
    await page().getByText('is above 100.00, what the line has left').waitFor();
    await takePicture(page(), 'credit-fault');
    await platform!.fill('50');
    await button('Preview').click();
    await button('Issue credit note').waitFor();
    assert.deepEqual(await sums(), [
      ...['Net 50.00', 'Tax, 20 % 10.00', 'Total 60.00'],
      ...['Off the invoice 0.00', 'To the balance 60.00', 'Paid back outside 0.00'],
    ]);
    await takePicture(page(), 'credit-preview');
    assert.deepEqual((await read('/v1/credit-notes')).data, [], 'a preview stores nothing');
    await platform!.fill('5');
    await button('Issue credit note').waitFor({ state: 'detached' });
    await platform!.fill('50');
    await button('Preview').click();
    await button('Issue credit note').dblclick();
    await heading(/^Credit note CN-/).waitFor();
    const { data } = await read('/v1/credit-notes');
    assert.deepEqual(
      data.map(({ total, reason }: Json) => [total, reason]),
      [['60.00', 'Outage in January']],
    );
    await visit(`/customers/${customer_id}`);
    const entry = page()
      .getByRole('region', { name: 'Entries of the balance' })
      .getByRole('row', { name: 'Outage' });
    await entry.getByText('+60.00 USD').waitFor();
    await page().locator('.definitions').last().getByText('60.00 USD').waitFor();
    await entry.getByRole('link', { name: data[0].number }).click();
    await heading(`Credit note ${data[0].number}`).waitFor();
    const downloading = page().waitForEvent('download');
    await button('PDF').click();
    const download = await downloading;
    assert.equal(download.suggestedFilename(), `${data[0].number}.pdf`);
    assert.match((await buffer(await download.createReadStream())).toString('latin1', 0, 5), /%PDF-/);
  });

  it('what is credited is no longer left', async () => {
    await visit(`/invoices/${invoices[0]!.id}/credit`);
    const row = page().getByRole('row', { name: 'Platform' });
    await row.getByText('50.00 USD').waitFor();
    await page().getByText('usage that is corrected later comes off as well').waitFor();
    await button('Credit all').click();
    assert.equal(await page().getByLabel('Credit of: Platform').count(), 0);
    await page().getByLabel('Reason').fill('all of it');
    await button('Preview').click();
    await button('Issue credit note').waitFor();
    assert.deepEqual((await sums()).slice(0, 3), ['Net 100.00', 'Tax, 20 % 20.00', 'Total 120.00']);
    await button('Clear').click();
    await page().getByLabel('Credit of: Platform').waitFor();
  });

  it('half a payment is recorded and reversed, and the balance pays for a part of the invoice', async () => {
    await visit(`/invoices/${invoices[1]!.id}`);
    await button('Record payment').click();
    await dialog().getByLabel('Amount in USD').fill('90');
    await dialog().getByRole('button', { name: 'Record payment' }).click();
    await button('Reverse').click();
    await dialog().getByLabel('Reason').fill('of another customer');
    await dialog().getByRole('button', { name: 'Reverse payment' }).click();
    await page().getByText('of another customer').waitFor();
    assert.deepEqual(await owed(1), ['open', '180.00']);
    await button('Apply balance').click();
    assert.equal(await dialog().getByLabel('Amount in USD').inputValue(), '60.00');
    await takePicture(page(), 'apply-balance');
    await dialog().getByLabel('Amount in USD').fill('60.01');
    await dialog().getByRole('button', { name: 'Apply balance' }).click();
    await dialog().getByText('is above 60.00').waitFor();
    await dialog().getByLabel('Amount in USD').fill('');
    await dialog().getByRole('button', { name: 'Apply balance' }).click();
    await page().getByText('From the balance', { exact: true }).waitFor();
    assert.deepEqual(await sums(), [
      ...['Subtotal 150.00', 'Tax, 20 % 30.00', 'Total 180.00'],
      ...['From the balance 60.00', 'Paid 0.00', 'Amount due 120.00'],
    ]);
    await button('Apply balance').waitFor({ state: 'detached' });
    assert.equal(await balance(), '0.00');
  });

  it('a credit note is voided, and what it gave comes from the balance', async () => {
    const { data } = await read('/v1/credit-notes');
    const { number } = data[0];
    await visit(`/customers/${customer_id}`);
    await button('Adjust balance').click();
    await dialog().getByLabel('What to do').selectOption({ label: 'Take back from the balance' });
    await dialog().getByLabel('Amount in USD').fill('1');
    await dialog().getByLabel('Reason').fill('for the wait');
    await dialog().getByRole('button', { name: 'Adjust balance' }).click();
    await dialog().getByText('takes more than 0.00, the balance of the customer').waitFor();
    await dialog().getByLabel('What to do').selectOption({ label: 'Add to the balance' });
    await dialog().getByLabel('Amount in USD').fill('65.50');
    await dialog().getByRole('button', { name: 'Adjust balance' }).click();
    await page().getByText('+65.50 USD').waitFor();
    await page().getByText('Added by hand').waitFor();
    await visit('/credit-notes');
    await page().getByRole('link', { name: number }).click();
    await button('Void').click();
    await dialog().getByText('What other invoices have used of them is due there again').waitFor();
    await takePicture(page(), 'void-credit-note');
    await dialog().getByLabel('Reason').fill('no outage');
    await dialog().getByRole('button', { name: 'Void credit note' }).click();
    await page().getByText('This credit note is void and has no effect.').waitFor();
    assert.equal(await button('Void').count(), 0);
    assert.equal(await balance(), '5.50');
    await visit(`/invoices/${invoices[0]!.id}`);
    const notes = page().getByRole('region', { name: 'Credit notes of this invoice' });
    await notes.getByRole('row', { name: number }).getByText('void').waitFor();
  });

  it('a payment above what is due adds the excess to the balance, and its reversal takes it back', async () => {
    await visit(`/invoices/${invoices[1]!.id}`);
    await button('Record payment').click();
    await dialog().getByLabel('Amount in USD').fill('120');
    assert.equal(await dialog().getByLabel('to the balance').count(), 0);
    await dialog().getByLabel('Amount in USD').fill('130.25');
    await dialog().getByRole('button', { name: 'Record payment' }).click();
    await dialog().getByText('is above 120.00, what is due').waitFor();
    await dialog().getByLabel('Add 10.25 USD to the balance').check();
    await takePicture(page(), 'payment-above-due');
    await dialog().getByRole('button', { name: 'Record payment' }).click();
    await page().getByText('10.25 of it went to the balance').waitFor();
    assert.deepEqual(await owed(1), ['paid', '0.00']);
    assert.equal(await balance(), '15.75');
    await button('Reverse').click();
    await dialog().getByLabel('Reason').fill('bounced');
    await dialog().getByRole('button', { name: 'Reverse payment' }).click();
    await page().getByText('bounced').waitFor();
    assert.equal(await balance(), '5.50');
  });

  it('Void of an issued invoice offers to credit all of it instead', async () => {
    await visit(`/invoices/${invoices[2]!.id}`);
    await button('Void').click();
    await takePicture(page(), 'void-invoice');
    await dialog().getByRole('link', { name: 'Credit all of it' }).click();
    await page().getByLabel('Reason').fill('wrong plan');
    await button('Preview').click();
    await button('Issue credit note').waitFor();
    assert.deepEqual((await sums()).slice(2, 4), ['Total 180.00', 'Off the invoice 180.00']);
    await button('Issue credit note').click();
    await heading(/^Credit note CN-/).waitFor();
    assert.deepEqual(await owed(2), ['paid', '0.00']);
    await visit(`/invoices/${invoices[2]!.id}`);
    await page().getByText('wrong plan').waitFor();
    assert.deepEqual((await sums()).slice(3), ['Credited 180.00', 'Paid 0.00', 'Amount due 0.00']);
    assert.equal(await button('Void').count(), 0);
    await page().getByRole('article').getByText('credited in full').waitFor();
    assert.equal(await page().getByRole('link', { name: 'Credit…' }).count(), 0);
    await visit(`/invoices/${invoices[2]!.id}/credit`);
    await page().getByText('Nothing is left to credit').waitFor();
  });

  it('the sentence of a refused void says that credit notes stand in the way', async () => {
    await visit(`/invoices/${invoices[1]!.id}`);
    await button('Void').click();
    await dialog().getByLabel('Reason').fill('too late');
    const lines = [{ line_item_id: invoices[1]!.line_items[0].id, amount: '1' }];
    await done(`/v1/invoices/${invoices[1]!.id}/credit-notes`, { lines, reason: 'Meanwhile' });
    await dialog().getByRole('button', { name: 'Void invoice' }).click();
    await dialog().getByText('has credit notes: void those that were issued by mistake').waitFor();
  });

  it('credit notes are found by customer, status and day', async () => {
    const { data } = await read('/v1/credit-notes');
    const voided = data.find(({ status }: Json) => status === 'void');
    const day = voided.issued_at.slice(0, 10);
    const count = (name: string) => page().getByRole('link', { name, exact: true }).count();
    await visit('/credit-notes');
    await page().getByLabel('Customer').fill(customer_id);
    await page().getByLabel('Status').selectOption('void');
    await page().getByLabel('Or days, from').fill(day);
    await page().getByLabel('To, inclusive').fill(day);
    await button('Filter').click();
    await page().waitForURL(/status=void/);
    await page().getByRole('link', { name: data[0].number, exact: true }).waitFor({ state: 'detached' });
    assert.equal(await count(voided.number), 1);
    await page().getByLabel('Customer').fill('nobody');
    await button('Filter').click();
    await page().getByText('No matching credit notes').waitFor();
  });

  for (const [name, width] of Object.entries(WIDTHS))
    it(`the pages are sound at the width of a ${name}`, async function () {
      const { data } = await read('/v1/credit-notes');
      const voided = data.find(({ status }: Json) => status === 'void');
      await page().setViewportSize({ width, height: 900 });
      const places = {
        'credit-notes': '/credit-notes',
        'credit-note': `/credit-notes/${data[0].id}`,
        'credit-note-void': `/credit-notes/${voided.id}`,
        'invoice-credited': `/invoices/${invoices[0]!.id}`,
        'invoice-partly-covered': `/invoices/${invoices[1]!.id}`,
        'credit-form': `/invoices/${invoices[1]!.id}/credit`,
        'customer-balance': `/customers/${customer_id}`,
      };
      for (const [picture, path] of Object.entries(places)) {
        await visit(path);
        await heading(/./).waitFor();
        await page().waitForLoadState('networkidle');
        await takePicture(page(), `${name}-${picture}`);
        assert.deepEqual(await seriousFaults(page()), [], path);
        const overflow = await page().evaluate<number>('document.documentElement.scrollWidth - innerWidth');
        assert.ok(overflow <= 0, `${path}: ${overflow} pixels too wide`);
      }
    });

  it('no page contacted another host or logged an error', () => window.assertQuiet());
});
