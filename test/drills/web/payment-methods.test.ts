import assert from 'node:assert/strict';
import { assertFits, signIn, useBrowser, type Window } from '../../support/servers/browser.ts';
import { savedCardsOn } from '../../support/ledger/saved-cards.ts';
import { requestsTo, testCustomersOn } from '../../support/ledger/test-customer.ts';
import { eventually } from '../../support/servers/eventually.ts';
import { useStack } from '../../support/servers/stack.ts';
import { TEST_KEY } from '../../support/servers/stripe-stand-in.ts';
import { useStripe } from '../../support/servers/use-stripe.ts';

describe('payment methods in a browser', () => {
  const { settings, stripe } = useStripe();
  const stack = useStack(settings);
  const customers = testCustomersOn(requestsTo(stack));
  const { customer, done, read } = customers;
  const { saveCard, anOpenInvoice } = savedCardsOn(customers, { stack, stripe });
  const openWindow = useBrowser();
  let window: Window;
  const page = () => window.page;
  const dialog = () => page().getByRole('dialog');
  const loaded = () => page().waitForLoadState('networkidle');

  before(async () => {
    window = await openWindow();
    await signIn(page(), stack());
  });

  it('Settings, Payments connects an account, and says what is wrong with a key', async () => {
    await page().goto(`${stack().api_url}/settings/payments?mode=test`);
    await page().getByRole('button', { name: 'Connect Stripe' }).click();
    await dialog().getByLabel('Secret key').fill('sk_test_of_nobody');
    await dialog().getByRole('button', { name: 'Connect', exact: true }).click();
    await dialog()
      .getByText(/is refused: Invalid API Key/)
      .waitFor();
    await dialog().getByLabel('Secret key').fill(TEST_KEY);
    await dialog().getByRole('button', { name: 'Connect', exact: true }).click();
    await page().getByText('ends with 0000').waitFor();
    await loaded();
    await assertFits(page(), 'settings, payments');
  });

  it('Settings, Payments saves when invoices are charged, and says which day is wrong', async () => {
    await page().goto(`${stack().api_url}/settings/payments?mode=test`);
    const save = page().getByRole('button', { name: 'Save', exact: true });
    await page().getByLabel('Tried again after days').fill('3, 7, 7');
    await save.click();
    await page().getByText('Day 3 must be above 7').waitFor();
    await page().getByLabel('Tried again after days').fill('2, 4');
    await page().getByLabel('First charge').selectOption('On the due date');
    await save.click();
    await page().getByText('Saved.').first().waitFor();
    const { charge_mode, charge_on, charge_retry_days } = await read('/v1/account');
    assert.deepEqual([charge_mode, charge_on, charge_retry_days], ['manual', 'due_date', [2, 4]]);
  });

  it('a customer has its methods, of which a person removes one', async () => {
    const id = await customer({ name: 'Acme' }, null);
    stripe().completePage((await done(`/v1/customers/${id}/payment-method-sessions`)).url);
    await stack().pool.query('update payment_pages set next_read_at = now()');
    await eventually(
      async () => (await read(`/v1/payment-methods?customer_id=${id}`)).data,
      ({ length }) => length === 1,
    );
    await page().goto(`${stack().api_url}/customers/${id}?mode=test`);
    const list = page().getByRole('region', { name: 'Payment methods, newest first' });
    await list.getByText('Visa 4242').waitFor();
    await loaded();
    await assertFits(page(), 'a customer with a payment method');
    await list.getByRole('button', { name: 'Remove' }).click();
    await dialog().getByRole('button', { name: 'Remove' }).click();
    await list.getByText('removed').waitFor();
  });

  it('an invoice is charged to the default card, which is declined, and then to another one', async () => {
    const id = await customer({ name: 'Initech' }, null);
    await saveCard(id, '0002', { declined: 'insufficient_funds' });
    await saveCard(id, '1881', 'succeeds');
    await page().goto(`${stack().api_url}/invoices/${await anOpenInvoice(id)}?mode=test`);
    const charge = page().getByRole('button', { name: 'Charge', exact: true });
    await charge.click();
    const method = dialog().getByLabel('Payment method');
    await method.waitFor();
    assert.deepEqual(await method.locator('option').allInnerTexts(), ['Visa 0002 (default)', 'Visa 1881']);
    await dialog().getByText('49.00 USD are charged').waitFor();
    await assertFits(page(), 'the dialog of a charge');
    await dialog().getByRole('button', { name: 'Charge' }).click();
    await dialog().getByText('declined, and nothing was taken: insufficient funds').waitFor();
    await dialog().getByRole('button', { name: 'Close' }).click();
    const list = page().getByRole('region', { name: 'Charges of this invoice' });
    await list.getByText('insufficient funds').waitFor();
    await charge.click();
    await method.selectOption('Visa 1881');
    await dialog().getByRole('button', { name: 'Charge' }).click();
    await dialog().getByText('the charge succeeded').waitFor();
    await dialog().getByRole('button', { name: 'Close' }).click();
    await list.getByText('succeeded').waitFor();
    await page().getByRole('region', { name: 'Payments of this invoice' }).waitFor();
    await charge.waitFor({ state: 'detached' });
    await loaded();
    await assertFits(page(), 'an invoice with charges');
  });

  it('the dialog of a charge says why it cannot be', async () => {
    const id = await customer({ name: 'Hooli' }, null);
    const invoice = await anOpenInvoice(id);
    const open = async () => {
      await page().goto(`${stack().api_url}/invoices/${invoice}?mode=test`);
      await page().getByRole('button', { name: 'Charge', exact: true }).click();
    };
    await open();
    await dialog().getByText('The customer has no method that can be charged').waitFor();
    await saveCard(id, '4242', 'succeeds');
    await open();
    await dialog().getByLabel('Payment method').waitFor();
    await done(`/v1/invoices/${invoice}/pause-collection`, { reason: 'disputed' });
    await dialog().getByRole('button', { name: 'Charge' }).click();
    await dialog().getByText('Resume them first').waitFor();
  });

  it('the portal shows them beside a button that saves one', async () => {
    const id = await customer({ name: 'Globex' }, null);
    const { url } = await done('/v1/portal-sessions', { customer_id: id });
    await page().goto(url.replace(/^.*\/portal/, `${stack().api_url}/portal`));
    await page().getByRole('button', { name: 'Save a card' }).waitFor();
    await page().getByText('You have saved none').waitFor();
  });
});
