import assert from 'node:assert/strict';
import {
  seriousFaults,
  takePicture,
  useBrowser,
  type Window,
  signIn,
} from '../../support/servers/browser.ts';
import { useStack } from '../../support/servers/stack.ts';
import { at, FLAT, requestsTo, testCustomersOn } from '../../support/ledger/test-customer.ts';

describe('invoice items in a browser', function () {
  const stack = useStack();
  const { advance, customer, done, plan, read, subscribe } = testCustomersOn(requestsTo(stack));
  const openWindow = useBrowser();
  let window: Window;
  let customer_id: string;
  const page = () => window.page;
  const button = (name: string) => page().getByRole('button', { name, exact: true });
  const dialog = () => page().getByRole('dialog');
  const visit = (path: string) => page().goto(`${stack().api_url}${path}?mode=test`);
  const rowOf = (name: string) =>
    page().getByRole('region', { name: 'Invoice items' }).getByRole('row', { name });

  async function add(fields: Readonly<Record<string, string>>): Promise<void> {
    await button('Add item').click();
    for (const [label, text] of Object.entries(fields)) await dialog().getByLabel(label).fill(text);
    await dialog().getByRole('button', { name: 'Add item' }).click();
  }

  before(async () => {
    window = await openWindow();
    customer_id = await customer({ name: 'Acme', tax_rate: '20' });
    await subscribe(customer_id, await plan([FLAT]));
    await signIn(page(), stack());
  });

  it('are added, named where they are wrong, and deleted', async () => {
    await visit(`/customers/${customer_id}`);
    await page().getByText('No invoice items').waitFor();
    await add({ Description: 'Import, per hour', Quantity: '2.5', 'Unit amount in USD': 'eighty' });
    await dialog().getByText('must be a decimal').first().waitFor();
    await takePicture(page(), 'item-fault');
    await dialog().getByLabel('Unit amount in USD').fill('80');
    await dialog().getByRole('button', { name: 'Add item' }).click();
    await rowOf('Import, per hour').getByText('200.00 USD').waitFor();
    await add({ Description: 'By mistake', 'Unit amount in USD': '-7' });
    await rowOf('By mistake').getByText('-7.00 USD').waitFor();
    await takePicture(page(), 'items');
    assert.deepEqual(await seriousFaults(page()), []);
    await rowOf('By mistake').getByRole('button', { name: 'Delete' }).click();
    await dialog().getByRole('button', { name: 'Delete' }).click();
    await rowOf('By mistake').waitFor({ state: 'detached' });
  });

  it('stand on the invoice with quantity times unit amount', async () => {
    await advance(customer_id, at('02-01'));
    const { data } = await read(`/v1/invoices?customer_id=${customer_id}`);
    await visit(`/customers/${customer_id}`);
    await rowOf('Import, per hour').getByRole('link', { name: data[0].number }).click();
    await page().getByRole('heading', { name: data[0].number, level: 1 }).waitFor();
    await page().getByText('Import, per hour').click();
    await page().getByText('2.5 × 80 = 200.00').waitFor();
    await takePicture(page(), 'item-line');
    assert.equal(data[0].total, '298.80');
  });

  it('that no invoice follows for are on Home and on the page of the customer', async () => {
    const id = await customer({ name: 'Former' });
    const { id: subscription_id } = await subscribe(id, await plan([FLAT]));
    await advance(id, at('01-20'));
    await done(`/v1/subscriptions/${subscription_id}/cancel`, { at: 'now' });
    // Until January is billed, which takes an item as far as it fits.
    await advance(id, at('01-21'));
    const item = { customer_id: id, subscription_id, description: 'Goodwill', unit_amount: '-80' };
    await done('/v1/invoice-items', item);
    await advance(id, at('02-24'));
    await visit('/');
    const row = page()
      .getByRole('region', { name: 'Invoice items that no invoice follows for' })
      .getByRole('row');
    await row.getByText('-80.00 USD').waitFor();
    await takePicture(page(), 'items-without-invoice');
    assert.deepEqual(await seriousFaults(page()), []);
    await row.getByRole('link', { name: 'Former' }).click();
    await rowOf('Goodwill').getByText('no invoice follows').waitFor();
    await rowOf('Goodwill').getByRole('button', { name: 'Delete' }).click();
    await dialog().getByRole('button', { name: 'Delete' }).click();
    await rowOf('Goodwill').waitFor({ state: 'detached' });
    await visit('/');
    await page().getByRole('heading', { name: 'Home', level: 1 }).waitFor();
    await row.first().waitFor({ state: 'detached' });
  });
});
