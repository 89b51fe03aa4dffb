import assert from 'node:assert/strict';
import { takePicture, useBrowser, type Window, signIn } from '../../support/servers/browser.ts';
import { eventually } from '../../support/servers/eventually.ts';
import { useStack } from '../../support/servers/stack.ts';
import { requestsTo, testCustomersOn } from '../../support/ledger/test-customer.ts';

describe('the redaction of a customer on its page', () => {
  const stack = useStack();
  const { customer, read, use, plan, subscribe } = testCustomersOn(requestsTo(stack));
  const openWindow = useBrowser();
  let window: Window;
  const page = () => window.page;
  before(async () => {
    window = await openWindow();
    await signIn(page(), stack());
  });

  async function ask(customer_id: string) {
    await page().goto(`${stack().api_url}/customers/${customer_id}?mode=test`);
    await page().getByRole('button', { name: 'Redact customer' }).click();
    return page().getByRole('dialog', { name: 'Redact Ada?' });
  }

  it('asks first, says what stays, and then shows the blank customer; the worker removes the property', async () => {
    const customer_id = await customer({ name: 'Ada', email: 'ada@example.org' }, null);
    await use(customer_id, [{ properties: { email: 'ada@example.org', size: 1 } }]);
    const dialog = await ask(customer_id);
    await dialog.getByText('issued invoices and credit notes with their copy').waitFor();
    await takePicture(page(), 'redact-customer');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    assert.equal((await read(`/v1/customers/${customer_id}`)).name, 'Ada');
    const again = await ask(customer_id);
    await again.getByLabel('Properties of events').fill('email\n');
    await again.getByRole('button', { name: 'Redact customer' }).click();
    await page().getByRole('heading', { name: customer_id, level: 1 }).waitFor();
    await page().getByText('Removed from events').waitFor();
    const { name, email, redaction } = await eventually(
      () => read(`/v1/customers/${customer_id}`),
      (found) => found.redaction.events === 'done',
    );
    assert.deepEqual([name, email, redaction.properties], [null, null, ['email']]);
    const { data } = await read(`/v1/events?customer_id=${customer_id}`);
    assert.deepEqual(data[0].properties, { size: 1 });
  });

  it('shows which property a charge reads', async () => {
    const customer_id = await customer({ name: 'Ada' }, null);
    const charge = { event_name: 'api_call', pricing_model: 'per_unit', unit_amount: '1' };
    await subscribe(customer_id, await plan([{ ...charge, filters: { region: ['eu'] } }]));
    const dialog = await ask(customer_id);
    await dialog.getByLabel('Properties of events').fill('region');
    await dialog.getByRole('button', { name: 'Redact customer' }).click();
    await dialog.getByText('a charge of the customer reads the property region').waitFor();
    await takePicture(page(), 'redact-customer-refused');
    assert.equal((await read(`/v1/customers/${customer_id}`)).name, 'Ada');
  });
});
