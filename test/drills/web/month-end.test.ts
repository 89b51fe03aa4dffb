import assert from 'node:assert/strict';
import { text } from 'node:stream/consumers';
import { parse } from 'csv-parse/sync';
import type { Json } from '../../support/servers/api.ts';
import { assertFits, signIn, useBrowser, WIDTHS, type Window } from '../../support/servers/browser.ts';
import { useStack } from '../../support/servers/stack.ts';
import { at, FLAT, PER_UNIT, requestsTo, testCustomersOn } from '../../support/ledger/test-customer.ts';

const YEAR = at('01-01').slice(0, 4);
const OCTOBER = `${YEAR}-10`;

describe('the end of a month in a browser', () => {
  const stack = useStack();
  const request = requestsTo(stack);
  const { advance, customer, done, plan, subscribe, use } = testCustomersOn(request);
  const openWindow = useBrowser();
  let window: Window;
  let invoice: Json;
  let draft: Json;
  const page = () => window.page;
  const visit = (path: string) => page().goto(stack().api_url + path);
  const row = (name: string | RegExp) => page().getByRole('row', { name });
  const place = () =>
    page().getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Month end' });
  const settled = () => page().locator('.loaded[aria-busy="true"]').waitFor({ state: 'hidden' });

  /** Stops all subscriptions for a reason, as billing does; null: none. */
  const stop = (attention: string | null) =>
    stack().pool.query('update subscriptions set attention = $1', [attention]);

  before(async () => {
    await request('/v1/account', { method: 'PATCH', body: { timezone: 'America/Los_Angeles' } });
    const plan_id = await plan([FLAT, PER_UNIT]);
    const starting = { start_date: `${YEAR}-09-01` };
    // Issued on 1 October: 49.00 and 20 percent of tax; paid in part on 31 October at 20:00 in Los Angeles.
    const paying = await customer({ tax_rate: '20', name: 'Paying' });
    await subscribe(paying, plan_id, starting);
    [invoice] = (await advance(paying, at('10-02'))) as [Json];
    await use(paying, [
      { timestamp: at('10-01T09:00'), event_name: 'unknown' },
      { timestamp: at('10-01T09:00'), event_name: 'unknown' },
    ]);
    await advance(paying, at('11-01T03:00'));
    await done(`/v1/invoices/${invoice.id}/payments`, { amount: '10.00' });
    [draft] = (await advance(paying, at('11-01T07:00'), { hold_drafts: true })) as [Json];
    await stop('no price');
    window = await openWindow();
    await signIn(page(), stack());
  });

  it('is in the navigation, and begins with the last month', async () => {
    await place().click();
    await page().getByRole('heading', { name: 'Month end', level: 1 }).waitFor();
    await page()
      .getByText(/^No invoice was issued in /)
      .waitFor();
    await page()
      .getByText(/^Nothing was booked in /)
      .waitFor();
    assert.equal(await page().getByText('is not over').count(), 0);
    await assertFits(page(), 'month-end-empty');
  });

  it('shows the chosen month, which its address has', async () => {
    await page().getByLabel('Month', { exact: true }).fill(OCTOBER);
    await page().getByRole('button', { name: 'Show' }).click();
    await page().waitForURL(new RegExp(`month=${OCTOBER}`));
    await page().getByText(`October ${YEAR} is not over`).waitFor();
    await page().reload();
    await page()
      .getByRole('heading', { name: `Invoices issued in October ${YEAR}` })
      .waitFor();
    // 49.00 and 9.80 of tax.
    await row(/open.*58\.80.*9\.80.*10\.00.*48\.80/).waitFor();
    await row(/USD receivable 58\.80 USD 10\.00 USD/).waitFor();
    await row(/USD Total 68\.80 USD 68\.80 USD/).waitFor();
  });

  it('shows what is open, and leads to it', async () => {
    await settled();
    await row(/Drafts .* 1 Drafts 58\.80 USD/).waitFor();
    await row(/Overdue invoices .* 1 Overdue invoices 48\.80 USD/).waitFor();
    await row(/Stopped subscriptions .* 1 Stopped subscriptions –/).waitFor();
    await row(/Unrated events .* 2 Unrated events/).waitFor();
    await row(/Too late events .* 0/).waitFor();
    await assertFits(page(), 'month-end');
    await page().getByRole('link', { name: '1 Stopped' }).click();
    await page().getByText('no price').first().waitFor();
    await page().goBack();
    await row(/Stopped/).waitFor();
    await stop(null);
    await page().getByRole('link', { name: '1 Drafts' }).click();
    await page().getByRole('link', { name: 'no number' }).waitFor();
    assert.match(
      (await page().getByRole('link', { name: 'no number' }).getAttribute('href')) ?? '',
      new RegExp(draft.id),
    );
    await page().goBack();
    await page().getByRole('link', { name: '2 Unrated events' }).click();
    await page().getByRole('heading', { name: 'Events', level: 1 }).waitFor();
    await page().getByText('unknown').first().waitFor();
    await page().goBack();
  });

  it('has the files of the month', async () => {
    const FILES: [button: string, list: string, rows: number][] = [
      ['Invoices', 'invoices', 1],
      ['Line items', 'line-items', 2],
      ['Credit notes', 'credit-notes', 0],
      ['Payments', 'payments', 1],
      ['Credit ledger', 'credit-ledger', 0],
      ['Journal', 'journal', 5],
    ];
    for (const [button, list, count] of FILES) {
      const downloading = page().waitForEvent('download');
      await page().getByRole('button', { name: button, exact: true }).click();
      const file = await downloading;
      const rows: Json[] = parse(await text(await file.createReadStream()), { columns: true });
      assert.deepEqual([file.suggestedFilename(), rows.length], [`${list}-${OCTOBER}.csv`, count]);
    }
  });

  it('goes to the months beside it, also in the dark', async () => {
    await page()
      .getByRole('link', { name: `October ${YEAR} →` })
      .waitFor({ state: 'detached' });
    await page()
      .getByRole('link', { name: `September ${YEAR}` })
      .click();
    await page().getByText(`No invoice was issued in September ${YEAR}`).waitFor();
    await page()
      .getByRole('link', { name: `October ${YEAR} →` })
      .click();
    await row(/USD Total/).waitFor();
    await page().getByLabel('Theme').selectOption('dark theme');
    await settled();
    await assertFits(page(), 'month-end-dark');
  });

  it('is in view among the places on a phone', async () => {
    await page().setViewportSize({ width: WIDTHS.phone, height: 900 });
    await page().reload();
    await page().getByText('Total', { exact: true }).last().waitFor();
    const { x, width } = (await place().boundingBox())!;
    assert.ok(x >= 0 && x + width <= WIDTHS.phone, `from ${x}, ${width} wide`);
  });

  it('says that an address has no month', async () => {
    await visit('/month-end?mode=test&month=2026-13');
    await page().getByText('“2026-13” is not a month').waitFor();
  });

  it('no page contacted another host or logged an error', () => window.assertQuiet());
});
