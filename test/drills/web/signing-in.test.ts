import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { newSignInLink } from '../../../src/db/account/sign-in-link.ts';
import { startApi, type TestApi } from '../../support/servers/api.ts';
import { takePicture, useBrowser, type Window } from '../../support/servers/browser.ts';

describe('signing in and out', () => {
  const openWindow = useBrowser();
  let api: TestApi;
  let window: Window;
  before(async () => {
    api = await startApi({ processes: 1 });
    window = await openWindow();
  });
  after(() => api.close());

  const aLink = async () => (await newSignInLink(api.pool, `${api.url}/`))!;
  const heading = (name: string) => window.page.getByRole('heading', { name, level: 1 });

  it('without a session every page says how to sign in', async () => {
    for (const path of ['/invoices/inv_1', '/settings', '/']) {
      await window.page.goto(api.url + path);
      await window.page.getByText('npm run tidemark -- sign-in').waitFor();
    }
    await takePicture(window.page, 'signed-out');
  });

  it('a link signs in once, and disappears from the address bar', async () => {
    const link = await aLink();
    await window.page.goto(link);
    await heading('Home').waitFor();
    assert.ok(!window.page.url().includes('#'));
    const other = await openWindow();
    await other.page.goto(link);
    await other.page.getByText('This link is no longer valid.').waitFor();
    await other.context.close();
  });

  it('no script can read the session', async () => {
    assert.equal(await window.page.evaluate('document.cookie'), '');
    const [cookie] = await window.context.cookies();
    assert.deepEqual([cookie!.httpOnly, cookie!.sameSite], [true, 'Strict']);
  });

  it('the document allows no inline script or style, and no frame around it', async () => {
    const page = await window.context.newPage();
    await page.goto(`${api.url}/`);
    const blocked = await page.evaluate(`new Promise((resolve) => {
      addEventListener('securitypolicyviolation', (event) => resolve(event.effectiveDirective));
      const script = document.createElement('script');
      script.textContent = 'window.was_run = true';
      document.head.append(script);
    })`);
    assert.equal(blocked, 'script-src-elem');
    assert.equal(await page.evaluate('window.was_run'), undefined);
    await page.close();
  });

  it('a page of another site can change and read nothing, with the session in the browser', async () => {
    const forged = `<form method="post" action="${api.url}/v1/customers" enctype="text/plain">
      <input name='{"external_id": "forged", "name": "' value='"}'></form>`;
    const evil = createServer((_, response) =>
      response.setHeader('Content-Type', 'text/html').end(forged),
    ).listen(0, '127.0.0.1');
    const page = await window.context.newPage();
    await page.goto(`http://127.0.0.1:${(evil.address() as AddressInfo).port}/`);
    const asked = await page.evaluate(
      `Promise.all([{}, { 'Tidemark-Environment': 'test', 'Content-Type': 'application/json' }].map((headers) =>
        fetch('${api.url}/v1/customers', { method: 'POST', credentials: 'include', headers, body: '{"external_id":"forged"}' })
          .then((answer) => answer.status, () => 'refused')))`,
    );
    assert.deepEqual(asked, ['refused', 'refused']);
    const answered = page.waitForResponse(`${api.url}/v1/customers`);
    await page.evaluate('document.forms[0].submit()');
    assert.equal((await answered).status(), 401);
    assert.equal((await api.request('/v1/customers/forged')).status, 404);
    // Not awaited: the page may keep its connection open until the browser closes.
    evil.close();
  });

  it('every page says whether it shows test or live data', async () => {
    await window.page.goto(`${api.url}/`);
    await window.page.getByText('Test data', { exact: true }).waitFor();
    await window.page.getByRole('link', { name: 'Live' }).click();
    await window.page.getByText('Live data', { exact: true }).waitFor();
    await takePicture(window.page, 'home-live');
  });

  it('signing out ends the session, here and in the database', async () => {
    await window.page.getByRole('button', { name: 'Sign out' }).click();
    await window.page.getByText('npm run tidemark -- sign-in').waitFor();
    assert.deepEqual(await window.context.cookies(), []);
    const { rows } = await api.pool.query('select from sessions where revoked_at is null');
    assert.equal(rows.length, 0);
    window.assertQuiet();
  });
});
