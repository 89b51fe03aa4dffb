import assert from 'node:assert/strict';
import type { Json } from '../../support/servers/api.ts';
import {
  assertFits,
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
    await page().getByRole('link', { name: 'Change plan' }).click();
    const main = page().getByRole('main');
    const field = main.getByRole('combobox', { name: 'New plan' });
    assert.equal(await field.inputValue(), '');
    await field.click();
    await choices(page()).first().waitFor();
    assert.deepEqual(await choices(page()).allTextContents(), ['Large each month']);
    await choices(page()).click();
    await main.getByLabel('From', { exact: true }).selectOption('a day');
    await main.getByRole('button', { name: 'Preview' }).click();
    await main.getByText('is missing; choose a day').waitFor();
    await main.getByLabel('Day').fill(at('03-01').slice(0, 10));
    await main.getByRole('button', { name: 'Preview' }).click();
    await main.getByText(/is billed up to/).waitFor();
    await main.getByLabel('Day').fill(at('04-16').slice(0, 10));
    await main.getByRole('button', { name: 'Preview' }).click();
    const due = main.locator('section', { hasText: 'Due with the change' }).last();
    await due.getByText('24.50 USD').first().waitFor();
    const then = main.locator('section', { hasText: 'From then on' }).last();
    for (const text of ['199 USD each month', 'Large', '99.50 USD'])
      await then.getByText(text).first().waitFor();
    for (const text of ['Closing invoice, by the old plan', 'By the new plan, as far as is known'])
      await main.getByText(text).last().waitFor();
    // What is due stands above the bills that say why.
    const topOf = async (title: RegExp) =>
      (await page().getByRole('heading', { name: title }).boundingBox())!.y;
    assert.ok((await topOf(/^Due with/)) < (await topOf(/^Closing invoice/)));
    assert.equal((await read(`/v1/subscriptions/${subscription_id}`))['pending_change'], null);
    await assertFits(page(), 'change-plan');
    await main.getByRole('button', { name: 'Back', exact: true }).click();
    assert.equal(await main.getByLabel('Day').inputValue(), at('04-16').slice(0, 10));
    await main.getByRole('button', { name: 'Preview' }).click();
    await main.getByRole('button', { name: 'Change plan' }).click();
    await page().waitForURL(new RegExp(`/subscriptions/${subscription_id}\\?`));
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
    await page().getByRole('link', { name: 'Change plan' }).click();
    const main = page().getByRole('main');
    await choose(page(), 'New plan', 'Small in advance');
    await main.getByLabel('From', { exact: true }).selectOption('now');
    await main.getByRole('button', { name: 'Preview' }).click();
    const due = main.locator('section', { hasText: 'Due now' }).last();
    for (const text of ['-75.00 USD', '-99.50 USD', '24.50 USD', 'More is credited than billed'])
      await due.getByText(text).first().waitFor();
    await main
      .locator('section', { hasText: 'From then on' })
      .last()
      .getByText('49 USD each month')
      .waitFor();
    await assertFits(page(), 'change-plan-in-advance');
    await page().emulateMedia({ colorScheme: 'dark' });
    await assertFits(page(), 'change-plan-in-advance-dark');
    await page().emulateMedia({ colorScheme: 'light' });
    await main.getByRole('button', { name: 'Back', exact: true }).click();
    await main.getByRole('link', { name: 'Cancel' }).click();
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
    await page().getByRole('link', { name: 'Change plan' }).click();
    const field = page().getByRole('combobox', { name: 'New plan' });
    await field.waitFor();
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
