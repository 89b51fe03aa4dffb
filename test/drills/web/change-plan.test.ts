import assert from 'node:assert/strict';
import type { Json } from '../../support/servers/api.ts';
import {
  choices,
  choose,
  takePicture,
  useBrowser,
  type Window,
  signIn,
} from '../../support/servers/browser.ts';
import { useStack } from '../../support/servers/stack.ts';
import { at, FLAT, requestsTo, testCustomersOn } from '../../support/ledger/test-customer.ts';

/** contract.md 3: a change of plan is previewed, then performed. */
describe('the change of a plan', () => {
  const stack = useStack();
  const { advance, customer, done, plan, read, subscribe } = testCustomersOn(requestsTo(stack));
  const openWindow = useBrowser();
  let window: Window;
  let subscription_id: string;
  let customer_id: string;
  let large: string;
  const page = () => window.page;
  before(async () => {
    window = await openWindow();
    customer_id = await customer({}, at('04-01'));
    large = await plan([{ ...FLAT, flat_amount: '199.00' }], { name: 'Large' });
    await plan([FLAT], { name: 'In yen', currency: 'JPY', charges: [{ ...FLAT, flat_amount: '1' }] });
    ({ id: subscription_id } = await subscribe(customer_id, await plan([FLAT], { name: 'Small' })));
    await signIn(page(), stack());
  });

  it('shows the invoices that follow, and then the plan that is to come', async () => {
    await page().goto(`${stack().api_url}/subscriptions/${subscription_id}?mode=test`);
    await page().getByRole('button', { name: 'Change plan' }).click();
    const dialog = page().getByRole('dialog');
    const field = dialog.getByRole('combobox', { name: 'New plan' });
    assert.equal(await field.inputValue(), '');
    await field.click();
    await choices(page()).first().waitFor();
    assert.deepEqual(await choices(page()).allTextContents(), ['Large each month']);
    await choices(page()).click();
    await dialog.getByLabel('From', { exact: true }).selectOption('a day');
    await dialog.getByRole('button', { name: 'Preview' }).click();
    await dialog.getByText('is missing; choose a day').waitFor();
    await dialog.getByLabel('Day').fill(at('03-01').slice(0, 10));
    await dialog.getByRole('button', { name: 'Preview' }).click();
    await dialog.getByText(/is billed up to/).waitFor();
    await dialog.getByLabel('Day').fill(at('04-16').slice(0, 10));
    await dialog.getByRole('button', { name: 'Preview' }).click();
    for (const text of ['By the old plan', '24.50', '99.50']) await dialog.getByText(text).first().waitFor();
    assert.equal((await read(`/v1/subscriptions/${subscription_id}`))['pending_change'], null);
    await takePicture(page(), 'change-plan');
    await dialog.getByRole('button', { name: 'Change plan' }).click();
    await dialog.waitFor({ state: 'hidden' });
    await page().getByText('Next plan').waitFor();
    assert.deepEqual((await read(`/v1/subscriptions/${subscription_id}`))['pending_change'], {
      plan_id: large,
      at: at('04-16'),
    });
  });

  it('shows the credit note of a fee in advance, and the opening invoice among the periods', async () => {
    const fee = (flat_amount: string) => [{ ...FLAT, flat_amount, billed: 'in_advance' }];
    const id = await customer({}, at('04-01'));
    const small = await plan(fee('49.00'), { name: 'Small in advance' });
    const of = await subscribe(id, await plan(fee('199.00'), { name: 'Large in advance' }));
    await advance(id, at('04-16'));
    await page().goto(`${stack().api_url}/subscriptions/${of['id']}?mode=test`);
    await page().getByRole('columnheader', { name: 'Opening invoice' }).waitFor();
    const sayings = page().getByRole('row').getByText('fees in advance', { exact: true });
    await sayings.first().waitFor();
    for (const path of ['/invoices', `/customers/${id}`]) {
      await page().goto(`${stack().api_url}${path}?mode=test`);
      await sayings.first().waitFor();
    }
    await page().goto(`${stack().api_url}/subscriptions/${of['id']}?mode=test`);
    await page().getByRole('button', { name: 'Change plan' }).click();
    const dialog = page().getByRole('dialog');
    await choose(page(), 'New plan', 'Small in advance');
    await dialog.getByLabel('From', { exact: true }).selectOption('now');
    await dialog.getByRole('button', { name: 'Preview' }).click();
    for (const text of ['Credited on the invoice', '99.50', '24.50'])
      await dialog.getByText(text).first().waitFor();
    await takePicture(page(), 'change-plan-in-advance');
    await dialog.getByRole('button', { name: 'Back' }).click();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await done(`/v1/subscriptions/${of['id']}/change`, { plan_id: small, at: 'now' });
    await advance(id, at('04-17'));
    const { data } = await read(`/v1/invoices?customer_id=${id}`);
    const closing = data.find(({ kind }: Json) => kind === 'period');
    // The fee is of the plan that comes, not of the plan of the invoice.
    await page().goto(`${stack().api_url}/invoices/${closing.id}?mode=test`);
    await page().locator('ul.lines summary').click();
    await page().getByText('24.50 of 49.00').waitFor();
    await page().getByText('1 × 24.50 = 24.50 USD').waitFor();
    await page().getByText('A part of the 49 USD per period').waitFor();
  });

  it('proposes the newest version of the same key', async () => {
    const first = await plan([FLAT], { name: 'Basic', key: 'basic' });
    const of = await subscribe(await customer({}, at('04-01')), first);
    await plan([FLAT], { name: 'Basic', key: 'basic' });
    await plan([FLAT], { name: 'Unasked' });
    await page().goto(`${stack().api_url}/subscriptions/${of['id']}?mode=test`);
    await page().getByRole('button', { name: 'Change plan' }).click();
    const field = page().getByRole('dialog').getByRole('combobox', { name: 'New plan' });
    assert.equal(await field.inputValue(), 'Basic, version 2');
  });

  it('lists the periods with their plans', async () => {
    await advance(customer_id, at('05-01'));
    await page().goto(`${stack().api_url}/subscriptions/${subscription_id}?mode=test`);
    const rows = page().getByRole('region', { name: 'Periods' }).getByRole('row');
    await rows.nth(3).waitFor();
    await rows.getByRole('link', { name: 'Small' }).waitFor();
    const plans = await rows.getByRole('link', { name: /Large|Small/ }).allTextContents();
    assert.deepEqual(plans, ['Large', 'Large', 'Small']);
    await takePicture(page(), 'subscription-periods');
    window.assertQuiet();
  });
});
