import assert from 'node:assert/strict';
import type { Json } from '../../support/servers/api.ts';
import {
  assertFits,
  seriousFaults,
  signIn,
  takePicture,
  useBrowser,
  type Window,
} from '../../support/servers/browser.ts';
import { useStack } from '../../support/servers/stack.ts';
import { at, PER_UNIT, requestsTo, testCustomersOn, times } from '../../support/ledger/test-customer.ts';
import { TIERS } from '../../support/ledger/tiers.ts';

const T = { event_name: 'api_call', name: 'API calls', pricing_model: 'graduated', tiers: TIERS };
const [IN_JANUARY, IN_FEBRUARY] = [at('01-01T12:00'), at('02-02')];
const DAY = { march: at('03-01').slice(0, 10), february: at('02-01').slice(0, 10) };

/** Customer, event, invoice and late lines: a person reads what is owed, what becomes of an event, and how an amount adds up. */
describe('customers, events and invoices in a browser', () => {
  const stack = useStack();
  const { advance, customer, done, plan, read, subscribe, use } = testCustomersOn(requestsTo(stack));
  const openWindow = useBrowser();
  let window: Window;
  let id: string;
  let january: Json;
  const page = () => window.page;
  const visit = (path: string) => page().goto(`${stack().api_url}${path}?mode=test`);
  const button = (name: string) => page().getByRole('button', { name, exact: true });
  const link = (name: string) => page().getByRole('link', { name, exact: true });
  const dialog = () => page().getByRole('dialog');
  const heading = (name: string) => page().getByRole('heading', { name, level: 1 });
  const billing = () => page().locator('.event-billing');
  /** The text of a part of the page in one line. */
  const words = async (selector: string) => {
    await page().locator(selector).first().waitFor();
    return (await page().locator(selector).first().innerText()).replaceAll(/\s+/g, ' ');
  };
  const newestEvent = async (filter: string) =>
    (await read(`/v1/events?customer_id=${id}&${filter}`)).data[0].id;
  /** Looks at a page in both themes and at both widths. */
  const assertSound = async (name: string) => {
    await page().waitForLoadState('networkidle');
    await page().emulateMedia({ colorScheme: 'dark' });
    assert.deepEqual(await seriousFaults(page()), []);
    await takePicture(page(), `${name}-dark`);
    await page().emulateMedia({ colorScheme: 'light' });
    await assertFits(page(), name);
  };

  before(async () => {
    id = await customer({ name: 'Acme' });
    await subscribe(id, await plan([T], { name: 'Pay as you go' }));
    await use(id, times(1000, { timestamp: IN_JANUARY }));
    [january] = (await advance(id, at('02-03'))) as [Json];
    await use(id, [...times(200, { timestamp: IN_JANUARY }), { timestamp: IN_FEBRUARY }]);
    await use(id, [{ timestamp: IN_FEBRUARY, event_name: 'apicall' }]);
    window = await openWindow();
    await signIn(page(), stack());
  });

  it('a customer begins with what it owes, then its invoices and subscriptions; Redact and Delete are at the foot', async () => {
    await visit(`/customers/${id}`);
    assert.equal(await words('.owes'), 'owes 100.00 USD, 100.00 overdue');
    await page().getByText('Ahead of real time.').waitFor();
    await page().getByRole('region', { name: 'Latest invoices' }).waitFor();
    const sections = await page().getByRole('heading', { level: 2 }).allInnerTexts();
    assert.deepEqual(sections.slice(0, 3), ['Invoices', 'Statement', 'Subscriptions']);
    assert.equal(sections.at(-1), 'Details');
    assert.deepEqual(await page().locator('.page-head button').allInnerTexts(), [
      'Portal link',
      'Pause reminders',
      'Edit',
    ]);
    const main = await page().locator('main').innerText();
    assert.match(main, /History\s+Redact customer\s+Delete customer\s*$/);
    await assertSound('customer-owes');
    await link('100.00 overdue').click();
    await page().waitForURL(/overdue=true/);
    await link(january.number).waitFor();
    await visit(`/customers/${await customer()}`);
    assert.equal(await words('.owes'), 'owes nothing');
  });

  it('an event that arrived after its invoice says so, on which invoice it comes, and what to regenerate', async () => {
    await visit(`/events/${await newestEvent('billing_status=late')}`);
    await link(january.number).waitFor();
    const sentence = `Arrived after ${january.number} was issued; on the next invoice, of ${DAY.march} UTC, or regenerate.`;
    await billing().getByText(sentence).waitFor();
    assert.match(await words('.event-billing'), /^late API calls/);
    await page().getByText('Ahead of real time.').waitFor();
    await assertSound('event-late');
    await link('regenerate').click();
    await heading(`Regenerate ${january.number}`).waitFor();
  });

  it('a charge without usage names its plan, and Home counts what lies ahead of real time', async () => {
    await visit('/');
    // The test clock of the customer is years ahead.
    await link('1,202 ahead of real time').waitFor();
    assert.equal(await page().getByText('No events in the last 30 days').count(), 0);
    const heading_text = await page()
      .getByRole('heading', { name: 'Events of the last 30 days and ahead of real time' })
      .innerText();
    const table = page().getByRole('region', {
      name: 'Events of the last 30 days and ahead of real time by billing status',
    });
    await table.waitFor();
    const counts = await table.locator('tbody td:last-child').allInnerTexts();
    const numberOf = (text: string) => Number(text.replaceAll(/\D/g, ''));
    const sum = counts.reduce((total, text) => total + numberOf(text), 0);
    assert.equal(sum, numberOf(heading_text.slice(heading_text.indexOf(':'))), heading_text);
    await assertSound('home-ahead');
    const unused = await customer();
    await subscribe(unused, await plan([PER_UNIT], { name: 'Mail plan' }));
    await visit(`/customers/${unused}`);
    await page().getByText('Without usage: api_call (Mail plan).').waitFor();
  });

  it('a billed event leads to its line, a pending one says when, and an unrated one what the plans count', async () => {
    await visit(`/events/${await newestEvent('billing_status=billed')}`);
    await billing().getByText(`Billed on ${january.number}.`).waitFor();
    await visit(`/events/${await newestEvent('billing_status=pending')}`);
    const sentence = `In a period that is not billed yet; on the invoice of ${DAY.march} UTC.`;
    await billing().getByText(sentence).waitFor();
    await visit(`/events/${await newestEvent('billing_status=unrated')}`);
    await billing().getByText("No charge of the customer's plans has this event name.").waitFor();
    await page().getByRole('row', { name: 'api_call API calls all events of this name' }).waitFor();
    await assertSound('event-unrated');
  });

  it('an invoice says how many events arrived since, and what they add', async () => {
    await visit(`/invoices/${january.id}`);
    await page().getByText('200 events arrived since: adds 15.00 USD.').waitFor();
    await page().getByText('Ahead of real time.').waitFor();
    await assertSound('invoice-arrived-since');
    await link('regenerate this one').click();
    await heading(`Regenerate ${january.number}`).waitFor();
  });

  it('neither the invoice nor the event offers to regenerate an invoice that has a payment', async () => {
    const late = await newestEvent('billing_status=late');
    const path = `/v1/invoices/${january.id}`;
    const { id: payment_id } = await done(`${path}/payments`, { amount: '1.00' });
    await visit(`/invoices/${january.id}`);
    await page().getByText('next invoice of the subscription').waitFor();
    assert.equal(await page().getByText('regenerate this one').count(), 0);
    await assertSound('invoice-paid-arrived-since');
    await visit(`/events/${late}`);
    const sentence = `Arrived after ${january.number} was issued; on the next invoice, of ${DAY.march} UTC.`;
    await billing().getByText(sentence).waitFor();
    await assertSound('event-late-of-paid');
    await done(`/v1/payments/${payment_id}/reverse`, { reason: 'bounced' });
    await visit(`/events/${late}`);
    await link('regenerate').waitFor();
  });

  it('a late line adds up: all units priced together, with the tiers, less what was billed before', async () => {
    const [february] = (await advance(id, at('03-01'))) as [Json];
    await visit(`/invoices/${february.id}`);
    await page().getByText('Late usage: API calls').click();
    const arithmetic = page().locator('.disclosed').first();
    await arithmetic.getByText('1,200 priced together:').waitFor();
    const text = (await arithmetic.innerText()).replaceAll(/\s+/g, ' ');
    assert.ok(text.includes(`200 on this line, 1,000 on ${january.number}.`), text);
    assert.ok(text.includes('up to 10,000 200 × 0.05 + 5.00 15.00'), text);
    assert.ok(text.includes(`115.00, less 100.00 on ${january.number} = 15.00 USD`), text);
    await assertSound('late-line');
    await visit(`/invoices/${january.id}`);
    await page().getByRole('article').waitFor();
    await page().waitForLoadState('networkidle');
    assert.equal(await page().getByText('arrived since').count(), 0);
  });

  it('a late line of a plan that was changed since adds up by that plan', async () => {
    const changing = await customer();
    const { id: subscription_id } = await subscribe(changing, await plan([PER_UNIT]));
    await use(changing, times(2, { timestamp: IN_JANUARY }));
    const plan_id = await plan([{ ...PER_UNIT, unit_amount: '3' }]);
    await done(`/v1/subscriptions/${subscription_id}/change`, { plan_id, at: at('01-16') });
    const [first] = (await advance(changing, at('01-16'))) as [Json];
    await use(changing, times(1, { timestamp: IN_JANUARY }));
    const [second] = (await advance(changing, at('02-01'))) as [Json];
    await visit(`/invoices/${second.id}`);
    await page().getByText('Late usage: Api call').click();
    await page().getByText('3 × 1 = 3.00 USD').waitFor();
    await page().getByText(`3.00, less 2.00 on ${first.number} = 1.00 USD`).waitFor();
  });

  it('a void invoice is billed again by a button, both lead to each other, and versions show a void at once', async () => {
    const [{ id: void_id, number }] = (await read(`/v1/invoices?customer_id=${id}`)).data;
    await visit(`/invoices/${void_id}`);
    await button('Void').click();
    await dialog().getByLabel('Reason').fill('wrong price');
    await dialog().getByRole('button', { name: 'Void invoice' }).click();
    await button('Bill this period again').click();
    await takePicture(page(), 'bill-again');
    await dialog().getByRole('button', { name: 'Bill this period again' }).click();
    await page().waitForURL((url) => !url.pathname.endsWith(void_id));
    const versions = page().getByRole('region', { name: 'Versions of this invoice, oldest first' });
    await versions.getByRole('row', { name: number }).getByText('void').waitFor();
    await versions.getByRole('row', { name: 'this one' }).getByText('open').waitFor();
    assert.equal(await button('Bill this period again').count(), 0);
    await button('Void').click();
    await dialog().getByLabel('Reason').fill('wrong again');
    await dialog().getByRole('button', { name: 'Void invoice' }).click();
    await versions.getByRole('row', { name: 'this one' }).getByText('void').waitFor();
    await button('Bill this period again').waitFor();
    await assertSound('invoice-void-versions');
    await versions.getByRole('link', { name: number }).click();
    await page().getByText('It was replaced by').waitFor();
    await page().waitForLoadState('networkidle');
    await page().getByText('This invoice is void and must not be paid.').waitFor();
  });

  it('an invoice that is credited in full says so on its page and in lists, and offers no further credit', async () => {
    await visit(`/invoices/${january.id}`);
    await link('Credit…').waitFor();
    await done(`/v1/invoices/${january.id}/credit-notes`, { lines: 'all', reason: 'Outage' });
    await page().reload();
    await page().getByRole('article').getByText('credited in full').waitFor();
    assert.equal(await link('Credit…').count(), 0);
    await visit('/invoices');
    await page().getByRole('row', { name: january.number }).getByText('credited in full').waitFor();
  });

  it('documents have the days of their zone, and the pages no instants of UTC', async () => {
    await visit(`/invoices/${january.id}`);
    const record = page().locator('.definitions');
    await record.getByText(`${DAY.february} UTC`).first().waitFor();
    assert.doesNotMatch(await record.innerText(), /\d\d:\d\d:\d\d/);
    await link('CN-000001').click();
    await heading('Credit note CN-000001').waitFor();
    await page().getByText('Ahead of real time.').waitFor();
    assert.doesNotMatch(await page().locator('.definitions').innerText(), /\d\d:\d\d:\d\d/);
  });

  it('a print has the document alone', async () => {
    await visit(`/invoices/${january.id}`);
    await page().getByRole('article').waitFor();
    await page().emulateMedia({ media: 'print', colorScheme: 'dark' });
    await takePicture(page(), 'invoice-print');
    assert.ok(await page().getByRole('article').isVisible());
    for (const hidden of ['header.side', '.band', '.page-head', '.definitions', '.clock-ahead'])
      assert.ok(!(await page().locator(hidden).first().isVisible()), hidden);
    await page().emulateMedia({ media: 'screen', colorScheme: 'light' });
  });

  it('no page contacted another host or logged an error', () => window.assertQuiet());
});
