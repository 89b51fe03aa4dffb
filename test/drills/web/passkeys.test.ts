import assert from 'node:assert/strict';
import { newSignInLink } from '../../../src/db/account/sign-in-link.ts';
import { startApi, type Json, type TestApi } from '../../support/servers/api.ts';
import { assertFits, useBrowser, type Window } from '../../support/servers/browser.ts';
import { tokenOf } from '../../support/servers/signed-in.ts';

describe('passkeys in a browser', function () {
  const openWindow = useBrowser();
  let api: TestApi;
  let window: Window;
  let origin: string;
  before(async () => {
    api = await startApi({ processes: 1 });
    origin = api.url.replace('127.0.0.1', 'localhost');
    window = await openWindow();
    const device = await window.context.newCDPSession(window.page);
    await device.send('WebAuthn.enable');
    await device.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        ...{ protocol: 'ctap2', transport: 'internal', hasResidentKey: true, hasUserVerification: true },
        ...{ isUserVerified: true, automaticPresenceSimulation: true },
      },
    });
  });
  after(() => api.close());

  const page = () => window.page;
  const button = (name: string) => page().getByRole('button', { name, exact: true });
  const heading = (name: string) => page().getByRole('heading', { name, level: 1 });

  it('who comes by a link is offered one, and reaches the page that was asked for', async () => {
    await page().goto(`${origin}/invoices`);
    await page().getByText('You are not signed in.').waitFor();
    await assertFits(page(), 'sign-in-by-passkey');
    const link = await newSignInLink(api.pool, `${origin}/`);
    await page().goto(`${origin}/sign-in#${tokenOf(link!)}`);
    await button('Add a passkey').click();
    await heading('Invoices').waitFor();
    await page().goto(`${origin}/settings/sessions`);
    await page().getByRole('row', { name: 'This device' }).waitFor();
    await assertFits(page(), 'passkeys');
  });

  it('a passkey signs in, and its use is noted', async () => {
    await button('Sign out').first().click();
    await page().getByText('You are not signed in.').waitFor();
    await button('Sign in with a passkey').click();
    await heading('Sessions').waitFor();
    const { rows } = await api.pool.query<Json>('select counter, last_used_at from passkeys');
    assert.equal(rows.length, 1);
    assert.notEqual(rows[0]!['last_used_at'], null);
  });

  it('a device is asked for no second one, and a removed one signs nobody in', async () => {
    await button('Add a passkey').click();
    const dialog = page().getByRole('dialog');
    await dialog.getByLabel('Name').fill('Again');
    await dialog.getByRole('button', { name: 'Ask this device' }).click();
    await dialog.getByText('This device has a passkey of yours already.').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await page().getByRole('row', { name: 'This device' }).getByRole('button', { name: 'Remove' }).click();
    await dialog.getByRole('button', { name: 'Remove' }).click();
    await page().getByText('No passkeys').waitFor();
    await page().locator('header').getByRole('button', { name: 'Sign out' }).click();
    await button('Sign in with a passkey').click();
    await page().getByText('Tidemark does not accept this passkey').waitFor();
    window.assertQuiet();
  });

  it('an answer signs in once, and a count that stands still does not', async () => {
    const link = await newSignInLink(api.pool, `${origin}/`);
    await page().goto(`${origin}/sign-in#${tokenOf(link!)}`);
    await button('Add a passkey').click();
    await heading('Sessions').waitFor();
    await page().locator('header').getByRole('button', { name: 'Sign out' }).click();
    await button('Sign in with a passkey').waitFor();
    let sent: Json = null;
    await page().route('**/dashboard/api/session', async (route) => {
      if (route.request().method() === 'POST' && route.request().url().endsWith('/session'))
        sent = route.request().postDataJSON();
      await route.continue();
    });
    await button('Sign in with a passkey').click();
    await heading('Sessions').waitFor();
    const post = () => api.post('/dashboard/api/session', sent, { key: null });
    assert.equal((await post()).status, 401);
    // As if a copy of the device had counted further.
    await api.pool.query('update passkeys set counter = 1000000');
    await page().locator('header').getByRole('button', { name: 'Sign out' }).click();
    await button('Sign in with a passkey').click();
    await page().getByText('Tidemark does not accept this passkey').waitFor();
  });
});
