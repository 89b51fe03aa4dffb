import assert from 'node:assert/strict';
import {
  assertFits,
  seriousFaults,
  takePicture,
  useBrowser,
  type Window,
  signIn,
} from '../../support/servers/browser.ts';
import { aReceiver, type Receiver } from '../../support/servers/receiver.ts';
import { useStack } from '../../support/servers/stack.ts';
import { requestsTo, testCustomersOn } from '../../support/ledger/test-customer.ts';

describe('webhooks and changes in a browser', function () {
  const stack = useStack();
  const { customer } = testCustomersOn(requestsTo(stack));
  const openWindow = useBrowser();
  let window: Window;
  let receiver: Receiver;
  const page = () => window.page;
  const button = (name: string) => page().getByRole('button', { name, exact: true });
  const dialog = () => page().getByRole('dialog');
  const visit = (path: string) => page().goto(`${stack().api_url}${path}?mode=test`);

  before(async () => {
    window = await openWindow();
    receiver = await aReceiver();
    await signIn(page(), stack());
  });

  it('an endpoint is added with its secret, named where it is wrong, and tested', async () => {
    await visit('/settings/webhooks');
    await page().getByText('No endpoints yet').waitFor();
    await button('Add an endpoint').click();
    await dialog().getByLabel('Address').fill('https://10.0.0.1');
    await dialog().getByLabel('Types').fill('customer.*');
    await dialog().getByRole('button', { name: 'Add endpoint' }).click();
    await dialog().getByText('must not lead to 10.0.0.1').first().waitFor();
    await dialog().getByLabel('Address').fill(receiver.url);
    await dialog().getByRole('button', { name: 'Add endpoint' }).click();
    await dialog()
      .getByText(/^whsec_/)
      .waitFor();
    await takePicture(page(), 'webhook-secret');
    await button('I have copied the secret').click();
    await page().getByRole('link', { name: receiver.url }).click();
    await page().getByRole('heading', { name: 'Webhook endpoint', level: 1 }).waitFor();
    await button('Send a test').click();
    await page().getByText('The answer is 200.').waitFor();
    assert.deepEqual(await seriousFaults(page()), []);
  });

  it('a delivery that fails is skipped, and one that arrived is sent again', async () => {
    receiver.answer(500);
    await customer({ name: 'Acme' });
    const row = page().getByRole('row', { name: 'customer.created' });
    await page().getByText('failing', { exact: true }).first().waitFor();
    await button('Refresh').click();
    await row.getByRole('button', { name: 'Skip' }).click();
    await takePicture(page(), 'webhook-failing');
    await dialog().getByRole('button', { name: 'Skip' }).click();
    await row.getByText('skipped').waitFor();
    receiver.answer(200);
    await row.getByRole('button', { name: 'Send again' }).click();
    await row.getByText('delivered').waitFor();
    await takePicture(page(), 'webhook-deliveries');
    await page().setViewportSize({ width: 1280, height: 900 });
    const table = page().getByRole('region', { name: 'Deliveries, newest first' });
    const overflow = await table.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
    assert.equal(overflow, 0);
    await row.getByRole('link', { name: 'Acme' }).waitFor();
    for (const time of await table.locator('time').allInnerTexts())
      assert.match(time, /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC$/);
    assert.deepEqual(await seriousFaults(page()), []);
  });

  it('a delivery opens: what was sent, and what came back to each try at its time', async () => {
    const row = page().getByRole('row', { name: 'customer.created' });
    await row.getByRole('link').first().click();
    await page()
      .getByRole('heading', { name: /^Delivery of change \d+$/, level: 1 })
      .waitFor();
    const last = receiver.posted.at(-1)!;
    await page().getByText(last.body, { exact: true }).waitFor();
    await page().getByText(`webhook-signature: ${last.headers['webhook-signature']}`).waitFor();
    await page()
      .getByText(/^200 received$/)
      .waitFor();
    await page()
      .getByText(/^1\. .* UTC: 500$/)
      .click();
    await page()
      .getByText(/^500 received$/)
      .waitFor();
    await assertFits(page(), 'webhook-delivery');
    await page().emulateMedia({ colorScheme: 'dark' });
    await assertFits(page(), 'webhook-delivery-dark');
    await page().emulateMedia({ colorScheme: 'light' });
    await page().getByRole('link', { name: receiver.url }).click();
    await page().getByRole('heading', { name: 'Webhook endpoint', level: 1 }).waitFor();
  });

  it('an endpoint is paused, resumed, edited and deleted', async () => {
    await button('Pause').click();
    await button('Resume').click();
    await button('Pause').waitFor();
    await button('Edit').click();
    await dialog().getByLabel('Description').fill('The shop');
    await dialog().getByRole('button', { name: 'Save' }).click();
    await page().getByText('The shop').waitFor();
    await button('Delete').click();
    await dialog().getByRole('button', { name: 'Delete' }).click();
    await page().getByText('No endpoints yet').waitFor();
  });

  it('changes appear as they come, by type, and on the page of their object', async () => {
    await visit('/changes');
    await page().getByRole('row', { name: 'webhook_endpoint.deleted' }).waitFor();
    const id = await customer({ name: 'Later' });
    await page().getByRole('row', { name: 'Later' }).getByText('customer.created').waitFor();
    await takePicture(page(), 'changes');
    await page().getByLabel('Types').fill('invoice.*');
    await button('Filter').click();
    await page().getByText('No changes').waitFor();
    await visit(`/customers/${id}`);
    await page().getByText('History').click();
    await page()
      .getByRole('region', { name: 'History, newest first' })
      .getByText('Customer created')
      .waitFor();
    assert.deepEqual(await seriousFaults(page()), []);
  });
});
