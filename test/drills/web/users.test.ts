import assert from 'node:assert/strict';
import { startApi, type TestApi } from '../../support/servers/api.ts';
import { assertFits, signIn, useBrowser, type Window } from '../../support/servers/browser.ts';
import { FLAT, testCustomersOn } from '../../support/ledger/test-customer.ts';
import { tokenOf } from '../../support/servers/signed-in.ts';

describe('users in a browser', function () {
  const openWindow = useBrowser();
  let api: TestApi;
  let window: Window;
  before(async () => {
    api = await startApi({ processes: 1 });
    window = await openWindow();
    await signIn(window.page, { pool: api.pool, api_url: api.url });
  });
  after(() => api.close());

  const button = (name: string, { page }: Window = window) => page.getByRole('button', { name, exact: true });
  const dialog = () => window.page.getByRole('dialog');
  const row = (name: string) => window.page.getByRole('row', { name });

  /** Invites a person, and opens the link in another browser. */
  async function arrive(name: string, role: string): Promise<Window> {
    await window.page.goto(`${api.url}/settings/users`);
    await button('Invite a person').click();
    await dialog().getByLabel('Email').fill(`${name}@example.com`.toLowerCase());
    await dialog().getByLabel('Name').fill(name);
    await dialog().getByLabel('Role').selectOption(role);
    await dialog().getByRole('button', { name: 'Make the link' }).click();
    const link = await dialog().getByText('/sign-in#').innerText();
    await dialog().getByRole('button', { name: 'I have copied the link' }).click();
    await row(name).getByText('invited').waitFor();
    const other = await openWindow();
    await other.page.goto(`${api.url}/sign-in#${tokenOf(link)}`);
    await other.page.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
    return other;
  }

  it('a person is invited, a fault stands at its field, and the link signs in', async () => {
    await window.page.goto(`${api.url}/settings/users`);
    await row('Owner').getByText('active').waitFor();
    await button('Invite a person').click();
    await dialog().getByLabel('Email').fill('ada');
    await dialog().getByLabel('Name').fill('Ada');
    await dialog().getByRole('button', { name: 'Make the link' }).click();
    await dialog().getByText('must be an email address').waitFor();
    await dialog().getByRole('button', { name: 'Cancel' }).click();
    const ada = await arrive('Ada', 'viewer');
    await ada.page.getByText('Ada, viewer').waitFor();
    await window.page.reload();
    await row('Ada').getByText('active').waitFor();
    await assertFits(window.page, 'users');
    await ada.context.close();
  });

  it('a viewer is offered nothing that the role may not do, and a refusal does not sign out', async () => {
    const bob = await arrive('Bob', 'viewer');
    await bob.page.goto(`${api.url}/settings`);
    await bob.page.getByRole('heading', { name: 'Account', level: 1 }).waitFor();
    assert.equal(await bob.page.getByRole('link', { name: 'Users' }).count(), 0);
    await bob.page.getByLabel('Prefix of invoice numbers').waitFor();
    for (const name of ['Save', 'Add a tax id']) assert.equal(await button(name, bob).count(), 0, name);
    await bob.page.goto(`${api.url}/plans/new`);
    await bob.page.getByText('Your role is viewer, and does not allow this').waitFor();
    await bob.page.getByText('Ask an admin: Owner.').waitFor();
    await assertFits(bob.page, 'only-for-others');
    await bob.page.goto(`${api.url}/?mode=live`);
    const step = bob.page.locator('.steps details', { hasText: 'Invite your finance' });
    await step.getByText('Invite your finance').click();
    await step.getByText('Ask an admin: Owner.').waitFor();
    for (const name of ['Set the seller', 'Invite your finance'])
      assert.equal(await bob.page.getByRole('link', { name }).count(), 0, name);
    await bob.page.goto(`${api.url}/settings/keys`);
    const refusal = bob.page.getByRole('alert');
    await refusal.getByText('Your role is viewer: this needs the role admin. Ask an admin: Owner.').waitFor();
    assert.doesNotMatch(await refusal.innerText(), /req_/);
    for (const name of ['Create a key', 'Try again']) assert.equal(await button(name, bob).count(), 0, name);
    await assertFits(bob.page, 'not-permitted');
    const places = bob.page.getByRole('navigation', { name: 'Pages' });
    for (const name of ['Changes', 'Workflows'])
      assert.equal(await places.getByRole('link', { name }).count(), 0, name);
    await bob.page.goto(`${api.url}/customers`);
    await bob.page.getByRole('heading', { name: 'Customers', level: 1 }).waitFor();
    assert.equal(await button('New customer', bob).count(), 0);
    await window.page.goto(`${api.url}/customers`);
    await button('New customer').waitFor();
    await window.page.getByRole('link', { name: 'Changes' }).waitFor();
    await bob.context.close();
  });

  it('what the database says is for admins, and others read whom to call', async () => {
    const { customer, plan, subscribe } = testCustomersOn(api.request);
    const { id } = await subscribe(await customer({}, null), await plan([FLAT]));
    const said = 'Call the people who run Tidemark. The database rejected a row: violates check "x".';
    await api.pool.query('update subscriptions set attention = $1', [said]);
    const dan = await arrive('Dan', 'finance');
    for (const path of ['/', '/subscriptions', `/subscriptions/${id}`]) {
      await window.page.goto(`${api.url}${path}?mode=test`);
      await window.page.getByText('violates check').first().waitFor();
      await dan.page.goto(`${api.url}${path}?mode=test`);
      await dan.page
        .getByText('Call the people who run Tidemark. Their log has the reason.')
        .first()
        .waitFor();
      assert.equal(await dan.page.getByText('violates check').count(), 0, path);
    }
    await window.page.getByText('You can also send the signal').waitFor();
    assert.equal(await dan.page.getByText('You can also send the signal').count(), 0);
    await dan.context.close();
  });

  it('a role is changed, sessions end, and a removed user is out', async () => {
    const cleo = await arrive('Cleo', 'viewer');
    await row('Cleo').getByRole('button', { name: 'Edit' }).click();
    // The table of the button hides the labels of fields in its own cells.
    const [label, field, role] = await Promise.all([
      dialog().getByText('Name', { exact: true }).boundingBox(),
      dialog().getByLabel('Name').boundingBox(),
      dialog().getByLabel('Role').boundingBox(),
    ]);
    assert.ok(label!.y + label!.height <= field!.y, 'the label stands above its field');
    assert.equal(field!.width, role!.width);
    await dialog().getByLabel('Role').selectOption('finance');
    await dialog().getByRole('button', { name: 'Save' }).click();
    await row('Cleo').getByText('finance', { exact: true }).waitFor();
    await cleo.page.reload();
    await cleo.page.getByText('Cleo, finance').waitFor();
    await window.page.goto(`${api.url}/settings/sessions`);
    await row('Cleo').getByText('127.0.0.1').waitFor();
    await row('Cleo').getByText('Chrome on Linux').waitFor();
    await assertFits(window.page, 'sessions');
    await window.page.goto(`${api.url}/settings/users`);
    await row('Cleo').getByRole('button', { name: 'Remove' }).click();
    await dialog().getByRole('button', { name: 'Remove' }).click();
    await row('Cleo').getByText('removed').waitFor();
    await cleo.page.reload();
    await cleo.page.getByText('You are not signed in.').waitFor();
    await cleo.context.close();
    window.assertQuiet();
  });
});
