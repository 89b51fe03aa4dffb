import assert from 'node:assert/strict';
import { assertFits, signIn, useBrowser, type Window } from '../../support/servers/browser.ts';
import { useStack } from '../../support/servers/stack.ts';
import { subscriptionsOf, type HeldDraft } from '../../support/ledger/subscriptions.ts';

/** Steps that are easily forgotten before live invoices go out, because no program misses them. */
describe('the start with live data', () => {
  const stack = useStack({ GRACE_PERIOD: '1h' });
  const { aHeldDraft } = subscriptionsOf(stack);
  const openWindow = useBrowser();
  let window: Window;
  let held: HeldDraft;
  const page = () => window.page;
  const visit = (path: string, mode = 'live') => page().goto(`${stack().api_url}${path}?mode=${mode}`);
  const button = (name: string) => page().getByRole('button', { name, exact: true });
  const band = () => page().locator('.notice', { hasText: 'Before your first invoice is issued' });
  const started = (count: string) => page().getByText(`Getting started: ${count} steps are done`);

  before(async () => {
    held = await aHeldDraft();
    const { customer_id } = held.subscription;
    const event = { event_name: 'api_call', customer_id, idempotency_key: 'first' };
    await stack().done(stack().live_key, 'POST', '/v1/events', event);
    window = await openWindow();
    await signIn(page(), stack());
  });

  it('has two more steps than test data: the seller, and finance', async () => {
    await visit('/', 'test');
    await started('1 of 6').or(started('0 of 6')).waitFor();
    assert.equal(await page().getByText('Say who sells').count(), 0);
    await visit('/');
    await started('6 of 8').waitFor();
    const seller = page().locator('.steps details', { hasText: 'Say who sells' });
    for (const text of ['Name', 'Address', 'VAT id or tax id', 'INV-', 'UTC'])
      await seller.getByText(text, { exact: true }).waitFor();
    await assertFits(page(), 'live-start');
  });

  it('a draft before the first invoice says what the seller lacks, and who is to be invited', async () => {
    await visit(`/invoices/${held.draft.id}`);
    await band().getByText('The seller has no name of its own, no address, no VAT id or tax id.').waitFor();
    await assertFits(page(), 'first-draft');
    await page().emulateMedia({ colorScheme: 'dark' });
    await assertFits(page(), 'first-draft-dark');
    await page().emulateMedia({ colorScheme: 'light' });
    await band().getByRole('link', { name: 'Set the seller' }).click();
    await page().getByLabel('Name', { exact: true }).fill('Acme GmbH');
    await page().getByLabel('Street and number').fill('Hauptstr. 1');
    await page().getByLabel('City').fill('Berlin');
    await page().getByLabel('Country').fill('DE');
    await page().getByLabel('Tax id 1', { exact: true }).fill('DE136695976');
    await button('Save').click();
    await page().getByText('Saved.').waitFor();
    await visit(`/invoices/${held.draft.id}`);
    await band().getByText('Nobody else may do the work of finance yet.').waitFor();
    assert.equal(await band().getByText('The seller').count(), 0);
  });

  it('has no band once finance is invited, and is done', async () => {
    await band().getByRole('link', { name: 'Invite your finance' }).click();
    await button('Invite a person').click();
    const dialog = page().getByRole('dialog');
    await dialog.getByLabel('Email').fill('fin@example.org');
    await dialog.getByLabel('Name').fill('Fin');
    await dialog.getByLabel('Role').selectOption('finance');
    await dialog.getByRole('button', { name: 'Make the link' }).click();
    await dialog.getByText('Copy the link now').waitFor();
    await visit(`/invoices/${held.draft.id}`);
    await page().getByText('This is a draft').waitFor();
    await page().waitForLoadState('networkidle');
    assert.equal(await band().count(), 0);
    await visit('/');
    await started('all 8').waitFor();
  });

  it('no page logged an error', () => window.assertQuiet());
});
