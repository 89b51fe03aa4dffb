import assert from 'node:assert/strict';
import { takePicture, useBrowser, type Window, signIn } from '../../support/servers/browser.ts';
import { useStack } from '../../support/servers/stack.ts';
import { requestsTo, testCustomersOn } from '../../support/ledger/test-customer.ts';

describe('the deletion of a customer on its page', () => {
  const stack = useStack();
  const { customer, get, use } = testCustomersOn(requestsTo(stack));
  const openWindow = useBrowser();
  let window: Window;
  const page = () => window.page;
  before(async () => {
    window = await openWindow();
    await signIn(page(), stack());
  });

  async function ask(customer_id: string) {
    await page().goto(`${stack().api_url}/customers/${customer_id}?mode=test`);
    await page().getByRole('button', { name: 'Delete customer' }).click();
    return page().getByRole('dialog', { name: `Delete ${customer_id}?` });
  }

  it('asks first, and then shows the list without the customer', async () => {
    const customer_id = await customer({}, null);
    const dialog = await ask(customer_id);
    await takePicture(page(), 'delete-customer');
    await dialog.getByRole('button', { name: 'Leave it' }).click();
    assert.equal((await get(`/v1/customers/${customer_id}`)).status, 200);
    await (await ask(customer_id)).getByRole('button', { name: 'Delete customer' }).click();
    await page().getByRole('heading', { name: 'Customers', level: 1 }).waitFor();
    assert.equal((await get(`/v1/customers/${customer_id}`)).status, 404);
  });

  it('shows what stands in the way', async () => {
    const customer_id = await customer({}, null);
    await use(customer_id, [{}]);
    const dialog = await ask(customer_id);
    await dialog.getByRole('button', { name: 'Delete customer' }).click();
    await dialog.getByText('a customer in use cannot be deleted').waitFor();
    await dialog.getByText('the customer has events').waitFor();
    await takePicture(page(), 'delete-customer-refused');
    assert.equal((await get(`/v1/customers/${customer_id}`)).status, 200);
  });
});
