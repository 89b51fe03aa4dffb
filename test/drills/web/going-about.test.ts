import assert from 'node:assert/strict';
import type { Json } from '../../support/servers/api.ts';
import {
  assertFits,
  choices,
  signIn,
  takePicture,
  useBrowser,
  WIDTHS,
  type Window,
} from '../../support/servers/browser.ts';
import { eventually } from '../../support/servers/eventually.ts';
import { useStack } from '../../support/servers/stack.ts';
import { at, FLAT, requestsTo, testCustomersOn } from '../../support/ledger/test-customer.ts';

const CALLS = { event_name: 'api_call', pricing_model: 'per_unit', unit_amount: '0.10' };
const CUSTOMERS = 45;

/** Work of support and finance all day: Home, search, lists and the way back, forms, plans, usage. */
describe('going about the dashboard', function () {
  const stack = useStack();
  const { advance, customer, plan, subscribe, use } = testCustomersOn(requestsTo(stack));
  const openWindow = useBrowser();
  let window: Window;
  let acme: string;
  let plan_id: string;
  let invoices: Json[];
  const page = () => window.page;
  const heading = (name: string | RegExp) => page().getByRole('heading', { name, level: 1 });
  const button = (name: string) => page().getByRole('button', { name, exact: true });
  const visit = (path: string) =>
    page().goto(`${stack().api_url}${path}${path.includes('?') ? '&' : '?'}mode=test`);
  const search = () => page().getByRole('combobox', { name: 'Find', exact: true });

  before(async () => {
    plan_id = await plan([FLAT, CALLS], { name: 'Pro', key: 'pro' });
    for (let made = 0; made < CUSTOMERS; made++) await customer({ name: `Customer ${made}` }, null);
    acme = await customer({ name: 'Acme Power', currency: 'USD' });
    await subscribe(acme, plan_id);
    await use(
      acme,
      ['north', 'north', 'south'].map((region) => ({ timestamp: at('01-01T00:00'), properties: { region } })),
    );
    invoices = await advance(acme, at('03-15'));
    window = await openWindow();
    await signIn(page(), stack());
  });

  it('Home says what customers owe, by currency, with links to the invoices', async () => {
    await page().setViewportSize({ width: WIDTHS.desktop, height: 900 });
    const row = page().getByRole('row', { name: 'USD' });
    await row.waitFor();
    // Twice 49.00, three calls in January; both are overdue by the customer's clock but one.
    assert.match((await row.innerText()).replaceAll(/\s+/g, ' '), /USD 98\.30 USD 2 invoices/);
    await row.getByRole('link', { name: '2 invoices open' }).click();
    await heading('Invoices').waitFor();
    await page().getByRole('link', { name: invoices[0].number }).waitFor();
    await page().getByRole('columnheader', { name: 'Amount due' }).first().waitFor();
    const sums = page().getByRole('region', { name: 'Sums by currency' });
    await sums.waitFor();
    await page().setViewportSize({ width: WIDTHS.phone, height: 800 });
    await page().reload();
    const first = page().getByRole('link', { name: invoices[0].number });
    await first.waitFor();
    assert.equal(await sums.count(), 0, 'folded on a phone');
    assert.ok((await first.boundingBox())!.y < 800, 'the first invoice is in sight');
    await page().getByText('Sums of these invoices').click();
    await sums.waitFor();
    await page().setViewportSize({ width: WIDTHS.desktop, height: 900 });
  });

  it('Home begins with what needs a person', async () => {
    await stack().pool.query(
      `insert into set_aside (environment_id, job, customer_id, reason)
       select environment_id, 'expired_credit', id, 'a row is too long' from customers where external_id = $1`,
      [acme],
    );
    await visit('/');
    const aside = page().getByText('One customer is set aside');
    await aside.waitFor();
    await page().getByText('Call the people who run Tidemark').waitFor();
    const first = (await page().getByRole('heading', { name: 'Open and overdue' }).boundingBox())!;
    assert.ok((await aside.boundingBox())!.y < first.y);
    await assertFits(page(), 'home-at-work');
    await stack().pool.query('delete from set_aside');
  });

  it('finds while one types, with the arrows and Enter, and / leads to the field', async () => {
    await visit('/plans');
    await heading('Plans').waitFor();
    await page().keyboard.press('/');
    await page().keyboard.type('acme pow');
    await choices(page()).filter({ hasText: 'Acme Power' }).first().waitFor();
    await takePicture(page(), 'search-while-typing');
    await page().keyboard.press('ArrowDown');
    await page().keyboard.press('Enter');
    await heading('Acme Power').waitFor();
    assert.equal(await search().inputValue(), '');
    await search().fill(invoices[0].number);
    assert.match(await choices(page()).first().innerText(), /invoice, Acme Power, /);
    await choices(page()).first().click();
    await heading(`Invoice ${invoices[0].number}`).waitFor();
  });

  it('without a choice, Enter opens all that was found', async () => {
    await search().fill('Customer 1');
    await choices(page()).first().waitFor();
    await page().keyboard.press('Enter');
    await heading('Search').waitFor();
    await page().getByRole('row').nth(5).waitFor();
    assert.equal(await search().inputValue(), 'Customer 1');
  });

  it('the way back keeps rows and place', async () => {
    await page().setViewportSize({ width: WIDTHS.desktop, height: 500 });
    await visit('/customers');
    await page().getByRole('link', { name: 'Customer 20' }).scrollIntoViewIfNeeded();
    const place = await page().evaluate<number>('scrollY');
    assert.ok(place > 200, `${place}`);
    await page().getByRole('link', { name: 'Customer 20' }).click();
    await heading('Customer 20').waitFor();
    assert.equal(await page().evaluate('scrollY'), 0);
    // The list is there before its response: no request is answered.
    await page().route('**/v1/customers?*', () => undefined);
    await page().goBack();
    await page().getByRole('link', { name: 'Customer 20' }).waitFor();
    await eventually(
      () => page().evaluate<number>('scrollY'),
      (now) => now === place,
      5000,
    );
    await page().unroute('**/v1/customers?*');
    await page().setViewportSize({ width: WIDTHS.desktop, height: 900 });
  });

  it('a form with entries asks before a link, the way back or Escape leaves it', async () => {
    const asked: string[] = [];
    let answer = false;
    page().on('dialog', (dialog) => {
      asked.push(dialog.message());
      void (answer ? dialog.accept() : dialog.dismiss());
    });
    await visit('/plans');
    await page().getByRole('link', { name: 'New plan' }).click();
    const name = page().getByLabel('Name', { exact: true });
    await name.fill('Half a plan');
    await page().getByRole('link', { name: 'Customers', exact: true }).click();
    assert.deepEqual(asked, ['What you entered is not saved. Leave it?']);
    await page().goBack();
    await eventually(
      () => Promise.resolve(asked.length),
      (count) => count === 2,
      5000,
    );
    assert.equal(await name.inputValue(), 'Half a plan');
    assert.match(page().url(), /plans\/new/);
    await page().getByRole('link', { name: 'Customers', exact: true }).click();
    assert.equal(asked.length, 3);
    answer = true;
    await page().getByRole('link', { name: 'Customers', exact: true }).click();
    await heading('Customers').waitFor();
    assert.equal(asked.length, 4);
    // What is left or saved does not ask again.
    await page().getByRole('link', { name: 'Plans', exact: true }).click();
    await heading('Plans').waitFor();
    await button('New customer').waitFor({ state: 'detached' });
    await visit('/customers');
    await button('New customer').click();
    const dialog = page().getByRole('dialog');
    await dialog.getByLabel('Name').fill('Half a customer');
    answer = false;
    await page().keyboard.press('Escape');
    assert.equal(await dialog.getByLabel('Name').inputValue(), 'Half a customer');
    await dialog.getByLabel('External id').fill('whole');
    await dialog.getByRole('button', { name: /^Create/ }).click();
    await heading('Half a customer').waitFor();
    await page().getByRole('link', { name: 'Plans', exact: true }).click();
    await heading('Plans').waitFor();
    assert.equal(asked.length, 5);
    answer = true;
  });

  it('a plan is duplicated without its key, and leads to its subscribers', async () => {
    await page().getByRole('link', { name: 'Pro', exact: true }).click();
    await page().getByRole('link', { name: '1 subscription' }).click();
    await heading('Subscriptions').waitFor();
    await page().getByRole('row').nth(1).waitFor();
    assert.equal(await page().getByRole('row').count(), 2);
    await page().getByRole('combobox', { name: 'Plan' }).waitFor();
    await visit(`/plans/${plan_id}`);
    await page().getByRole('link', { name: 'Duplicate' }).click();
    await heading('New plan').waitFor();
    assert.equal(await page().getByLabel('Name', { exact: true }).inputValue(), 'Pro (copy)');
    assert.equal(await page().getByLabel('Key').inputValue(), '');
    await button('Create plan').click();
    await heading('Pro (copy)').waitFor();
    await page().getByText('none').first().waitFor();
  });

  it('usage is of any days, by a property, and leads to its events', async () => {
    await visit(`/customers/${acme}`);
    const usage = page().locator('section', {
      has: page().getByRole('heading', { name: 'Usage', exact: true }),
    });
    await usage.getByLabel('First day (UTC)').fill(at('01-01').slice(0, 10));
    await usage.getByLabel('Last day').fill(at('01-31').slice(0, 10));
    await usage.getByLabel('By the values of').fill('region');
    await usage.getByRole('button', { name: 'Filter' }).click();
    const values = usage.getByRole('region', { name: 'api_call by value' });
    await values.waitFor();
    const rows = (await values.getByRole('row').allInnerTexts()).map((row) =>
      row.replaceAll(/\s+/g, ' ').trim(),
    );
    assert.deepEqual(rows.slice(1), ['north 2', 'south 1']);
    await usage.getByRole('link', { name: 'api_call' }).click();
    await heading('Events').waitFor();
    await page().getByText('"north"').first().waitFor();
    assert.equal(await page().getByRole('row').count(), 4);
  });

  it('the usage report begins with the last day, and has a total', async () => {
    await visit(`/usage-report?from=${at('01-01').slice(0, 10)}&to=${at('01-31').slice(0, 10)}`);
    const rows = page().getByRole('region', { name: 'Events by billing status' }).getByRole('row');
    await rows.nth(2).waitFor();
    const texts = (await rows.allInnerTexts()).map((row) => row.replaceAll(/\s+/g, ' ').trim());
    assert.match(texts[1]!, /^Total 3 3/);
    assert.match(texts[2]!, new RegExp(`^${at('01-31').slice(0, 10)} 0`));
  });

  for (const path of [
    '/customers',
    '/invoices',
    '/subscriptions',
    '/plans',
    '/events?from=2020-01-01',
    '/audit-log',
  ])
    it(`${path}: on a phone the header has at most 100 px, and a row two lines`, async () => {
      await page().setViewportSize({ width: 390, height: 844 });
      await visit(path);
      await page().getByRole('row').nth(1).waitFor();
      await takePicture(page(), `phone-list${path.split('?')[0]!.replace('/', '-')}`);
      const heights = await page().evaluate<[number, number[]]>(`[
        document.querySelector('main').getBoundingClientRect().top + scrollY,
        [...document.querySelectorAll('.list tbody tr')].map((row) => row.getBoundingClientRect().height)]`);
      const [top, rows] = heights;
      assert.ok(top <= 100, `the header has ${top} px`);
      assert.ok(Math.max(...rows) <= 64, `${Math.max(...rows)} px`);
    });

  it('no page logged an error', () => window.assertQuiet());
});
