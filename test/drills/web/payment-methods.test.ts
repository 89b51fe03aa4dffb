import { assertFits, signIn, useBrowser, type Window } from '../../support/servers/browser.ts';
import { requestsTo, testCustomersOn } from '../../support/ledger/test-customer.ts';
import { eventually } from '../../support/servers/eventually.ts';
import { useStack } from '../../support/servers/stack.ts';
import { TEST_KEY } from '../../support/servers/stripe-stand-in.ts';
import { useStripe } from '../../support/servers/use-stripe.ts';

describe('payment methods in a browser', () => {
  const { settings, stripe } = useStripe();
  const stack = useStack(settings);
  const { customer, done, read } = testCustomersOn(requestsTo(stack));
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

  it('the portal shows them beside a button that saves one', async () => {
    const id = await customer({ name: 'Globex' }, null);
    const { url } = await done('/v1/portal-sessions', { customer_id: id });
    await page().goto(url.replace(/^.*\/portal/, `${stack().api_url}/portal`));
    await page().getByRole('button', { name: 'Save a card' }).waitFor();
    await page().getByText('You have saved none').waitFor();
  });
});
