import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider from 'oidc-provider';
import { startApi, type TestApi } from '../../support/servers/api.ts';
import { ELSEWHERE } from '../../support/servers/elsewhere.ts';
import { assertFits, useBrowser, type Window } from '../../support/servers/browser.ts';
import { signIn } from '../../support/servers/signed-in.ts';

const CLIENT = { OIDC_CLIENT_ID: 'tidemark', OIDC_CLIENT_SECRET: 'a secret of the client' };

/** Signing in with an implementation of OpenID Connect that is not ours, whose id token has neither email nor name. */
describe('a provider of OpenID Connect in a browser', function () {
  const openWindow = useBrowser();
  let server: Server;
  let api: TestApi;
  let origin: string;
  let window: Window;
  before(async () => {
    server = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as AddressInfo;
    const issuer = `http://127.0.0.1:${port}`;
    const PUBLIC_URL = `http://localhost:${port}`;
    const provider = new Provider(issuer, {
      clients: [
        {
          client_id: CLIENT.OIDC_CLIENT_ID,
          client_secret: CLIENT.OIDC_CLIENT_SECRET,
          redirect_uris: [`${PUBLIC_URL}/dashboard/api/oidc/callback`],
        },
      ],
      claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
      findAccount: (_, id) => ({
        accountId: id,
        claims: () => ({
          sub: id,
          email: `${id}@example.com`,
          email_verified: true,
          name: `${id} of the provider`,
        }),
      }),
      features: { devInteractions: { enabled: true } },
      cookies: { keys: ['a key of the test'] },
    });
    const answer = provider.callback();
    // Leads on to the API, whose port is not known before it starts: cookies belong to the host, whatever the port.
    server.on('request', (request, response) => {
      if (request.headers.host !== `localhost:${port}`) void answer(request, response);
      else response.writeHead(302, { Location: origin + request.url }).end();
    });
    api = await startApi({ processes: 1, settings: { ...CLIENT, OIDC_ISSUER: issuer, PUBLIC_URL } });
    origin = api.url.replace('127.0.0.1', 'localhost');
    window = await openWindow();
  });
  after(async () => {
    await api.close();
    server.closeAllConnections();
    server.close();
  });

  const page = () => window.page;

  /** Signs in at the provider by a name, and agrees. */
  async function agree(name: string): Promise<void> {
    await page().getByRole('link', { name: 'Sign in with your company account' }).click();
    await page().getByPlaceholder('Enter any login').fill(name);
    await page().getByPlaceholder('and password').fill('x');
    await page().getByRole('button', { name: 'Sign-in' }).click();
    await page().getByRole('button', { name: 'Continue' }).click();
  }

  it('refuses who is not invited with a sentence', async () => {
    await page().goto(`${origin}/invoices`);
    await agree('ada');
    await page().getByText('Nobody has invited this address').waitFor();
    await assertFits(page(), 'sign-in-with-a-provider');
  });

  it('lets in who is invited, to the page that was asked for', async () => {
    const owner = await signIn(api);
    const body = { email: 'bob@example.com', name: 'Bob', role: 'support' };
    assert.equal((await owner.post('/dashboard/api/users', body)).status, 201);
    await window.context.clearCookies();
    await page().goto(`${origin}/invoices`);
    await agree('bob');
    await page().getByRole('heading', { name: 'Invoices', level: 1 }).waitFor();
    await page().getByText('bob of the provider, support').waitFor();
  });

  const heading = (name: string) => page().getByRole('heading', { name, level: 1 });

  it('leads back to our own pages, however an address elsewhere is spelled', async () => {
    for (const return_to of ELSEWHERE) {
      const query = new URLSearchParams({ return_to });
      await page().goto(`${origin}/dashboard/api/oidc/start?${query.toString()}`);
      await heading('Home').waitFor();
      assert.equal(new URL(page().url()).origin, origin, return_to);
    }
  });

  // The browser asks for the first as `//evil.example/...`; the id of the others has slashes once it is decoded.
  const PAGES: [address: string, title: string][] = [
    ['/..//evil.example/invoices/x?mode=test', 'Page not found'],
    ['//evil.example/settings', 'Page not found'],
    ['//a//evil.example/invoices', 'Page not found'],
    ['/invoices/..%2F..%2F%2Fevil.example/credit', 'Credit an invoice'],
    ['/invoices/..%2F..%2F%2Fevil.example/regenerate', 'Regenerate the invoice'],
    ['/invoices/%252e%252e%2F%2Fevil.example/credit?mode=test', 'Credit an invoice'],
  ];
  it('has no link to another site on a page whose address names one', async () => {
    for (const [address, title] of PAGES) {
      await page().goto(origin + address);
      await heading(title).waitFor();
      const links = await page()
        .locator('a')
        .evaluateAll((all) => all.map((link) => `${link}`));
      assert.ok(links.length > 10);
      assert.deepEqual(
        links.filter((link) => new URL(link).origin !== origin),
        [],
        address,
      );
    }
  });

  it('asks for the sign-in at an address that names another site, and opens a page of ours after it', async () => {
    await window.context.clearCookies({ domain: 'localhost' });
    await page().goto(`${origin}/..//evil.example/invoices`);
    await page().getByRole('link', { name: 'Sign in with your company account' }).click();
    await heading('Page not found').waitFor();
    assert.equal(new URL(page().url()).pathname, '/evil.example/invoices');
  });
});
