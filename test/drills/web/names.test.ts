import assert from 'node:assert/strict';
import type { Json } from '../../support/servers/api.ts';
import {
  assertFits,
  choices,
  choose,
  signIn,
  useBrowser,
  type Window,
} from '../../support/servers/browser.ts';
import { eventually } from '../../support/servers/eventually.ts';
import { useStack } from '../../support/servers/stack.ts';
import { at, FLAT, requestsTo, testCustomersOn } from '../../support/ledger/test-customer.ts';

const NAME = 'Ökostrom & Söhne';
const NAMES = '/dashboard/api/names';

/** Pages name customers, plans and documents, and people choose them by name, email or id. */
describe('names in a browser', function () {
  const stack = useStack();
  const { advance, customer, done, grant, plan, read, subscribe, use } = testCustomersOn(requestsTo(stack));
  const openWindow = useBrowser();
  let window: Window;
  let named: string;
  let nameless: string;
  let plan_id: string;
  let invoice: Json;
  let subscription: Json;
  const page = () => window.page;
  const button = (name: string) => page().getByRole('button', { name, exact: true });
  const dialog = () => page().getByRole('dialog');
  const field = (name = 'Customer') => page().getByRole('combobox', { name, exact: true });
  const options = () => choices(page());
  const link = (name: string) => page().getByRole('link', { name, exact: true });
  const heading = (name: string) => page().getByRole('heading', { name, level: 1 }).waitFor();
  const visit = (path: string) =>
    page().goto(`${stack().api_url}${path}${path.includes('?') ? '&' : '?'}mode=test`);
  const query = (name: string) => new URL(page().url()).searchParams.get(name);

  before(async () => {
    named = await customer({ name: NAME, email: 'books@oeko.example' });
    nameless = await customer();
    plan_id = await plan([FLAT], { name: 'Pro', key: 'pro' });
    subscription = await subscribe(named, plan_id);
    await subscribe(nameless, plan_id);
    await use(named, [{ timestamp: at('01-02'), event_name: 'platform' }]);
    [invoice] = await advance(named, at('02-01'));
    await advance(nameless, at('02-01'));
    const line_item_id = invoice.line_items[0].id;
    await grant(named, 5);
    await grant(nameless, 7, { note: 'Welcome' });
    const credited = { lines: [{ line_item_id, amount: '9' }], reason: 'Outage' };
    await done(`/v1/invoices/${invoice.id}/credit-notes`, credited);
    window = await openWindow();
    await signIn(page(), stack());
  });

  it('are in every list instead of ids, and those of a page come in one request', async () => {
    const asked: Json[] = [];
    page().on('request', (request) => {
      if (request.url().endsWith(NAMES)) asked.push(JSON.parse(request.postData()!));
    });
    await visit('/subscriptions');
    await link(NAME).waitFor();
    await link(nameless).waitFor();
    await link('Pro, version 1').first().waitFor();
    assert.deepEqual(asked, [{ customers: [nameless, named], ids: [plan_id] }]);
    for (const path of ['/invoices', '/credit-notes', '/events', `/search?q=${subscription.id}x`, '/changes'])
      await visit(path).then(() => page().waitForLoadState('networkidle'));
    for (const path of [
      '/invoices',
      '/credit-notes',
      '/events?from=2020-01-01',
      '/changes',
      '/subscriptions',
    ]) {
      await visit(path);
      await page().getByText(NAME, { exact: true }).first().waitFor();
      const shown = await page().locator('main').innerText();
      for (const id of [named, plan_id, invoice.id, subscription.id])
        assert.ok(!shown.includes(id), `${path} shows ${id}`);
    }
  });

  it('stand in Changes for grants, customers and subscriptions, and days are written one way', async () => {
    await visit('/changes?types=credit_grant.*,customer.*,subscription.*,usage.*');
    const changes = page().getByRole('region', { name: /^Of the newest/ });
    await changes.getByText(`5 units, ${NAME}`).first().waitFor();
    await changes.getByText(`Welcome, ${nameless}`).first().waitFor();
    await changes
      .getByRole('link', { name: `${NAME}: Pro, version 1` })
      .first()
      .waitFor();
    const shown = await changes.innerText();
    assert.doesNotMatch(shown, /\b(cg|cus|sub)_/);
    for (const time of await changes.locator('time').allInnerTexts())
      assert.match(time, /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC$/);
    await assertFits(page(), 'changes-names');
  });

  it('of plans and invoices are on the page of a subscription, of a charge and an invoice on that of an event', async () => {
    await visit(`/subscriptions/${subscription.id}`);
    await heading(`Subscription of ${NAME}`);
    await link('Pro, version 1').first().waitFor();
    await link(invoice.number).nth(1).waitFor();
    await assertFits(page(), 'names-subscription');
    const [event] = (await read(`/v1/events?customer_id=${named}`)).data;
    await visit(`/events/${event.id}`);
    await link(NAME).waitFor();
    await assertFits(page(), 'names-event');
  });

  it('a new name shows on the next page', async () => {
    await done('/v1/customers', { external_id: 'renamed', name: 'Before' });
    await subscribe('renamed', plan_id);
    await visit('/subscriptions');
    await link('Before').click();
    await heading('Before');
    await button('Edit').click();
    await dialog().getByLabel('Name', { exact: true }).fill('After');
    await dialog().getByRole('button', { name: 'Save' }).click();
    await heading('After');
    await link('Subscriptions').click();
    await link('After').waitFor();
  });

  it('a customer is chosen by a part of the name, by keyboard alone, and the filter goes on showing the name', async () => {
    await visit('/invoices');
    await field().focus();
    await page().keyboard.type('soh');
    await options().waitFor();
    assert.match(
      (await options().innerText()).replaceAll(/\s+/g, ' '),
      /^Ökostrom & Söhne customer-1, books@oeko/,
    );
    assert.equal(await field().getAttribute('aria-expanded'), 'true');
    await assertFits(page(), 'names-choices');
    await page().keyboard.press('Enter');
    assert.equal(await field().inputValue(), NAME);
    assert.equal(await options().count(), 0);
    await page().keyboard.press('Enter');
    await page().waitForURL(/customer_id=/);
    assert.equal(query('customer_id'), named);
    await link(invoice.number).waitFor();
    await page().reload();
    await eventually(
      () => field().inputValue(),
      (shown) => shown === NAME,
    );
  });

  it('arrows go round, Escape closes the list, and what was typed stays', async () => {
    await visit('/invoices');
    await field().fill('customer');
    await options().nth(1).waitFor();
    const active = async () => page().locator('[role=option][aria-selected=true]').innerText();
    const first = await active();
    await page().keyboard.press('ArrowDown');
    assert.notEqual(await active(), first);
    await page().keyboard.press('ArrowDown');
    assert.equal(await active(), first);
    await page().keyboard.press('Escape');
    assert.equal(await options().count(), 0);
    assert.equal(await field().inputValue(), 'customer');
  });

  it('an id may be pasted, of a customer and of a subscription', async () => {
    const { id } = await read(`/v1/customers/${named}`);
    for (const pasted of [named, id, 'nobody']) {
      await visit('/invoices');
      await field().fill(pasted);
      await button('Filter').click();
      await page().waitForURL(/customer_id=/);
      if (pasted === 'nobody') await page().getByText('No matching invoices').waitFor();
      else await link(invoice.number).waitFor();
    }
    await visit('/invoices');
    await field('Subscription').fill(subscription.id);
    await options().waitFor();
    await assertFits(page(), 'names-subscriptions');
    await page().keyboard.press('Enter');
    assert.equal(await field('Subscription').inputValue(), `${NAME}: Pro, version 1`);
    await button('Filter').click();
    await page().waitForURL(/subscription_id=/);
    assert.equal(query('subscription_id'), subscription.id);
    await link(invoice.number).waitFor();
  });

  it('says that nothing was found, and why nothing can be', async () => {
    await visit('/subscriptions');
    await field().fill('nobody at all');
    await page().getByText('Nothing was found. You can also enter an id.').waitFor();
    await page().route('**/v1/search*', (route) => route.abort());
    await field().fill('somebody');
    await page().getByText('The API does not respond.').waitFor();
    await page().unroute('**/v1/search*');
    await field().fill('soh');
    await options().waitFor();
  });

  it('an answer to what was typed before is dropped', async () => {
    await visit('/subscriptions');
    let release = () => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    await page().route('**/v1/search?q=customer*', async (route) => {
      await held;
      await route.continue().catch(() => {});
    });
    await field().fill('customer');
    await page().waitForRequest('**/v1/search?q=customer*');
    await field().fill('soh');
    await options().waitFor();
    release();
    await page().waitForLoadState('networkidle');
    assert.equal(await options().count(), 1);
    await page().unroute('**/v1/search?q=customer*');
  });

  it('in forms: a plan takes a customer, invoices are generated for a subscription of a customer', async () => {
    const other = await plan([{ ...FLAT, event_name: 'seats' }], { name: 'Seats' });
    await visit(`/plans/${other}`);
    await field().fill('books@oeko');
    await options().click();
    await button('Subscribe').click();
    await heading(`Subscription of ${NAME}`);
    await visit('/invoices');
    await button('Generate').click();
    await dialog().getByRole('combobox', { name: 'Subscription' }).fill('öko');
    await options().nth(1).waitFor();
    await page().keyboard.press('Escape');
    assert.ok(await dialog().isVisible(), 'Escape closes the list alone');
    await dialog().getByRole('combobox', { name: 'Subscription' }).fill('oko');
    await options().filter({ hasText: 'Seats' }).click();
    await assertFits(page(), 'names-generate');
    await dialog().getByRole('button', { name: 'Generate invoices' }).click();
    await page()
      .getByText(/No period was due|This invoice was created/)
      .waitFor();
  });

  it('credit is granted for a subscription that is chosen by its plan', async () => {
    await visit(`/customers/${named}`);
    await button('Grant credit').click();
    await dialog().getByLabel('Units of usage').fill('5');
    await choose(page(), 'Only for the subscription', 'Pro');
    await dialog().getByRole('button', { name: 'Preview' }).click();
    await dialog().getByRole('button', { name: 'Grant', exact: true }).click();
    await page().getByRole('link', { name: /: Pro/ }).first().waitFor();
    const [{ subscription_id }] = (await read(`/v1/credit-grants?customer_id=${named}`)).data;
    assert.equal(subscription_id, subscription.id);
  });

  it('no page contacted another host or logged an error', () => window.assertQuiet());
});
