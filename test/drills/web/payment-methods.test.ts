import assert from 'node:assert/strict';
import { collectionWorkflowIdOf } from '../../../workflows/messages.ts';
import type { Json } from '../../support/servers/api.ts';
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

  it('a payer makes another card the default in the portal, and removes the first one', async () => {
    const id = await customer({ name: 'Umbrella' }, null);
    await saveCard(id, '4242', 'succeeds');
    await saveCard(id, '1881', 'succeeds');
    const { url } = await done('/v1/portal-sessions', { customer_id: id });
    await page().goto(url.replace(/^.*\/portal/, `${stack().api_url}/portal`));
    const list = page().getByRole('region', { name: 'Payment methods, newest first' });
    await list.getByRole('button', { name: 'Make default Visa 1881' }).click();
    await list.getByRole('button', { name: 'Make default Visa 4242' }).waitFor();
    await loaded();
    await assertFits(page(), 'portal, payment methods');
    await list.getByRole('button', { name: 'Remove' }).last().click();
    await dialog().getByText('Remove Visa 4242?').waitFor();
    await dialog().getByRole('button', { name: 'Remove' }).click();
    await list.getByText('removed').waitFor();
    const methods = (await read(`/v1/payment-methods?customer_id=${id}`)).data;
    assert.deepEqual(
      methods.map(({ label, status, is_default }: Json) => [label, status, is_default]),
      [
        ['Visa 1881', 'active', true],
        ['Visa 4242', 'removed', false],
      ],
    );
  });

  it('Home says that the provider fails, and lists money that came twice until the balance is gone', async () => {
    const id = await customer({ name: 'Tyrell' }, null);
    await saveCard(id, '4242', 'succeeds');
    const invoice = await anOpenInvoice(id);
    stripe().down();
    await done(`/v1/invoices/${invoice}/charge`);
    await page().goto(`${stack().api_url}/?mode=test`);
    const failing = page().getByText('The payment provider refuses requests or does not answer.');
    await failing.waitFor();
    await loaded();
    await assertFits(page(), 'home, a provider that fails');
    stripe().up();
    let release = (): void => undefined;
    stripe().faultNext(/POST .*confirm$/, {
      until: new Promise<void>((resolve) => void (release = resolve)),
    });
    await stack().temporal.client.workflow.getHandle(collectionWorkflowIdOf(invoice)).signal('resume');
    await eventually(
      async () => stripe().chargesOf(invoice).length,
      (charges) => charges === 1,
    );
    await done(`/v1/invoices/${invoice}/pay`);
    release();
    await eventually(
      async () => (await read(`/v1/payment-attempts?invoice_id=${invoice}`)).data[0].status,
      (status) => status === 'succeeded',
    );
    await page().goto(`${stack().api_url}/?mode=test`);
    const list = page().getByRole('region', { name: 'Money of charges that went to the balance' });
    await list.getByText('49.00').waitFor();
    assert.equal(await failing.count(), 0);
    await loaded();
    await assertFits(page(), 'home, money that came twice');
    await done(`/v1/customers/${id}/balance-adjustments`, { amount: '-49.00', reason: 'Paid out' });
    await page().reload();
    await loaded();
    assert.equal(await list.count(), 0);
  });

  it('pages fit in the dark', async () => {
    const id = await customer({ name: 'Wayne' }, null);
    await saveCard(id, '4242', { declined: 'insufficient_funds' });
    const invoice = await anOpenInvoice(id);
    await done(`/v1/invoices/${invoice}/charge`);
    await done(`/v1/customers/${id}/pause-collection`, { reason: 'promised', note: 'Ada called' });
    await page().goto(`${stack().api_url}/?mode=test`);
    await page().getByLabel('Theme').selectOption('dark theme');
    for (const [path, name] of [
      ['/settings/payments', 'settings, payments, dark'],
      [`/invoices/${invoice}`, 'an invoice with charges of a paused customer, dark'],
      [`/customers/${id}`, 'a customer with a payment method, dark'],
    ] as const) {
      await page().goto(`${stack().api_url}${path}?mode=test`);
      await loaded();
      await assertFits(page(), name);
    }
    await page().goto(`${stack().api_url}/invoices/${invoice}?mode=test`);
    await page().getByText('Reminders and charges of the customer are paused.').waitFor();
  });
});
