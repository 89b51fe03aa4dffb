import assert from 'node:assert/strict';
import { choices, useBrowser, type Window, assertFits, signIn } from '../../support/servers/browser.ts';
import { useStack } from '../../support/servers/stack.ts';
import { FLAT, requestsTo, testCustomersOn } from '../../support/ledger/test-customer.ts';

/** contract.md 3, *Versions*: a version is made from the one before, and plans are archived. */
describe('versions of a plan in a browser', function () {
  const stack = useStack();
  const { customer, plan, read, subscribe } = testCustomersOn(requestsTo(stack));
  const openWindow = useBrowser();
  let window: Window;
  let first: string;
  let second: string;
  const page = () => window.page;
  const button = (name: string) => page().getByRole('button', { name, exact: true });
  const visit = (path: string) =>
    page().goto(`${stack().api_url}${path}${path.includes('?') ? '&' : '?'}mode=test`);
  const rowsOf = async (name: string): Promise<string[]> => {
    const rows = page().getByRole('region', { name }).getByRole('row');
    await rows.nth(1).waitFor();
    return (await rows.allInnerTexts()).slice(1).map((row) => row.replaceAll(/\s+/g, ' '));
  };

  before(async () => {
    window = await openWindow();
    await signIn(page(), stack());
  });

  it('a plan is written with a key, which is refused at its field', async () => {
    await visit('/plans/new');
    await page().getByLabel('Name', { exact: true }).fill('Pro');
    await page().getByLabel('Key').fill('plan_pro');
    await page().getByLabel('Event name').fill('fee');
    await page().getByLabel('Model').selectOption({ label: 'Flat' });
    await page().getByLabel('Amount').fill('49');
    await button('Create plan').click();
    await page().getByText('must not begin with plan_').waitFor();
    await page().getByLabel('Key').fill('pro');
    await button('Create plan').click();
    await page().getByRole('heading', { name: 'Pro', level: 1 }).waitFor();
    first = new URL(page().url()).pathname.split('/').at(-1)!;
    await page().getByText('pro, version 1').waitFor();
  });

  it('a new version begins with the form filled in, and the page lists both', async () => {
    await page().getByRole('link', { name: 'New version' }).click();
    await page().getByRole('heading', { name: 'New version', level: 1 }).waitFor();
    assert.equal(await page().getByLabel('Key').inputValue(), 'pro');
    assert.equal(await page().getByLabel('Amount').inputValue(), '49');
    await assertFits(page(), 'plan-new-version');
    await page().getByLabel('Amount').fill('59');
    await button('Create plan').click();
    await page().getByText('pro, version 2').waitFor();
    second = new URL(page().url()).pathname.split('/').at(-1)!;
    const rows = await rowsOf('Versions, newest first');
    assert.deepEqual(
      rows.map((row) => row.slice(0, 13)),
      ['Version 2 Pro', 'Version 1 Pro'],
    );
    const { data } = await read('/v1/pricing-plans?key=pro');
    assert.deepEqual(
      data.map(({ version, charges }: { version: number; charges: { flat_amount: string }[] }) => [
        version,
        charges[0]!.flat_amount,
      ]),
      [
        [2, '59'],
        [1, '49'],
      ],
    );
  });

  it('a plan is archived, is chosen nowhere, and is taken back', async () => {
    await plan([FLAT], { name: 'Other' });
    await visit(`/plans/${first}`);
    await button('Archive').click();
    await page().getByRole('dialog').getByRole('button', { name: 'Archive' }).click();
    await button('Take back from the archive').waitFor();
    assert.equal(await page().getByRole('heading', { name: 'Subscribe a customer' }).count(), 0);
    const archived = page().getByRole('region', { name: 'Versions, newest first' }).getByText('archived');
    await archived.waitFor();
    assert.equal(await archived.count(), 1);
    await assertFits(page(), 'plan-archived');

    const customer_id = await customer();
    await visit(`/customers/${customer_id}`);
    await button('Add a subscription').click();
    const offered = async (label: string) => {
      await page().getByRole('combobox', { name: label, exact: true }).click();
      await choices(page()).first().waitFor();
      return choices(page()).allTextContents();
    };
    assert.deepEqual(await offered('Plan'), ['Other each month', 'Pro, version 2 each month']);

    const { id } = await subscribe(customer_id, second);
    await visit(`/subscriptions/${id}`);
    await page().getByRole('link', { name: 'Change plan' }).click();
    assert.deepEqual(await offered('New plan'), ['Other each month']);

    await visit(`/plans/${first}`);
    await button('Take back from the archive').click();
    await button('Archive').waitFor();
    assert.equal((await read(`/v1/pricing-plans/${first}`)).archived_at, null);
  });

  it('the list has key and version, and is found by key and filtered by archive', async () => {
    await visit(`/plans/${first}`);
    await button('Archive').click();
    await page().getByRole('dialog').getByRole('button', { name: 'Archive' }).click();
    await button('Take back from the archive').waitFor();
    await visit('/plans');
    assert.equal((await rowsOf('Plans, newest first')).length, 3);
    await assertFits(page(), 'plans-list');
    await page().getByLabel('Find a plan').fill('pro');
    await page().getByLabel('Archived').selectOption('archived');
    await button('Filter').click();
    await page().getByRole('link', { name: 'Pro' }).nth(1).waitFor({ state: 'detached' });
    const rows = await rowsOf('Plans, newest first');
    assert.equal(rows.length, 1);
    assert.match(rows[0]!, /^Pro archived pro 1 each month/);
    await page().getByLabel('Find a plan').fill('none');
    await button('Filter').click();
    await page().getByText('No plan fits the filters').waitFor();
  });

  it('no page logged an error', () => window.assertQuiet());
});
