import assert from 'node:assert/strict';
import { assertFits, signIn, useBrowser, type Window } from '../../support/servers/browser.ts';
import { useStack } from '../../support/servers/stack.ts';
import { at, FLAT, requestsTo, testCustomersOn } from '../../support/ledger/test-customer.ts';

describe('the audit log in a browser', function () {
  const stack = useStack();
  const request = requestsTo(stack);
  const { advance, customer, plan, subscribe } = testCustomersOn(request);
  const openWindow = useBrowser();
  let window: Window;
  const page = () => window.page;
  const button = (name: string) => page().getByRole('button', { name, exact: true });
  const visit = (path: string) => page().goto(`${stack().api_url}${path}?mode=test`);

  before(async () => {
    window = await openWindow();
    await signIn(page(), stack());
  });

  it('a void is in the history of its invoice, by name and with its reason', async () => {
    const id = await customer({ name: 'Acme' });
    await subscribe(id, await plan([FLAT]));
    const [invoice] = await advance(id, at('02-01'));
    await visit(`/invoices/${invoice!['id']}`);
    await button('Void').click();
    const dialog = page().getByRole('dialog');
    await dialog.getByLabel('Reason').fill('Wrong plan');
    await dialog.getByRole('button', { name: 'Void' }).click();
    await page().getByText('void', { exact: true }).first().waitFor();
    await page().getByText('History').click();
    const row = page().getByRole('row', { name: 'Invoice voided' });
    await row.getByText('Owner').waitFor();
    await row.getByText('Wrong plan').waitFor();
    await row.getByText('status: open → void').waitFor();
  });

  it('acts are found by who did them and by action', async () => {
    await visit('/audit-log');
    await page().getByRole('row', { name: 'Invoice issued' }).getByText('Tidemark').waitFor();
    await page()
      .getByText(`→ ${at('01-01').slice(0, 10)} 00:00:00 UTC`)
      .first()
      .waitFor();
    await assertFits(page(), 'audit-log');
    await page().getByLabel('By').selectOption('user');
    await button('Filter').click();
    await page().getByRole('row', { name: 'Invoice voided' }).getByText('Acme').waitFor();
    assert.equal(await page().getByRole('row', { name: 'Session created' }).count(), 0);
    await page().getByLabel('By').selectOption({ label: 'Owner' });
    await page().getByLabel('Object').fill('INV-000001');
    await button('Filter').click();
    await page().getByRole('row', { name: 'Invoice issued' }).waitFor({ state: 'detached' });
    await page().getByRole('row', { name: 'Invoice voided' }).waitFor();
    await assertFits(page(), 'audit-log-of-number');
    await button('Show all').click();
    await page().getByRole('row', { name: 'Invoice issued' }).first().waitFor();
    await page().getByLabel('Sign-ins').selectOption('shown');
    await button('Filter').click();
    await page().getByRole('row', { name: 'Session created' }).first().waitFor();
    await page().getByLabel('Action').selectOption('Credit note issued');
    await button('Filter').click();
    await page().getByText('No matching acts').waitFor();
  });

  it('a long change stays in its column', async () => {
    const address = { line1: 'Hauptstrasse 1', city: 'Berlin', postal_code: '10115', country: 'DE' };
    await request('/v1/account', { method: 'PATCH', body: { address } });
    await visit('/audit-log');
    await page().getByText('Hauptstrasse').waitFor();
    const table = page().getByRole('region', { name: 'Acts, newest first' });
    const overflow = await table.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
    assert.equal(overflow, 0);
  });

  it('a plan has its history', async () => {
    const { data } = (await stack().done(stack().test_key, 'GET', '/v1/pricing-plans')) as {
      data: { id: string }[];
    };
    await visit(`/plans/${data[0]!.id}`);
    await page().getByText('History', { exact: true }).click();
    await page().getByRole('row', { name: 'Pricing plan created' }).getByText('the key').waitFor();
  });

  it('a name leads to all that the person has done', async () => {
    await visit('/audit-log');
    await page().getByRole('row', { name: 'Invoice voided' }).getByRole('link', { name: 'Owner' }).click();
    await page().waitForURL(/actor=usr_/);
    await page().getByRole('row', { name: 'Invoice voided' }).waitFor();
    // The id stands there until the name is read.
    await page()
      .getByLabel('By')
      .locator('option:checked', { hasText: 'Owner' })
      .waitFor({ state: 'attached' });
    window.assertQuiet();
  });
});
