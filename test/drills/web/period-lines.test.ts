import assert from 'node:assert/strict';
import type { Json } from '../../support/servers/api.ts';
import { assertFits, signIn, useBrowser, type Window } from '../../support/servers/browser.ts';
import { useStack } from '../../support/servers/stack.ts';
import { fee, feeLivesOn } from '../../support/ledger/fee-lives.ts';
import { at, PER_UNIT, requestsTo, testCustomersOn, times } from '../../support/ledger/test-customer.ts';

/** billing.md 13: a discount of an amount, and a plan with a minimum. */
describe('period lines in a browser', function () {
  const stack = useStack();
  const customers = testCustomersOn(requestsTo(stack));
  const { advance, customer, done, plan, read, subscribe, use } = customers;
  const { untilOpened } = feeLivesOn(customers);
  const openWindow = useBrowser();
  let window: Window;
  let plan_id: string;
  let customer_id: string;
  let subscription_id: string;
  let april: Json;
  let may: Json;
  const page = () => window.page;
  const button = (name: string) => page().getByRole('button', { name, exact: true });
  const dialog = () => page().getByRole('dialog');
  const visit = (path: string) => page().goto(`${stack().api_url}${path}?mode=test`);
  const idOfPage = () => new URL(page().url()).pathname.split('/').at(-1)!;
  const rowOf = (name: string) =>
    page().getByRole('region', { name: 'Discounts' }).getByRole('row').filter({ hasText: name });
  const line = (type: string, { line_items }: Json): Json =>
    line_items.find((item: Json) => item.type === type);
  const opened = async (words: string | RegExp) => {
    await page().locator('summary', { hasText: words }).first().click();
    return page().locator('details[open]').filter({ hasText: words });
  };

  before(async () => {
    window = await openWindow();
    customer_id = await customer({ name: 'Acme' }, at('04-16'));
    await signIn(page(), stack());
  });

  it('a plan is written with a minimum, whose fault is at its field', async () => {
    await visit('/plans/new');
    await page().getByLabel('Name', { exact: true }).fill('Committed');
    await page().getByLabel('Key').fill('committed');
    await page().getByLabel('Minimum', { exact: true }).fill('0');
    await page().getByLabel('Event name').fill(PER_UNIT.event_name);
    await page().getByLabel('Model').selectOption({ label: 'Per unit' });
    await page().getByLabel('Unit amount').fill('10');
    await button('Create plan').click();
    await page().locator('[name="minimum_amount"][aria-invalid="true"]').waitFor();
    await assertFits(page(), 'minimum-fault');
    await page().getByLabel('Minimum', { exact: true }).fill('100');
    await button('Create plan').click();
    await page().getByText('committed, version 1').waitFor();
    plan_id = idOfPage();
    assert.equal((await read(`/v1/pricing-plans/${plan_id}`)).minimum_amount, '100.00');
    await page().getByText('100.00 USD each month').waitFor();
    await assertFits(page(), 'minimum-plan');
  });

  it('a new version begins with the minimum, and the versions say theirs', async () => {
    await page().getByRole('link', { name: 'New version' }).click();
    await page().getByRole('heading', { name: 'New version', level: 1 }).waitFor();
    assert.equal(await page().getByLabel('Minimum', { exact: true }).inputValue(), '100.00');
    await page().getByLabel('Minimum', { exact: true }).fill('');
    await button('Create plan').click();
    await page().getByText('committed, version 2').waitFor();
    const versions = page().getByRole('region', { name: 'Versions, newest first' });
    await versions.getByRole('columnheader', { name: 'Minimum' }).waitFor();
    await versions.getByRole('row').filter({ hasText: 'Version 1' }).getByText('100.00').waitFor();
    await assertFits(page(), 'minimum-versions');
  });

  it('a discount of an amount is made, with what is wrong at its field', async () => {
    ({ id: subscription_id } = await subscribe(customer_id, plan_id, { start_date: at('04-01') }));
    await use(customer_id, times(3, {}));
    await visit(`/customers/${customer_id}`);
    await button('New discount').click();
    await dialog().getByLabel('Percent').fill('101');
    await dialog().getByRole('button', { name: 'Create discount' }).click();
    await dialog().locator('[name="percent"][aria-invalid="true"]').waitFor();
    await dialog().getByLabel('Takes off').selectOption('an amount, each billing period');
    assert.equal(await dialog().locator('[aria-invalid="true"]').count(), 0);
    assert.equal(await dialog().getByLabel('Only for the events').count(), 0);
    for (const amount of ['', '-1', '10.005']) {
      await dialog()
        .getByLabel('Name')
        .fill(amount === '' ? '' : 'Rebate');
      await dialog().getByLabel('Amount in USD').fill(amount);
      await dialog().getByRole('button', { name: 'Create discount' }).click();
      await dialog().locator('[name="amount"][aria-invalid="true"]').waitFor();
      assert.equal(await dialog().locator('[aria-invalid="true"]').count(), amount === '' ? 2 : 1, amount);
    }
    await assertFits(page(), 'amount-fault');
    await dialog().getByLabel('Amount in USD').fill('10');
    await dialog().getByRole('button', { name: 'Create discount' }).click();
    await rowOf('Rebate').getByText('10.00 USD').waitFor();
    await rowOf('Rebate').getByText('each billing period').waitFor();
    await assertFits(page(), 'amount-discounts');
    const [made] = (await read(`/v1/discounts?customer_id=${customer_id}`)).data;
    assert.deepEqual([made.percent, made.amount, made.event_names], [null, '10.00', null]);
  });

  it('both are on the upcoming invoice, which says how they come about', async () => {
    await visit(`/subscriptions/${subscription_id}`);
    await page().getByText('-10.00').first().waitFor();
    const minimum = await opened('Minimum, from 1 to 30 April');
    await minimum.getByText('lacks of its minimum').waitFor();
    const rebate = await opened('Rebate');
    await rebate.getByText('takes an amount off the period').waitFor();
    await assertFits(page(), 'period-lines-upcoming');
  });

  it('both are on the issued invoice; the next one says what it takes back, and of which', async () => {
    [april] = (await advance(customer_id, at('05-01'))) as [Json];
    assert.deepEqual([line('discount', april).amount, line('minimum', april).amount], ['-10.00', '80.00']);
    await use(customer_id, [
      ...times(4, { timestamp: at('04-20') }),
      ...times(12, { timestamp: at('05-01') }),
    ]);
    [may] = (await advance(customer_id, at('06-01'))) as [Json];
    assert.equal(line('minimum', may).amount, '-40.00');
    await visit(`/invoices/${may.id}`);
    const taken_back = await opened('Minimum, from 1 to 30 April');
    await taken_back.getByText('takes the difference back').waitFor();
    await taken_back.getByText('80.00 on').waitFor();
    await taken_back.getByText('= 40.00 USD in all').waitFor();
    await assertFits(page(), 'period-lines-invoice');
    await taken_back.getByRole('link', { name: april.number }).click();
    await page().getByRole('heading', { name: april.number }).waitFor();
    await page().getByText('lacks of its minimum').waitFor();
  });

  it('the comparison with the invoice before names both', async () => {
    await visit(`/invoices/${may.id}`);
    await page().getByText('less than').or(page().getByText('more than')).first().click();
    const bars = page().locator('.bar-rows, details[open]').first();
    await bars.getByText('Minimum').first().waitFor();
    await assertFits(page(), 'period-lines-comparison');
  });

  it('revenue has a column for each', async () => {
    await visit('/revenue');
    for (const name of ['Discounts', 'Minimums'])
      await page().getByRole('columnheader', { name, exact: true }).first().waitFor();
    await assertFits(page(), 'period-lines-revenue');
  });

  it('a credit note of all lines has those below zero', async () => {
    await visit(`/invoices/${may.id}/credit`);
    await button('Credit all').click();
    await page().getByLabel('Reason').fill('Goodwill');
    await button('Preview').click();
    await page().getByRole('heading', { name: 'Preview' }).waitFor();
    await assertFits(page(), 'period-lines-credit');
    await button('Issue credit note').click();
    await page().getByText('-40.00').first().waitFor();
    await assertFits(page(), 'period-lines-credit-note');
  });

  it('a credit note of 0.00 shows its lines, here and to the payer', async () => {
    const globex = await customer({ name: 'Globex' }, at('04-01'));
    await done('/v1/discounts', { customer_id: globex, name: 'Rebate', amount: '10' });
    const { id } = await subscribe(globex, await plan([fee('10.00')], { minimum_amount: '5' }));
    await untilOpened(globex);
    await advance(globex, at('04-16'));
    await done(`/v1/subscriptions/${id}/cancel`, { at: 'now' });
    await advance(globex, at('04-17'));
    const [note] = (await read(`/v1/credit-notes?customer_id=${globex}`)).data;
    await visit(`/credit-notes/${note.id}`);
    await page().getByText('-5.00').first().waitFor();
    await assertFits(page(), 'period-lines-zero-note');
    const { url } = await done('/v1/portal-sessions', { customer_id: globex });
    const { pathname, search, hash } = new URL(url);
    const portal = await openWindow();
    await portal.page.goto(`${stack().api_url}${pathname}${search}${hash}`);
    await portal.page.locator('.with-file summary').filter({ hasText: 'INV-' }).last().click();
    await portal.page
      .locator('summary', { hasText: /^Rebate/ })
      .first()
      .click();
    await portal.page.getByText('takes an amount off the period').first().waitFor();
    assert.equal(await portal.page.locator('details[open] q').getByRole('link').count(), 0);
    await assertFits(portal.page, 'period-lines-portal');
    portal.assertQuiet();
  });

  it('the payer reads the minimum of its plan', async () => {
    const { pathname, search, hash } = new URL((await done('/v1/portal-sessions', { customer_id })).url);
    await page().goto(`${stack().api_url}${pathname}${search}${hash}`);
    await page().getByText('Minimum of each period, net').waitFor();
    await assertFits(page(), 'minimum-portal');
  });

  it('no page contacted another host or logged an error', () => window.assertQuiet());
});
