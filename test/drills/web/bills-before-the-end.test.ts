import assert from 'node:assert/strict';
import { assertFits, signIn, useBrowser, type Window } from '../../support/servers/browser.ts';
import { useStack } from '../../support/servers/stack.ts';
import { at, PER_UNIT, requestsTo, testCustomersOn, times } from '../../support/ledger/test-customer.ts';

/** billing.md 15: a person sets the usage at which a period is billed before its end. */
describe('bills before the end in a browser', function () {
  const stack = useStack();
  const { advance, customer, plan, read, use } = testCustomersOn(requestsTo(stack));
  const openWindow = useBrowser();
  let window: Window;
  let customer_id: string;
  let subscription_id: string;
  const page = () => window.page;
  const button = (name: string) => page().getByRole('button', { name, exact: true });
  const dialog = () => page().getByRole('dialog');
  const visit = (path: string) => page().goto(`${stack().api_url}${path}?mode=test`);
  const billAt = async () => (await read(`/v1/subscriptions/${subscription_id}`)).bill_at;

  before(async () => {
    window = await openWindow();
    customer_id = await customer({ name: 'Acme' }, at('04-01'));
    await plan([{ ...PER_UNIT, unit_amount: '30' }], { name: 'Pro', key: 'pro' });
    await signIn(page(), stack());
  });

  it('a subscription begins with an amount, whose fault is at its field', async () => {
    await visit(`/customers/${customer_id}`);
    await button('Add a subscription').click();
    await dialog().getByLabel('Bill before the end').fill('0');
    await dialog().getByRole('button', { name: 'Subscribe' }).click();
    await dialog().locator('[name="bill_at"][aria-invalid="true"]').waitFor();
    await assertFits(page(), 'bill-at-new');
    await dialog().getByLabel('Bill before the end').fill('500');
    await dialog().getByRole('button', { name: 'Subscribe' }).click();
    await dialog().waitFor({ state: 'detached' });
    [{ id: subscription_id }] = (await read(`/v1/subscriptions?customer_id=${customer_id}`)).data;
    assert.equal(await billAt(), '500.00');
  });

  it('its page shows the amount, and another one is set', async () => {
    await visit(`/subscriptions/${subscription_id}`);
    await page().getByText('once usage comes to 500.00 USD').waitFor();
    await button('Bill before the end').click();
    assert.equal(await dialog().getByLabel('Usage in USD').inputValue(), '500.00');
    await dialog().getByLabel('Usage in USD').fill('90.005');
    await dialog().getByRole('button', { name: 'Save' }).click();
    await dialog().locator('[name="bill_at"][aria-invalid="true"]').waitFor();
    await assertFits(page(), 'bill-at-fault');
    await dialog().getByLabel('Usage in USD').fill('90');
    await dialog().getByRole('button', { name: 'Save' }).click();
    await page().getByText('once usage comes to 90.00 USD').waitFor();
    await assertFits(page(), 'bill-at-subscription');
  });

  it('usage that comes to it is billed, and the invoice says so', async () => {
    await use(customer_id, times(3, { timestamp: at('04-01') }));
    const [invoice] = await advance(customer_id, at('04-16'));
    assert.equal(invoice!.cause, 'threshold');
    await visit(`/invoices/${invoice!.id}`);
    await page().getByText('billed before the end').first().waitFor();
    await assertFits(page(), 'bill-at-invoice');
    await visit('/invoices');
    await page()
      .getByRole('row')
      .filter({ hasText: invoice!.number })
      .getByText('billed before the end')
      .waitFor();
  });

  it('it is taken away', async () => {
    await visit(`/subscriptions/${subscription_id}`);
    await button('Bill before the end').click();
    await dialog().getByLabel('Usage in USD').fill('');
    await dialog().getByRole('button', { name: 'Save' }).click();
    await dialog().waitFor({ state: 'detached' });
    await page().getByText('once usage comes to').waitFor({ state: 'detached' });
    assert.equal(await billAt(), null);
  });

  it('no page contacted another host or logged an error', () => window.assertQuiet());
});
