import assert from 'node:assert/strict';
import { buffer } from 'node:stream/consumers';
import { unzipSync } from 'fflate';
import type { Request } from 'playwright-core';
import type { Json } from '../../support/servers/api.ts';
import { assertFits, signIn, useBrowser, type Window } from '../../support/servers/browser.ts';
import { useStack } from '../../support/servers/stack.ts';
import { at, FLAT, requestsTo, testCustomersOn } from '../../support/ledger/test-customer.ts';

const YEAR = at('01-01').slice(0, 4);
const OCTOBER = `${YEAR}-10`;

describe('a month that is closed in a browser', () => {
  const stack = useStack();
  const { advance, customer, done, plan, read, subscribe } = testCustomersOn(requestsTo(stack));
  const openWindow = useBrowser();
  let window: Window;
  let invoice: Json;
  let in_tokyo: Json;
  let note: Json;
  const page = () => window.page;
  const visit = (path: string) => page().goto(stack().api_url + path);
  const button = (name: string) => page().getByRole('button', { name, exact: true });
  const section = () =>
    page()
      .locator('section')
      .filter({ hasText: `Books of October ${YEAR}` });

  before(async () => {
    const starting = { start_date: `${YEAR}-09-01` };
    const customer_id = await customer({ name: 'Acme', tax_rate: '20' });
    await subscribe(customer_id, await plan([FLAT]), starting);
    [invoice] = (await advance(customer_id, at('10-01'))) as [Json];
    await advance(customer_id, at('10-20'));
    const lines = [{ line_item_id: invoice.line_items[0].id, amount: '9' }];
    note = await done(`/v1/invoices/${invoice.id}/credit-notes`, { lines, reason: 'Outage' });
    const tokyo = await customer({ currency: 'JPY', timezone: 'Asia/Tokyo' }, at('09-30T15:00'));
    const yen = await plan([{ ...FLAT, flat_amount: '1400' }], { currency: 'JPY' });
    await subscribe(tokyo, yen, { start_date: at('09-30T15:00') });
    [in_tokyo] = (await advance(tokyo, at('10-31T15:00'))) as [Json];
    window = await openWindow();
    await signIn(page(), stack());
  });

  it('first shows the documents that are dated in another month', async () => {
    await visit(`/month-end?month=${OCTOBER}&mode=test`);
    await page().getByText(`1,400 JPY: ${in_tokyo.number}, dated in November ${YEAR}`).waitFor();
    await page()
      .getByRole('row', { name: /USD 48\.00 USD 48\.00 USD 0\.00 USD/ })
      .waitFor();
    await page().getByText(`October ${YEAR} is open.`).waitFor();
    await assertFits(page(), 'month-open');
  });

  it('closes after a question', async () => {
    await button('Close the month').click();
    const dialog = page().getByRole('dialog', { name: `Close the books of October ${YEAR}?` });
    await dialog.getByText('An admin can open the month again').waitFor();
    await dialog.getByRole('button', { name: 'Close the month' }).click();
    await section().getByText(`October ${YEAR} is closed.`).waitFor();
    const { journal_sha256 } = await read(`/v1/closed-months/${OCTOBER}`);
    await section().getByText(journal_sha256).waitFor();
    await assertFits(page(), 'month-closed');
    await page().getByLabel('Theme').selectOption('dark theme');
    await assertFits(page(), 'month-closed-dark');
  });

  it('has an archive', async () => {
    // The first PDF of a process loads the fonts.
    const downloading = page().waitForEvent('download', { timeout: 60_000 });
    await button('Download the archive').click();
    const file = await downloading;
    assert.equal(file.suggestedFilename(), `${OCTOBER}.zip`);
    const paths = Object.keys(unzipSync(new Uint8Array(await buffer(await file.createReadStream()))));
    for (const path of ['index.csv', `invoices/${invoice.number}.pdf`, `credit-notes/${note.number}.pdf`])
      assert.ok(paths.includes(path), path);
  });

  it('keeps its documents from being voided, and says so', async () => {
    for (const [path, way_out] of [
      [`/invoices/${in_tokyo.id}`, 'a credit note'],
      [`/credit-notes/${note.id}`, 'an item on the next invoice'],
    ] as const) {
      const asked: string[] = [];
      const noteRequest = (request: Request) =>
        void (request.url().includes('/v1/closed-months?object_id=') && asked.push(request.url()));
      page().on('request', noteRequest);
      await visit(`${path}?mode=test`);
      await page().getByText(`October ${YEAR} is closed: it is corrected by ${way_out}`).waitFor();
      await page().waitForLoadState('networkidle');
      page().off('request', noteRequest);
      assert.equal(asked.length, 1, asked.join());
      assert.equal(await button('Void').count(), 0);
      assert.equal(await page().getByRole('link', { name: 'Regenerate', exact: true }).count(), 0);
    }
    await assertFits(page(), 'credit-note-of-closed-month');
    await visit(`/invoices/${in_tokyo.id}/regenerate?mode=test`);
    await page()
      .getByText(/was issued in .*, which was closed at .*: write a credit note instead/)
      .waitFor();
  });

  it('is opened again with a reason, which the audit log has', async () => {
    await visit(`/month-end?month=${OCTOBER}&mode=test`);
    await button('Open again').click();
    await button('Open the month').click();
    await page().getByText('is missing; enter a reason').waitFor();
    await page().getByLabel('Reason').fill('A wrong price');
    await button('Open the month').click();
    await section().getByText(`October ${YEAR} is open.`).waitFor();
    await visit(`/invoices/${in_tokyo.id}?mode=test`);
    await button('Void').waitFor();
    await visit('/audit-log?mode=test&action=month.opened');
    await page().getByRole('cell', { name: 'Month opened' }).first().waitFor();
    await page().getByText('A wrong price').waitFor();
    await page()
      .getByRole('link', { name: `October ${YEAR}` })
      .click();
    await button('Close the month').waitFor();
  });

  it('no page contacted another host or logged an error', () => window.assertQuiet());
});
