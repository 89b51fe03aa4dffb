import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import type { Invoice } from '../../../src/objects/invoice.ts';
import { newSignInLink } from '../../../src/db/account/sign-in-link.ts';
import { seriousFaults, useBrowser, type Window } from '../../support/servers/browser.ts';
import { useStack } from '../../support/servers/stack.ts';

const PHONE = { width: 390, height: 844 };
const DESKTOP = { width: 1400, height: 900 };
const LONG = 'Gesellschaft für außergewöhnlich lange Firmennamen und ihre Verwaltung mbH & Co. KG'.repeat(2);
const DAY_MS = 86_400_000;

describe('the pages of the dashboard', () => {
  const stack = useStack({ UNRATED_ALARM_PERCENT: '50' });
  const openWindow = useBrowser();
  let window: Window;
  let url = '';
  /** Invoices of September and October 2026. */
  const invoices: Invoice[] = [];
  const page = (): Page => window.page;
  const done = <Body>(method: string, path: string, body?: object, key = stack().test_key) =>
    stack().done<Body>(key, method, `/v1${path}`, body);
  const send = (customer_id: string, event_name: string, idempotency_key: string) =>
    done('POST', '/events', { customer_id, event_name, idempotency_key });
  const button = (name: string) => page().getByRole('button', { name, exact: true });
  const visit = (path: string) => page().goto(url + path);
  /** The numbers of a list of invoices, once it is no longer that of the previous filters. */
  const numbersInList = async () => {
    await page().locator('.loaded[aria-busy="true"]').last().waitFor({ state: 'hidden' });
    await page().getByRole('link', { name: /^INV-/ }).first().waitFor();
    return page().getByRole('link', { name: /^INV-/ }).allInnerTexts();
  };

  before(async () => {
    window = await openWindow();
    url = stack().api_url;
    await done('POST', '/customers', { external_id: 'acme', name: LONG, email: 'old@acme.example' });
    await stack().pool.query(`update customers set test_clock = '2026-09-01T00:00:00Z'`);
    const charges = [{ event_name: 'api_call', pricing_model: 'per_unit', unit_amount: '7' }];
    const plan = await done<{ id: string }>('POST', '/pricing-plans', { name: LONG, charges });
    await done('POST', '/subscriptions', { customer_id: 'acme', plan_id: plan.id });
    for (const to of ['2026-10-10', '2026-11-02']) {
      await send('acme', 'api_call', to);
      const advance = { customer_id: 'acme', to };
      invoices.push(
        ...(await done<{ invoices: Invoice[] }>('POST', '/test-clock/advance', advance)).invoices,
      );
    }
  });

  it('signing in leads to the requested page', async () => {
    await visit(`/invoices/${invoices[0]!.id}?mode=test`);
    await page().getByText('npm run tidemark -- sign-in').waitFor();
    const elsewhere = await window.context.newPage();
    await elsewhere.goto((await newSignInLink(stack().pool, `${url}/`))!);
    await elsewhere.getByRole('heading', { name: 'Invoice INV-000001' }).waitFor();
    await elsewhere.close();
    await page().evaluate(`dispatchEvent(new Event('focus'))`);
    await page().getByRole('heading', { name: 'Invoice INV-000001' }).waitFor();
  });

  it('invoices of October: by month, and by first and last day', async () => {
    await visit('/invoices');
    await page().getByLabel('Month').fill('2026-10');
    await button('Filter').click();
    await page().waitForURL(/month=2026-10/);
    await page().getByText('2026-10-01 to 2026-10-31').waitFor();
    assert.deepEqual(await numbersInList(), ['INV-000002']);
    for (const [from, to] of [
      ['2026-10-01', '2026-10-31'],
      ['2026-10-31', '2026-10-31'],
    ]) {
      await visit(`/invoices?from=${from}&to=${to}`);
      assert.deepEqual(await numbersInList(), ['INV-000002']);
    }
    await visit('/invoices?month=2026-11');
    await page().getByText('No matching invoices').waitFor();
  });

  it('invoices of October by day of issue are others, and the last day is included', async () => {
    const found = async (query: string) => {
      await visit(`/invoices?by=issue&${query}`);
      return numbersInList();
    };
    await visit('/invoices?month=2026-11');
    await page().getByLabel('By').selectOption({ label: 'day of issue' });
    await button('Filter').click();
    await page().waitForURL(/by=issue/);
    assert.deepEqual(await numbersInList(), ['INV-000002']);
    assert.deepEqual(await found('month=2026-10'), ['INV-000001']);
    const day = invoices[1]!.issued_at!.slice(0, 10);
    assert.deepEqual(await found(`from=${day}&to=${day}`), ['INV-000002']);
    await visit('/invoices?by=issue&month=2026-09');
    await page().getByText('Drafts have no day of issue').waitFor();
  });

  it('events of the last day are included', async () => {
    await visit('/events?from=2026-10-10&to=2026-10-10');
    await page().getByText('2026-10-10 00:00:00').waitFor();
  });

  it('an invoice names the customer as it did when it was issued', async () => {
    await done('PATCH', '/customers/acme', { name: 'Renamed', email: 'new@acme.example' });
    await visit(`/invoices/${invoices[0]!.id}`);
    const paper = page().getByRole('article');
    await paper.getByText('old@acme.example').waitFor();
    assert.equal(await paper.getByText('Renamed').count(), 0);
    await done('PATCH', '/customers/acme', { name: LONG });
  });

  it('half a payment is recorded, and taken back', async () => {
    const { id } = invoices[1]!;
    await visit(`/invoices/${id}`);
    await button('Record payment').click();
    const dialog = page().getByRole('dialog');
    assert.equal(await dialog.getByLabel('Amount in USD').inputValue(), '7.00');
    await dialog.getByLabel('Amount in USD').fill('7.01');
    await dialog.getByRole('button', { name: 'Record payment' }).click();
    await dialog.getByText('is above 7.00, what is due').waitFor();
    await dialog.getByLabel('Amount in USD').fill('3.50');
    await dialog.getByLabel('Reference').fill('transfer 4711');
    await dialog.getByRole('button', { name: 'Record payment' }).click();
    const payments = page().getByRole('region', { name: 'Payments of this invoice' });
    await payments.getByText('transfer 4711').waitFor();
    assert.equal((await done<Invoice>('GET', `/invoices/${id}`)).payment_status, 'partially_paid');
    assert.equal(await button('Void').count(), 0);
    await payments.getByRole('button', { name: 'Reverse' }).click();
    await page().getByRole('dialog').getByLabel('Reason').fill('of another customer');
    await page().getByRole('dialog').getByRole('button', { name: 'Reverse payment' }).click();
    await payments.getByText('of another customer').waitFor();
    assert.equal((await done<Invoice>('GET', `/invoices/${id}`)).amount_due, '7.00');
    await button('Void').waitFor();
  });

  it('open invoices of a customer are added up', async () => {
    await visit('/invoices?customer_id=acme&status=open');
    const sums = page().getByRole('region', { name: 'Sums by currency' });
    await sums.getByRole('cell').first().waitFor();
    const cells = (await sums.getByRole('cell').allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' '));
    assert.deepEqual(cells, ['USD', '14.00 USD 2 invoices']);
    assert.equal((await sums.getByRole('columnheader').allInnerTexts()).length, 2);
    await visit('/invoices?overdue=true');
    await page().getByRole('link', { name: 'INV-000001' }).waitFor();
    assert.equal(await page().getByRole('link', { name: 'INV-000002' }).count(), 1);
  });

  it('Void is red, and asks for a reason', async () => {
    await visit(`/invoices/${invoices[0]!.id}`);
    await button('Void').click();
    const dialog = page().getByRole('dialog');
    const submit = dialog.getByRole('button', { name: 'Void invoice' });
    const colour = await submit.evaluate((element) => {
      const { backgroundColor } = element.ownerDocument.defaultView!.getComputedStyle(element);
      return backgroundColor;
    });
    assert.equal(colour, 'rgb(163, 24, 43)');
    await submit.click();
    await dialog.getByText('is missing; enter a reason').waitFor();
    assert.equal((await done<Invoice>('GET', `/invoices/${invoices[0]!.id}`)).status, 'open');
    await dialog.getByLabel('Reason').fill('goodwill');
    await submit.click();
    await page().getByText('This invoice is void and must not be paid.').waitFor();
    await page().getByText('goodwill').waitFor();
  });

  it('an object of the live data that is opened in the test data is one click away', async () => {
    await done('POST', '/customers', { external_id: 'paying', name: 'Paying Ltd' }, stack().live_key);
    await visit('/customers/paying?mode=test');
    await page().getByRole('link', { name: 'Look in the live data' }).click();
    await page().getByRole('heading', { name: 'Paying Ltd' }).waitFor();
    await page().getByText('Live data', { exact: true }).waitFor();
  });

  it('a mistyped address is a page of the dashboard for a browser, and JSON for programs', async () => {
    const answer = await visit('/invoises?mode=test');
    assert.equal(answer!.status(), 404);
    await page().getByRole('heading', { name: 'Page not found' }).waitFor();
    await page().getByRole('link', { name: 'Home' }).first().waitFor();
    const program = await fetch(`${url}/invoises`, { headers: { Accept: '*/*' } });
    assert.equal(program.status, 404);
    assert.match(await program.text(), /"not_found"/);
    const of_api = await fetch(`${url}/v1/invoises`, { headers: { Accept: 'text/html' } });
    assert.equal(of_api.status, 401);
  });

  it('Home warns of events that no charge counts, and names them', async () => {
    const names = ['apicall', 'apicall', 'apicall', 'storage'];
    await done('POST', '/customers', { external_id: 'typing' });
    for (const [at, name] of names.entries()) await send('typing', name, `unrated ${at}`);
    await visit('/?mode=test');
    const alarm = page().locator('.notice-fault');
    await alarm.getByText(/\d percent of the events of the last 30 days are unrated/).waitFor();
    const row = alarm.getByRole('row', { name: 'apicall' });
    assert.match((await row.innerText()).replaceAll(/\s+/g, ' '), /^apicall typing 3$/);
    await row.getByRole('link', { name: 'apicall' }).click();
    await page().waitForURL(/event_name=apicall/);
  });

  it('the usage report counts by day, name or customer, and leads to the events of a status', async () => {
    await visit('/usage-report?mode=test&from=2026-10-01&to=2026-10-31');
    await page()
      .getByText(/^Exact as of/)
      .waitFor();
    await page().getByRole('row', { name: '2026-10-10' }).waitFor();
    await page().getByLabel('By', { exact: true }).selectOption('Event name');
    await button('Filter').click();
    const row = page().getByRole('row', { name: 'api_call' });
    await row.waitFor();
    await row.getByRole('link').first().click();
    await page().waitForURL(/billing_status=billed/);
    await page().getByRole('link', { name: LONG }).first().waitFor();
  });

  it('Home names set-aside customers in amber, and shows nothing if there are none', async () => {
    const notice = page().locator('.notice-attention', { hasText: 'set aside' });
    await visit('/?mode=test');
    await page().getByRole('heading', { name: 'Events of the last 30 days' }).waitFor();
    assert.equal(await notice.count(), 0);
    await done('POST', '/customers', { external_id: 'left-out' });
    await stack().pool.query(
      `insert into set_aside (environment_id, job, customer_id, reason)
       select environment_id, 'expired_credit', id, 'the ledger refused the row' from customers where external_id = 'left-out'`,
    );
    await visit('/?mode=test');
    await notice.getByText('One customer is set aside').waitFor();
    await notice.getByText('Its expired credit is not written off').waitFor();
    assert.equal(await page().getByText('the ledger refused the row').count(), 0, 'it is for operators');
    await notice.getByRole('link', { name: 'left-out' }).click();
    await page().waitForURL('**/customers/left-out?mode=test');
    await stack().pool.query('delete from set_aside');
  });

  it('the live view leaves out what a test clock has brought ahead, and leads to it', async () => {
    await visit('/events');
    assert.equal(await page().getByText('New events appear every two seconds').count(), 0);
    await done('POST', '/customers', { external_id: 'future' });
    const to = new Date(Date.now() + 40 * DAY_MS).toISOString();
    await done('POST', '/test-clock/advance', { customer_id: 'future', to });
    await send('future', 'api_call', 'ahead');
    await visit('/events');
    await page().getByText('unrated 0').waitFor();
    assert.equal(await page().getByRole('link', { name: 'future' }).count(), 0);
    await page().getByRole('link', { name: 'Show them' }).click();
    await page().getByRole('link', { name: 'future' }).waitFor();
    assert.equal(await page().getByText('unrated 0').count(), 0);
  });

  for (const path of ['/customers', '/customers/acme', '/plans', '/events'])
    it(`${path}: a long name stays in its column, and its tooltip shows it in full`, async () => {
      await page().setViewportSize(DESKTOP);
      await visit(path);
      if (path !== '/events') await page().getByRole('cell').getByTitle(LONG).first().waitFor();
      await page().getByRole('row').nth(1).waitFor();
      assert.deepEqual(await overflowing(), []);
    });

  it('on a phone the page begins in the first fifth, and amounts are visible', async () => {
    await page().setViewportSize(PHONE);
    await visit('/invoices');
    const total = page().getByRole('cell', { name: '7.00 USD' }).first();
    await total.waitFor();
    const { x, width } = (await total.locator('.number').boundingBox())!;
    assert.ok(x >= 0 && x + width <= PHONE.width, `from ${x}, ${width} wide`);
    const { y } = (await page().getByRole('heading', { level: 1 }).boundingBox())!;
    assert.ok(y <= PHONE.height / 5, `the heading stands at ${y}`);
    assert.deepEqual(await overflowing(), []);
  });

  it('on a phone the warnings of Home are as wide as the page, however long the names', async () => {
    await send('typing', `${'a_very_long_event_name_'.repeat(10)}end`, 'unrated and long');
    await stack().pool.query(
      `insert into set_aside (environment_id, job, customer_id, reason)
       select environment_id, 'expired_credit', id, repeat('no_room_to_break_', 9) from customers where external_id = 'typing'`,
    );
    await visit('/');
    await page().getByText('is set aside').waitFor();
    await page().getByRole('cell', { name: 'a_very_long' }).waitFor();
    assert.equal(await page().evaluate<number>('document.documentElement.scrollWidth'), PHONE.width);
    const [first, second] = await page().locator('.notice').all();
    const { y, height } = (await first!.boundingBox())!;
    assert.ok((await second!.boundingBox())!.y > y + height, 'one stands apart from the other');
    for (const colorScheme of ['dark', 'light'] as const) {
      await page().emulateMedia({ colorScheme });
      assert.deepEqual(await seriousFaults(page()), [], colorScheme);
    }
    await stack().pool.query('delete from set_aside');
    window.assertQuiet();
  });

  /** Text of the cells whose content is wider than the cell. */
  const overflowing = () =>
    page().evaluate<string[]>(
      `[...document.querySelectorAll('td')].filter((cell) => cell.scrollWidth > cell.clientWidth + 1).map((cell) => cell.innerText)`,
    );
});
