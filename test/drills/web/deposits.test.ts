import assert from 'node:assert/strict';
import {
  seriousFaults,
  takePicture,
  useBrowser,
  type Window,
  signIn,
} from '../../support/servers/browser.ts';
import { useStack } from '../../support/servers/stack.ts';
import { requestsTo, testCustomersOn } from '../../support/ledger/test-customer.ts';

describe('payments in advance in a browser', () => {
  const stack = useStack();
  const { customer, read } = testCustomersOn(requestsTo(stack));
  const openWindow = useBrowser();
  let window: Window;
  let customer_id: string;
  const page = () => window.page;
  const button = (name: string) => page().getByRole('button', { name, exact: true });
  const dialog = () => page().getByRole('dialog');
  const visit = (path: string) => page().goto(`${stack().api_url}${path}?mode=test`);
  const balance = async () => (await read(`/v1/customers/${customer_id}`)).balance;

  before(async function () {
    window = await openWindow();
    customer_id = await customer({ name: 'Acme' });
    await signIn(page(), stack());
  });

  it('are recorded on the customer, again only by choice, and reversed', async () => {
    const payments = page().getByRole('region', { name: 'Payments, newest first' });
    const record = async () => {
      await button('Record a payment').click();
      await dialog().getByLabel('Amount in USD').fill('100');
      await dialog().getByLabel('Reference').fill('transfer 9');
      await dialog().getByRole('button', { name: 'Record a payment' }).click();
    };
    await visit(`/customers/${customer_id}`);
    await record();
    await payments.getByText('transfer 9').waitFor();
    assert.equal(await balance(), '100.00');
    await record();
    await dialog().getByText('reference, amount and day are those of payment pay_').waitFor();
    await takePicture(page(), 'duplicate-payment');
    await dialog().getByLabel('Record it all the same').check();
    await dialog().getByRole('button', { name: 'Record a payment' }).click();
    await payments.getByText('transfer 9').nth(1).waitFor();
    assert.equal(await balance(), '200.00');
    for (const [reason, left] of [
      ['bounced at first', '100.00'],
      ['bounced again', '0.00'],
    ] as const) {
      await payments
        .getByRole('row', { name: 'transfer 9' })
        .getByRole('button', { name: 'Reverse' })
        .first()
        .click();
      await dialog().getByLabel('Reason').fill(reason);
      await dialog().getByRole('button', { name: 'Reverse payment' }).click();
      await payments.getByText(reason).waitFor();
      assert.equal(await balance(), left);
    }
    await page().getByText('Reversal of a payment in advance').first().waitFor();
  });

  it('are found on the page of their customer', async () => {
    await page().goto(`${stack().api_url}/search?mode=test&q=${encodeURIComponent('transfer 9')}`);
    await page().getByRole('link', { name: 'transfer 9' }).first().click();
    await page().getByRole('heading', { name: 'Acme', level: 1 }).waitFor();
    await page().waitForLoadState('networkidle');
    await takePicture(page(), 'customer-payments');
    assert.deepEqual(await seriousFaults(page()), []);
  });

  it('no page contacted another host or logged an error', () => window.assertQuiet());
});
