import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider from 'oidc-provider';
import { startApi, type TestApi } from '../../support/api.ts';
import { assertFits, useBrowser, type Window } from '../../support/browser.ts';
import { signIn } from '../../support/signed-in.ts';

/** The address of an API without PUBLIC_URL and PORT: the provider sends browsers there. */
const PUBLIC = 'http://localhost:3000';
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
    const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const provider = new Provider(issuer, {
      clients: [
        {
          client_id: CLIENT.OIDC_CLIENT_ID,
          client_secret: CLIENT.OIDC_CLIENT_SECRET,
          redirect_uris: [`${PUBLIC}/dashboard/api/oidc/callback`],
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
    server.on('request', (request, response) => void answer(request, response));
    api = await startApi({ processes: 1, settings: { ...CLIENT, OIDC_ISSUER: issuer } });
    origin = api.url.replace('127.0.0.1', 'localhost');
    window = await openWindow();
    // Cookies belong to the host, whatever the port.
    await window.context.route(`${PUBLIC}/**`, (route) =>
      route.fulfill({ status: 302, headers: { Location: route.request().url().replace(PUBLIC, origin) } }),
    );
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
});
