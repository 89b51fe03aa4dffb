import assert from 'node:assert/strict';
import { eventually } from '../../support/servers/eventually.ts';
import { choose, useBrowser, type Window, assertFits, signIn } from '../../support/servers/browser.ts';
import { useStack } from '../../support/servers/stack.ts';
import { at, FLAT, requestsTo, testCustomersOn } from '../../support/ledger/test-customer.ts';
import type { Json } from '../../support/servers/api.ts';

const endOf = ({ expires_at, carry_over_until }: Json) => [expires_at, carry_over_until];

/** billing.md 4: credit that comes with a plan, and credit for one thing. */
describe('credit of a plan in a browser', function () {
  const stack = useStack();
  const { customer, plan, read, subscribe } = testCustomersOn(requestsTo(stack));
  const openWindow = useBrowser();
  let window: Window;
  let plan_id: string;
  const page = () => window.page;
  const button = (name: string) => page().getByRole('button', { name, exact: true });
  const visit = (path: string) => page().goto(`${stack().api_url}${path}?mode=test`);

  before(async () => {
    window = await openWindow();
    await signIn(page(), stack());
  });

  it('a plan is written with credit, whose faults stand at their fields', async () => {
    await visit('/plans/new');
    await page().getByLabel('Name', { exact: true }).fill('Pro');
    await page().getByLabel('Key').fill('pro');
    await page().getByLabel('Event name').fill('call');
    await page().getByLabel('Model').selectOption({ label: 'Flat' });
    await page().getByLabel('Amount').fill('49');
    await button('Add credit').click();
    const credit = page().getByRole('group', { name: 'Credit 1' });
    await credit.getByLabel('Units each period').fill('1000');
    await credit.getByLabel('Only for the events').fill('call, mail');
    await credit.getByLabel('Carries over at most').fill('2000');
    await button('Create plan').click();
    await credit.getByText('must be at most 1000').waitFor();
    await credit.getByLabel('Carries over at most').fill('500');
    await credit
      .getByLabel('A short period, such as the first one')
      .selectOption('Gives its share, in whole units');
    await button('Add credit').click();
    const second = page().getByRole('group', { name: 'Credit 2' });
    await second.getByLabel('Units each period').fill('20');
    await second.getByLabel('Expires').selectOption({ label: 'After days' });
    await second.getByLabel('Days').fill('45');
    await assertFits(page(), 'plan-credit-form');
    await button('Create plan').click();
    await page().getByRole('heading', { name: 'Pro', level: 1 }).waitFor();
    plan_id = new URL(page().url()).pathname.split('/').at(-1)!;
    const { grants } = await read(`/v1/pricing-plans/${plan_id}`);
    assert.deepEqual(grants, [
      {
        amount: 1000,
        event_names: ['call', 'mail'],
        expires: 'period_end',
        carry_over_max: 500,
        prorate: true,
      },
      { amount: 20, event_names: null, expires: { days: 45 }, carry_over_max: null, prorate: false },
    ]);
    const shown = page().getByRole('region', { name: 'Credit that each billing period comes with' });
    await shown.getByText('their share').waitFor();
    await assertFits(page(), 'plan-credit');
  });

  it('the next version begins with the credit filled in', async () => {
    await page().getByRole('link', { name: 'New version' }).click();
    const credit = page().getByRole('group', { name: 'Credit 1' });
    await credit.waitFor();
    assert.equal(await credit.getByLabel('Only for the events').inputValue(), 'call, mail');
    assert.equal(await credit.getByLabel('Carries over at most').inputValue(), '500');
    assert.equal(await credit.getByLabel('A short period, such as the first one').inputValue(), 'yes');
  });

  it('a customer has it, and gets credit for one subscription with a note', async () => {
    const id = await customer({}, at('04-01'));
    const { id: subscription_id } = await subscribe(id, plan_id);
    await eventually(
      () => read(`/v1/credit-grants?customer_id=${id}`),
      ({ data }) => data.length === 2,
    );
    await visit(`/customers/${id}`);
    await button('Grant credit').click();
    const dialog = page().getByRole('dialog');
    await dialog.getByLabel('Units of usage').fill('5');
    await dialog.getByLabel('Only for the events').fill('call');
    await dialog.getByLabel('Only for the subscription').fill(subscription_id);
    await dialog.getByLabel('Note').fill('For the outage');
    await dialog.getByLabel('Expires after days').fill('90');
    await dialog.getByRole('button', { name: 'Preview' }).click();
    // The period ends on 1 May, at midnight.
    await dialog.getByText('5 units of usage, ends 30 April 2029 UTC.').waitFor();
    await dialog.getByText('after 90 days or with the billing period, whichever comes first').waitFor();
    await assertFits(page(), 'grant-credit');
    await dialog.getByRole('button', { name: 'Back' }).click();
    assert.equal(await dialog.getByLabel('Note').inputValue(), 'For the outage');
    await dialog.getByLabel('Only for the subscription').waitFor();
    await dialog.getByRole('button', { name: 'Preview' }).click();
    await dialog.getByRole('button', { name: 'Grant', exact: true }).click();
    await page().getByText('For the outage').waitFor();
    const [grant] = (await read(`/v1/credit-grants?customer_id=${id}`)).data;
    assert.deepEqual(
      [grant.event_names, grant.subscription_id, grant.note],
      [['call'], subscription_id, 'For the outage'],
    );
    await assertFits(page(), 'customer-credit');
  });

  it('a change of plan takes back what the old plan gave', async () => {
    await plan([FLAT], { name: 'Bare' });
    const id = await customer({}, at('04-01'));
    const { id: subscription_id } = await subscribe(id, plan_id);
    const ends = async () => (await read(`/v1/credit-grants?customer_id=${id}`)).data.map(endOf);
    await eventually(ends, (all) => all.length === 2);
    await visit(`/subscriptions/${subscription_id}`);
    await page().getByRole('link', { name: 'Change plan' }).click();
    await choose(page(), 'New plan', 'Bare');
    await page().getByLabel('Credit of the old plan').selectOption('ends with the change');
    await assertFits(page(), 'change-takes-back');
    await button('Preview').click();
    await button('Change plan').click();
    await page()
      .getByRole('heading', { name: /^Subscription of/ })
      .waitFor();
    assert.deepEqual(await ends(), [
      [at('05-01'), null],
      [at('05-01'), at('05-01')],
    ]);
  });
});
