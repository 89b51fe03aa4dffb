import assert from 'node:assert/strict';
import { takePicture, useBrowser, type Window, signIn } from '../../support/servers/browser.ts';
import { useStack } from '../../support/servers/stack.ts';
import { at, FLAT, requestsTo, testCustomersOn } from '../../support/ledger/test-customer.ts';

/** contract.md 3: a person sees the last invoice, cancels, takes that back, and moves a trial. */
describe('the end of a subscription in the dashboard', () => {
  const stack = useStack();
  const { advance, customer, plan, read, subscribe } = testCustomersOn(requestsTo(stack));
  const openWindow = useBrowser();
  let window: Window;
  let subscription_id: string;
  let customer_id: string;
  const page = () => window.page;
  const stored = () => read(`/v1/subscriptions/${subscription_id}`);
  const dialog = () => page().getByRole('dialog');
  const press = (name: string) => dialog().getByRole('button', { name, exact: true }).click();
  const open = (name: string) => page().getByRole('button', { name, exact: true }).click();
  const closed = () => dialog().waitFor({ state: 'hidden' });
  before(async () => {
    window = await openWindow();
    customer_id = await customer({}, at('04-01'));
    ({ id: subscription_id } = await subscribe(customer_id, await plan([FLAT]), {
      trial_end_date: at('04-11'),
    }));
    await signIn(page(), stack());
    await page().goto(`${stack().api_url}/subscriptions/${subscription_id}?mode=test`);
  });

  it('moves the end of a trial, with the fault at the field of the day', async () => {
    await open('Change trial');
    await dialog().getByLabel('Day').fill(at('03-01').slice(0, 10));
    await press('Change trial');
    await dialog()
      .getByText(/must be after the start date/)
      .waitFor();
    await dialog().getByLabel('Day').fill(at('04-06').slice(0, 10));
    await takePicture(page(), 'change-trial');
    await press('Change trial');
    await closed();
    assert.equal((await stored())['trial_end_date'], at('04-06'));
    await open('Change trial');
    await dialog().getByLabel('The trial ends', { exact: true }).selectOption('now');
    await dialog().getByRole('button', { name: 'Cancel' }).click();
    await closed();
  });

  it('shows the last invoice before it cancels for a day', async () => {
    await advance(customer_id, at('04-06'));
    await page().reload();
    await open('Cancel subscription');
    await dialog().getByLabel('Ends at', { exact: true }).selectOption('a day');
    await dialog().getByLabel('Day').fill(at('04-21').slice(0, 10));
    await press('Preview');
    // 15 of 30 days.
    for (const text of ['The last invoice', '24.50']) await dialog().getByText(text).first().waitFor();
    assert.equal((await stored())['cancel_at'], null);
    await takePicture(page(), 'cancel-subscription');
    await press('Cancel subscription');
    await closed();
    await page().getByText('The subscription ends with a last invoice').waitFor();
    assert.equal((await stored())['cancel_at'], at('04-21'));
  });

  it('takes the cancellation back', async () => {
    await open('Take back the cancellation');
    await press('Take back the cancellation');
    await closed();
    await page().getByText('The current period ends and is billed').waitFor();
    assert.equal((await stored())['cancel_at'], null);
    assert.equal(await page().getByRole('button', { name: 'Take back the cancellation' }).count(), 0);
    assert.equal(await page().getByRole('button', { name: 'Change trial' }).count(), 0);
    window.assertQuiet();
  });
});
