import assert from 'node:assert/strict';
import { assertFits, signIn, useBrowser, type Window } from '../../support/servers/browser.ts';
import { useStack } from '../../support/servers/stack.ts';
import { at, requestsTo, testCustomersOn } from '../../support/ledger/test-customer.ts';

/** billing.md 14: a fee for each seat of a subscription. */
describe('quantities in a browser', function () {
  const stack = useStack();
  const { advance, customer, done, read } = testCustomersOn(requestsTo(stack));
  const openWindow = useBrowser();
  let window: Window;
  let customer_id: string;
  let subscription_id: string;
  const page = () => window.page;
  const button = (name: string) => page().getByRole('button', { name, exact: true });
  const dialog = () => page().getByRole('dialog');
  const visit = (path: string) => page().goto(`${stack().api_url}${path}?mode=test`);
  const rows = () => page().getByRole('region', { name: 'Quantities' }).getByRole('row');
  const opened = async (words: string) => {
    await page().locator('summary', { hasText: words }).first().click();
    return page().locator('details[open]').filter({ hasText: words });
  };

  before(async () => {
    window = await openWindow();
    customer_id = await customer({ name: 'Acme' }, at('04-01'));
    await signIn(page(), stack());
  });

  it('a plan is written with an amount for each seat', async () => {
    await visit('/plans/new');
    await page().getByLabel('Name', { exact: true }).fill('Team');
    await page().getByLabel('Event name').fill('seat');
    await page().getByLabel('Name on the invoice').fill('Seats');
    await page().getByLabel('Model').selectOption({ label: 'Flat' });
    await page().getByLabel('Amount per period').fill('8');
    await page()
      .getByLabel('Multiplied by')
      .selectOption('the quantity of the subscription, such as its seats');
    await button('Create plan').click();
    await page().getByRole('heading', { name: 'Team', level: 1 }).waitFor();
    await page().getByText('such as its seats').waitFor();
    await assertFits(page(), 'seats-plan');
  });

  it('a subscription begins with some, whose fault is at their field', async () => {
    await visit(`/customers/${customer_id}`);
    await button('Add a subscription').click();
    await dialog().getByLabel('Quantity of Seats').fill('-1');
    await dialog().getByRole('button', { name: 'Subscribe' }).click();
    await dialog().locator('[name="quantities.seat"][aria-invalid="true"]').waitFor();
    await assertFits(page(), 'seats-new');
    await dialog().getByLabel('Quantity of Seats').fill('10');
    await dialog().getByRole('button', { name: 'Subscribe' }).click();
    await dialog().waitFor({ state: 'detached' });
    [{ id: subscription_id }] = (await read(`/v1/subscriptions?customer_id=${customer_id}`)).data;
    await visit(`/subscriptions/${subscription_id}`);
    await rows().filter({ hasText: 'Seats' }).getByText('10').waitFor();
  });

  it('more are previewed and scheduled, and taken back', async () => {
    await button('Change quantity').click();
    await dialog().getByRole('button', { name: 'Preview' }).click();
    await dialog().getByText('Enter another quantity').waitFor();
    await dialog().getByLabel('Quantity of Seats').fill('15');
    await dialog().getByLabel('From').selectOption('a day');
    await dialog().getByLabel('Day').fill(at('04-16').slice(0, 10));
    await dialog().getByRole('button', { name: 'Preview' }).click();
    await dialog().getByText('100.00').first().waitFor();
    await assertFits(page(), 'seats-preview');
    await page().emulateMedia({ colorScheme: 'dark' });
    await assertFits(page(), 'seats-preview-dark');
    await page().emulateMedia({ colorScheme: 'light' });
    await dialog().getByRole('button', { name: 'Change quantity' }).click();
    await rows()
      .filter({ hasText: at('04-16').slice(0, 10) })
      .getByText('15')
      .waitFor();
    await assertFits(page(), 'seats-scheduled');
    await button('Take back').click();
    await dialog().getByRole('button', { name: 'Take back' }).click();
    await rows().filter({ hasText: '15' }).waitFor({ state: 'detached' });
    assert.deepEqual((await read(`/v1/subscriptions/${subscription_id}`)).pending_quantities, []);
  });

  it('the invoice says the time of each quantity', async () => {
    const quantities = { seat: '15' };
    await done(`/v1/subscriptions/${subscription_id}/quantities`, { quantities, at: at('04-16') });
    const [invoice] = await advance(customer_id, at('05-01'));
    assert.equal(invoice!.subtotal, '100.00');
    await visit(`/invoices/${invoice!.id}`);
    const line = await opened('Seats');
    await line.getByText('40.00 + 60.00 = 100.00').waitFor();
    await assertFits(page(), 'seats-invoice');
    await page().emulateMedia({ colorScheme: 'dark' });
    await assertFits(page(), 'seats-invoice-dark');
    await page().emulateMedia({ colorScheme: 'light' });
  });

  it('no page contacted another host or logged an error', () => window.assertQuiet());
});
