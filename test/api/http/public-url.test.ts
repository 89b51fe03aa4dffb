import assert from 'node:assert/strict';
import { readConfig } from '../../../src/settings/config.ts';
import { startApi, type Received } from '../../support/servers/api.ts';
import { converse } from '../../support/servers/raw-http.ts';
import { linkToken } from '../../support/servers/signed-in.ts';

describe('PUBLIC_URL', () => {
  const urlOf = (PUBLIC_URL: string) => readConfig({ PUBLIC_URL }).public_url;

  it('is an origin, with or without a slash at its end', () => {
    assert.equal(urlOf('https://Billing.example.com/'), 'https://billing.example.com');
    assert.equal(urlOf('http://10.1.2.3:3000'), 'http://10.1.2.3:3000');
  });

  for (const wrong of [
    'billing.example.com',
    'ftp://billing.example.com',
    'https://billing.example.com/tidemark',
    'https://billing.example.com/?a=b',
    'https://billing.example.com?',
    'https://billing.example.com/#a',
    'https://user:password@billing.example.com',
  ])
    it(`${wrong} is refused`, () =>
      assert.throws(() => urlOf(wrong), {
        message: /^PUBLIC_URL must be an address without a path, such as https/,
      }));

  /** Answers of an API with this PUBLIC_URL. */
  async function answersOf(settings: Record<string, string>) {
    const api = await startApi({ processes: 1, settings });
    const signIn = async (Origin: string) => {
      const body = { token: await linkToken(api) };
      return (await api.post('/dashboard/api/session', body, { key: null, headers: { Origin } })).headers;
    };
    const { host } = new URL(api.url);
    const event = { event_name: 'e', customer_id: 'c', idempotency_key: 'k' };
    const broken = await converse(api.port, ['NONSENSE\r\n\r\n'], { wanted: 1 });
    const answers: Received[] = [
      await api.post('/v1/customers', { external_id: 'c' }),
      await api.post('/v1/events', event),
      await api.request('/healthz'),
      await api.request('/nothing'),
      broken.answers[0]!,
    ];
    const cookies = [await signIn(`http://${host}`), await signIn(`https://${host}`)].map((headers) =>
      /; Secure$/.test(headers.get('set-cookie')!),
    );
    const { servers } = (await api.request('/openapi.json')).body;
    await api.close();
    return { hsts: answers.map(({ headers }) => headers.get('strict-transport-security')), cookies, servers };
  }

  it('is the origin of our own page behind a proxy that rewrites the host, where a browser sends no Sec-Fetch-Site', async () => {
    const api = await startApi({ processes: 1, settings: { PUBLIC_URL: 'https://billing.example.com' } });
    const signIn = async (Origin: string, site: object = {}) => {
      const body = { token: await linkToken(api) };
      const headers = { Origin, ...site };
      return (await api.post('/dashboard/api/session', body, { key: null, headers })).status;
    };
    assert.equal(await signIn('https://billing.example.com'), 201);
    for (const other of ['http://billing.example.com', 'https://billing.example.com.evil.example', 'null'])
      assert.equal(await signIn(other), 401, other);
    assert.equal(await signIn('https://billing.example.com', { 'Sec-Fetch-Site': 'cross-site' }), 401);
    await api.close();
  });

  it('with https: HSTS for this host, Secure cookies, and the server of the reference', async () => {
    const { hsts, cookies, servers } = await answersOf({ PUBLIC_URL: 'https://billing.example.com' });
    assert.deepEqual(hsts, Array(5).fill('max-age=31536000'));
    assert.deepEqual(cookies, [true, true]);
    assert.deepEqual(servers, [{ url: 'https://billing.example.com' }]);
  });

  it('with http: none of the first two', async () => {
    const { hsts, cookies, servers } = await answersOf({ PUBLIC_URL: 'http://10.1.2.3' });
    assert.deepEqual([hsts, cookies], [Array(5).fill(null), [false, false]]);
    assert.deepEqual(servers, [{ url: 'http://10.1.2.3' }]);
  });

  it('not set: no HSTS, and a cookie is Secure where the browser says https', async () => {
    const { hsts, cookies, servers } = await answersOf({});
    assert.deepEqual([hsts, cookies, servers], [Array(5).fill(null), [false, true], undefined]);
  });
});
