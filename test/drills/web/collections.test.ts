import assert from 'node:assert/strict';
import type { Json } from '../../support/servers/api.ts';
import { assertFits, signIn, useBrowser, WIDTHS, type Window } from '../../support/servers/browser.ts';
import { at, FLAT, requestsTo, testCustomersOn } from '../../support/ledger/test-customer.ts';
import { tokenOf } from '../../support/servers/signed-in.ts';
import { useStack } from '../../support/servers/stack.ts';

describe('collections in a browser', () => {
  const stack = useStack();
  const { customer, plan, subscribe, advance, read, done } = testCustomersOn(requestsTo(stack));
  const openWindow = useBrowser();
  let window: Window;
  let customer_id: string;
  let invoices: Json[];
  const page = () => window.page;
  const button = (name: string) => page().getByRole('button', { name, exact: true });
  const dialog = () => page().getByRole('dialog');
  const visit = (path: string) =>
    page().goto(`${stack().api_url}${path}${path.includes('?') ? '&' : '?'}mode=test`);
  const loaded = () => page().waitForLoadState('networkidle');
  const list = () => page().getByRole('region', { name: 'Open invoices, the earliest due date first' });
  const pauseOf = async (path: string): Promise<Json> => (await read(path)).collection_pause;

  before(async () => {
    window = await openWindow();
    await signIn(page(), stack());
  });

  it('the page is empty while nothing is overdue or paused', async () => {
    await visit('/collections');
    await page().getByText('Nothing is overdue or paused').waitFor();
    customer_id = await customer({ name: 'Acme', email: 'ada@acme.com' });
    await subscribe(customer_id, await plan([FLAT]));
    invoices = await advance(customer_id, at('04-01T12:00'));
  });

  it('Pause reminders on an invoice says what is wrong, then pauses; Resume ends it', async () => {
    const { id, number } = invoices[0]!;
    await visit(`/invoices/${id}`);
    await button('Pause reminders').click();
    await dialog().getByLabel('Reason').selectOption('Payment promised');
    await dialog().getByLabel('Last day').fill(at('03-31').slice(0, 10));
    await dialog().getByLabel('Note').fill('Ada called');
    await button('Pause').click();
    await dialog().getByText('must be from').waitFor();
    assert.equal(await pauseOf(`/v1/invoices/${id}`), null);
    await dialog().getByLabel('Last day').fill(at('04-20').slice(0, 10));
    await loaded();
    await assertFits(page(), 'pause-invoice');
    await button('Pause').click();
    await page().getByText('Reminders and charges of this invoice are paused.').waitFor();
    await page().getByText('Ada called').waitFor();
    await loaded();
    await assertFits(page(), 'paused-invoice');
    const { reason, until, note } = await pauseOf(`/v1/invoices/${id}`);
    assert.deepEqual([reason, until, note], ['promised', at('04-20').slice(0, 10), 'Ada called']);
    await button('Resume reminders').click();
    await dialog().getByText(`Resume reminders of ${number}?`).waitFor();
    await dialog().getByRole('button', { name: 'Resume reminders' }).click();
    await button('Pause reminders').waitFor();
    assert.equal(await pauseOf(`/v1/invoices/${id}`), null);
  });

  it('a customer is paused on its page, and Collections says so of what it owes', async () => {
    await visit(`/customers/${customer_id}`);
    await button('Pause reminders').click();
    await button('Pause').click();
    await page().getByText('Reminders and charges of this customer are paused.').waitFor();
    assert.equal((await pauseOf(`/v1/customers/${customer_id}`)).reason, 'disputed');
    await done(`/v1/invoices/${invoices[2]!.id}/pause-collection`, { reason: 'other' });
    await visit('/collections');
    await list().getByText('Disputed (customer)').first().waitFor();
    await list().getByText('Another reason').waitFor();
    await loaded();
    await assertFits(page(), 'collections');
    await visit('/collections?overdue=false');
    await list().getByText(invoices[2]!.number).waitFor();
    assert.equal(await list().getByRole('link', { name: invoices[0]!.number }).count(), 0);
    await page().getByLabel('Paused').selectOption('not paused');
    await button('Filter').click();
    await page().getByText('No matching invoices').waitFor();
    await visit(`/customers/${customer_id}`);
    await button('Resume reminders').click();
    await dialog().getByRole('button', { name: 'Resume reminders' }).click();
    await button('Pause reminders').waitFor();
  });

  it('the statement of a customer is shown, saved and sent', async () => {
    await visit(`/customers/${customer_id}`);
    await page().getByText('3 open invoices').click();
    await list().getByText(invoices[1]!.number).waitFor();
    await loaded();
    await assertFits(page(), 'statement');
    const saved = page().waitForEvent('download');
    await button('Statement (PDF)').click();
    assert.match(
      (await saved).suggestedFilename(),
      new RegExp(`^statement-${customer_id}-\\d{4}-\\d\\d-\\d\\d\\.pdf$`),
    );
    await button('Send statement').click();
    await dialog().getByRole('button', { name: 'Send now' }).click();
    await page().getByRole('link', { name: 'The email' }).click();
    await page().getByText('This is a list of your open invoices.').waitFor();
    const [email] = (await read(`/v1/emails?customer_id=${customer_id}&kind=statement`)).data;
    assert.equal(email.invoice_ids.length, 3);
  });

  it('a payer saves the statement in the portal', async () => {
    const { url } = await done('/v1/portal-sessions', { customer_id });
    await page().goto(`${stack().api_url}/portal#${tokenOf(url)}`);
    const saved = page().waitForEvent('download');
    await button('Statement (PDF)').click();
    assert.match((await saved).suggestedFilename(), new RegExp(`^statement-${customer_id}-.*\\.pdf$`));
    await loaded();
    await assertFits(page(), 'portal-statement');
  });

  it('pages fit in the dark and on a phone', async () => {
    await visit('/');
    await page().getByLabel('Theme').selectOption('dark theme');
    await done(`/v1/invoices/${invoices[0]!.id}/pause-collection`, {
      reason: 'promised',
      note: 'Ada called',
    });
    for (const [path, name] of [
      ['/collections', 'collections-dark'],
      [`/invoices/${invoices[0]!.id}`, 'paused-invoice-dark'],
      [`/customers/${customer_id}`, 'statement-dark'],
    ] as const) {
      await visit(path);
      await loaded();
      await assertFits(page(), name);
    }
    await page().setViewportSize({ width: WIDTHS.phone, height: 900 });
    await visit(`/customers/${customer_id}`);
    await button('Pause reminders').click();
    await dialog().getByLabel('Last day').waitFor();
  });

  it('no page contacted another host or logged an error', () => window.assertQuiet());
});
