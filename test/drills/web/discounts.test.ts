import assert from 'node:assert/strict';
import {
  assertFits,
  choose,
  signIn,
  takePicture,
  useBrowser,
  type Window,
} from '../../support/servers/browser.ts';
import { useStack } from '../../support/servers/stack.ts';
import {
  at,
  FLAT,
  PER_UNIT,
  requestsTo,
  testCustomersOn,
  times,
} from '../../support/ledger/test-customer.ts';

const [THIS_MONTH, NEXT_MONTH] = ['04-01', '05-01'].map((day) => at(day).slice(0, 10));

/** billing.md 11: a person takes a percent off the lines of a customer. */
describe('discounts in a browser', function () {
  const stack = useStack();
  const { advance, customer, plan, read, subscribe, use } = testCustomersOn(requestsTo(stack));
  const openWindow = useBrowser();
  let window: Window;
  let customer_id: string;
  let subscription_id: string;
  const page = () => window.page;
  const button = (name: string) => page().getByRole('button', { name, exact: true });
  const dialog = () => page().getByRole('dialog');
  const visit = (path: string) => page().goto(`${stack().api_url}${path}?mode=test`);
  const rowOf = (name: string) =>
    page().getByRole('region', { name: 'Discounts' }).getByRole('row').filter({ hasText: name });
  const discounts = async () => (await read(`/v1/discounts?customer_id=${customer_id}`)).data;

  before(async () => {
    window = await openWindow();
    customer_id = await customer({ name: 'Acme', timezone: 'Europe/Vienna' }, at('04-16'));
    const charges = [FLAT, { ...PER_UNIT, unit_amount: '30' }];
    const start_date = THIS_MONTH;
    ({ id: subscription_id } = await subscribe(
      customer_id,
      await plan(charges, { name: 'Pro', key: 'pro' }),
      { start_date },
    ));
    await use(customer_id, times(3, {}));
    await signIn(page(), stack());
  });

  it('are made, with what is wrong at its field', async () => {
    await visit(`/customers/${customer_id}`);
    await page().getByText('No discounts').waitFor();
    await button('New discount').click();
    await dialog().getByLabel('Percent').fill('101');
    await dialog().getByRole('button', { name: 'Create discount' }).click();
    await dialog().locator('[aria-invalid="true"]').nth(1).waitFor();
    await dialog().getByText('must be at most 100').waitFor();
    await assertFits(page(), 'discount-fault');
    await dialog().getByLabel('Name').fill('Loyalty');
    await dialog().getByLabel('Percent').fill('10');
    await dialog().getByLabel('Only for the events').fill(`${PER_UNIT.event_name}, seats`);
    await choose(page(), 'Only for the subscription', 'Pro');
    await dialog().getByLabel('From').fill(NEXT_MONTH!);
    await dialog().getByLabel('Until').fill(THIS_MONTH!);
    await dialog().getByRole('button', { name: 'Create discount' }).click();
    await dialog().getByText('must be after from').waitFor();
    await dialog().getByLabel('From').fill(THIS_MONTH!);
    await dialog().getByLabel('Until').fill(NEXT_MONTH!);
    await dialog().getByRole('button', { name: 'Create discount' }).click();
    await rowOf('Loyalty').getByText('10 %').waitFor();
    await rowOf('Loyalty').getByText(`${PER_UNIT.event_name}, seats`).waitFor();
    await rowOf('Loyalty').getByRole('link', { name: 'Pro, version 1', exact: true }).waitFor();
    await rowOf('Loyalty').getByText(THIS_MONTH!).waitFor();
    await rowOf('Loyalty').getByText(NEXT_MONTH!).waitFor();
    await assertFits(page(), 'discounts');
    const [made] = await discounts();
    assert.deepEqual([made.percent, made.subscription_id], ['10', subscription_id]);
    // Midnight in Vienna, in summer.
    assert.deepEqual(
      [made.from, made.until],
      [`${THIS_MONTH}T00:00:00.000Z`, `${NEXT_MONTH}T00:00:00.000Z`].map((day) =>
        new Date(Date.parse(day) - 7_200_000).toISOString(),
      ),
    );
  });

  it('are on the upcoming invoice, below their line', async () => {
    await visit(`/subscriptions/${subscription_id}`);
    await page().getByText('10 % Loyalty, 90.00 before').waitFor();
    await page().getByText('81.00').first().waitFor();
    await assertFits(page(), 'discount-upcoming');
  });

  it('are ended, and hold for the period in which they end', async () => {
    await visit(`/customers/${customer_id}`);
    await rowOf('Loyalty').getByRole('button', { name: 'End' }).click();
    await dialog().getByLabel('Ends').selectOption('a day');
    await dialog().getByLabel('Day').fill(at('06-01').slice(0, 10));
    await dialog().getByRole('button', { name: 'End discount' }).click();
    await dialog().getByText('the end that the discount has').waitFor();
    await assertFits(page(), 'discount-end');
    await dialog().getByLabel('Ends').selectOption('now');
    await dialog().getByRole('button', { name: 'End discount' }).click();
    await rowOf('Loyalty').getByText('ended').waitFor();
    assert.equal(await rowOf('Loyalty').getByRole('button', { name: 'End' }).count(), 0);
    await visit(`/subscriptions/${subscription_id}`);
    await page().getByText('10 % Loyalty, 90.00 before').waitFor();
  });

  it('that were a mistake end at their start, and never hold', async () => {
    await visit(`/customers/${customer_id}`);
    await button('New discount').click();
    await dialog().getByLabel('Name').fill('By mistake');
    await dialog().getByLabel('Percent').fill('50');
    await dialog().getByRole('button', { name: 'Create discount' }).click();
    await rowOf('By mistake').getByText('all charges').waitFor();
    await rowOf('By mistake').getByRole('button', { name: 'End' }).click();
    await dialog().getByLabel('Ends').selectOption('at its start: it then never holds');
    await dialog().getByRole('button', { name: 'End discount' }).click();
    await rowOf('By mistake').getByText('ended').waitFor();
    const [made] = await discounts();
    assert.equal(made.until, made.from);
  });

  it('are on the issued invoice', async () => {
    const [invoice] = await advance(customer_id, at('05-02'));
    await visit(`/invoices/${invoice!.id}`);
    await page().getByText('10 % Loyalty, 90.00 before').waitFor();
    await page().getByText('10 % Loyalty, 90.00 before').click();
    await page().getByText('less 10 % (Loyalty)').first().waitFor();
    await assertFits(page(), 'discount-line');
  });

  it('are named in the audit log and in the changes', async () => {
    for (const path of ['/audit-log', '/changes']) {
      await visit(path);
      await page().getByRole('cell', { name: 'By mistake', exact: true }).first().waitFor();
      assert.equal(await page().getByText(/^dis_/).count(), 0);
      await takePicture(page(), `discount${path.replace('/', '-')}`);
    }
  });

  it('no page contacted another host or logged an error', () => window.assertQuiet());
});
