import assert from 'node:assert/strict';
import { assertFits, signIn, useBrowser, WIDTHS, type Window } from '../../support/servers/browser.ts';
import { useStack } from '../../support/servers/stack.ts';
import { at, FLAT, requestsTo, testCustomersOn } from '../../support/ledger/test-customer.ts';

const MONTH = at('02-01').slice(0, 7);

describe('the numbers of the bookkeeper in a browser', () => {
  const stack = useStack();
  const request = requestsTo(stack);
  const { advance, customer, plan, read, subscribe } = testCustomersOn(request);
  const openWindow = useBrowser();
  let window: Window;
  const page = () => window.page;
  const visit = (path: string) => page().goto(stack().api_url + path);
  const button = (name: string) => page().getByRole('button', { name, exact: true });
  const row = (number: number) => page().getByRole('group', { name: `Number ${number}`, exact: true });
  const update = () => button('Update bookkeeping').click();

  before(async () => {
    await request('/v1/account', { method: 'PATCH', body: { currency: 'EUR' } });
    const customer_id = await customer({ tax_rate: '19', name: 'Ocean', currency: 'EUR' });
    await subscribe(customer_id, await plan([FLAT], { currency: 'EUR' }));
    await advance(customer_id, at('02-01'));
    window = await openWindow();
    await signIn(page(), stack());
  });

  it('offer no file for DATEV without its settings', async () => {
    await visit(`/month-end?mode=test&month=${MONTH}`);
    await page().getByRole('cell', { name: 'tax payable' }).waitFor();
    await button('Journal').waitFor();
    assert.equal(await button('DATEV').count(), 0);
  });

  it('are entered in the settings, and a wrong one is named at its field', async () => {
    await visit('/settings/account?mode=test');
    await button('Add a number').click();
    await row(1).getByLabel('Account').selectOption('revenue');
    await row(1).getByLabel('Number').fill('8400');
    await row(1).getByLabel('At a tax rate of').fill('119');
    await row(1).getByLabel('Tax key of DATEV').fill('3');
    await page().getByLabel('Consultant number').fill('29098');
    await page().getByLabel('Client number').fill('55003');
    await page().getByLabel('First day of the fiscal year').fill('01-01');
    await page().getByLabel('Digits of account numbers').fill('4');
    await update();
    await page().getByText('Correct the marked fields').waitFor();
    assert.equal(await row(1).getByLabel('At a tax rate of').getAttribute('aria-invalid'), 'true');
    await row(1).getByLabel('At a tax rate of').fill('19');
    await update();
    await page().getByText('Updated.').waitFor();
    await assertFits(page(), 'bookkeeping');
    const { account_numbers, datev } = await read('/v1/account');
    assert.deepEqual(account_numbers, [
      { account: 'revenue', tax_treatment: null, tax_rate: '19', number: '8400', tax_key: '3' },
    ]);
    assert.deepEqual(datev, {
      ...{ consultant: 29098, client: 55003, fiscal_year_start: '01-01', account_length: 4 },
    });
  });

  it('say at the month end what a file for DATEV lacks, a sentence for each', async () => {
    await visit(`/month-end?mode=test&month=${MONTH}`);
    await button('DATEV').click();
    await page().getByText('Receivable has no account number.').waitFor();
    await assertFits(page(), 'month-end-lacks');
    await page().getByRole('link', { name: 'settings of the account' }).click();
    await button('Add a number').click();
    await row(2).getByLabel('Number').fill('10000');
    assert.equal(await row(2).getByLabel('Tax key of DATEV').count(), 0);
    await update();
    await page().getByText('Updated.').waitFor();
  });

  it('make the file of the month, also in the dark and on a phone', async () => {
    await visit(`/month-end?mode=test&month=${MONTH}`);
    await page().getByLabel('Theme').selectOption('dark theme');
    const downloading = page().waitForEvent('download');
    await button('DATEV').click();
    assert.equal((await downloading).suggestedFilename(), `EXTF_${MONTH}_EUR.csv`);
    await page().setViewportSize({ width: WIDTHS.phone, height: 900 });
    await visit('/settings/account?mode=test');
    await row(2).waitFor();
    await assertFits(page(), 'bookkeeping-dark');
    await button('Remove number 1').click();
    await update();
    await page().getByText('Updated.').waitFor();
    assert.equal((await read('/v1/account')).account_numbers.length, 1);
  });

  it('no page contacted another host or logged an error', () => window.assertQuiet());
});
