import assert from 'node:assert/strict';
import type { Json } from '../../support/servers/api.ts';
import { assertFits, choose, signIn, useBrowser, type Window } from '../../support/servers/browser.ts';
import { useStack } from '../../support/servers/stack.ts';
import { at, FLAT, PER_UNIT, requestsTo, testCustomersOn } from '../../support/ledger/test-customer.ts';

/** billing.md 12: a person gives one customer other prices. */
describe('custom plans in a browser', function () {
  const stack = useStack();
  const { customer, plan, read, subscribe } = testCustomersOn(requestsTo(stack));
  const openWindow = useBrowser();
  let window: Window;
  let base: string;
  let customer_id: string;
  let subscription_id: string;
  let custom: Json;
  const page = () => window.page;
  const button = (name: string) => page().getByRole('button', { name, exact: true });
  const link = (name: string) => page().getByRole('link', { name, exact: true });
  const visit = (path: string) =>
    page().goto(`${stack().api_url}${path}${path.includes('?') ? '&' : '?'}mode=test`);
  const customPlans = async (): Promise<Json[]> =>
    (await read(`/v1/pricing-plans?customer_id=${customer_id}`)).data;

  before(async () => {
    window = await openWindow();
    customer_id = await customer({ name: 'Acme' }, at('04-01'));
    const calls = { ...PER_UNIT, name: 'API calls', unit_amount: '0.10' };
    base = await plan([FLAT, calls], { name: 'Pro', key: 'pro' });
    ({ id: subscription_id } = await subscribe(customer_id, base));
    await signIn(page(), stack());
  });

  it('begin at the subscription, with what is wrong at its field', async () => {
    await visit(`/subscriptions/${subscription_id}`);
    await link('Custom price').click();
    await page().getByRole('heading', { name: 'Custom price', level: 1 }).waitFor();
    assert.equal(await page().getByLabel('Unit amount').count(), 0);
    await page().getByLabel('Price of API calls').selectOption('another one');
    assert.equal(await page().getByLabel('Unit amount').inputValue(), '0.1');
    await page().getByLabel('Unit amount').fill('-1');
    await button('Preview').click();
    await page().locator('[name="overrides[0].unit_amount"][aria-invalid="true"]').waitFor();
    await assertFits(page(), 'custom-plan-fault');
  });

  it('show in what they differ from the base before they are made', async () => {
    await page().getByLabel('Unit amount').fill('0.08');
    await page().getByLabel('Name', { exact: true }).fill('Pro for Acme');
    await page().getByLabel('Minimum', { exact: true }).fill('60');
    await button('Preview').click();
    const rows = page().getByRole('region', { name: 'Differences from Pro' }).getByRole('row');
    await rows.filter({ hasText: 'API calls: unit amount' }).getByText('0.08').waitFor();
    await rows.filter({ hasText: 'minimum amount' }).getByText('60.00').waitFor();
    await assertFits(page(), 'custom-plan-preview');
    assert.deepEqual(await customPlans(), []);
    await button('Back').click();
    assert.equal(await page().getByLabel('Unit amount').inputValue(), '0.08');
    await button('Preview').click();
    await button('Create custom plan').click();
    await page().getByRole('heading', { name: 'Change of plan', level: 1 }).waitFor();
    [custom] = (await customPlans()) as [Json];
    assert.deepEqual(
      [custom.name, custom.based_on, custom.overrides, custom.minimum_amount],
      ['Pro for Acme', base, [{ charge: 1, unit_amount: '0.08' }], '60.00'],
    );
  });

  it('are proposed to the subscription, and it changes to them', async () => {
    await page().getByLabel('New plan').waitFor();
    assert.equal(await page().getByLabel('New plan').inputValue(), 'Pro for Acme');
    await button('Preview').click();
    await page().getByText('At least').waitFor();
    await assertFits(page(), 'custom-plan-change');
    await button('Change plan').click();
    await page().getByText('Next plan').waitFor();
    const { pending_change } = await read(`/v1/subscriptions/${subscription_id}`);
    assert.equal(pending_change.plan_id, custom.id);
  });

  it('say on their page whose they are and on what they are based', async () => {
    await visit(`/plans/${custom.id}`);
    await page().getByText('Custom plan of').waitFor();
    await link('Acme').waitFor();
    await link('Pro, version 1').waitFor();
    await page().getByText('Own prices of').waitFor();
    await assertFits(page(), 'custom-plan');
    await link('Other prices').click();
    await page().getByLabel('Unit amount').waitFor();
    assert.equal(await page().getByLabel('Unit amount').inputValue(), '0.08');
  });

  it('are listed with their customer, where another one begins with its base', async () => {
    await visit(`/customers/${customer_id}`);
    await page()
      .getByRole('region', { name: 'Custom plans' })
      .getByRole('link', { name: 'Pro for Acme' })
      .waitFor();
    await assertFits(page(), 'custom-plans-customer');
    await page().getByRole('region', { name: 'Custom plans' }).first().waitFor();
    await link('Custom price').click();
    await choose(page(), 'Based on the plan', 'Pro');
    await button('Go on').click();
    await page().getByLabel('Price of API calls').waitFor();
    await button('Preview').click();
    await page().getByText('Nothing differs from Pro.').waitFor();
  });

  it('may be based anew by a migration', async () => {
    await visit(`/plans/${base}`);
    await plan([FLAT, { ...PER_UNIT, name: 'API calls', unit_amount: '0.12' }], { name: 'Pro', key: 'pro' });
    await page().reload();
    await button('Move subscribers').click();
    await page()
      .getByLabel('Custom plans that are based on it')
      .selectOption('are based on the new plan, with their own prices');
    await page().getByRole('dialog').getByRole('button', { name: 'Preview' }).click();
    await page().getByRole('dialog').getByText('By the new plan').waitFor();
    await assertFits(page(), 'custom-plan-migration');
  });

  it('no page contacted another host or logged an error', () => window.assertQuiet());
});
