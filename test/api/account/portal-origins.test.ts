import assert from 'node:assert/strict';
import { startApi, type Received, type TestApi } from '../../support/servers/api.ts';
import { eventually } from '../../support/servers/eventually.ts';
import { assertRefused } from '../../support/ledger/refused.ts';

const PATH = '/v1/account';
const SHOP = 'https://shop.example.com';

describe('the sites that may frame the page of portal links', () => {
  let api: TestApi;
  beforeEach(async () => {
    api = await startApi();
  });
  afterEach(() => api.close());

  const patch = (portal_origins: unknown, key = api.test_key): Promise<Received> =>
    api.request(PATH, { method: 'PATCH', body: { portal_origins }, key });
  const ancestorsOf = async (path: string): Promise<string | undefined> => {
    const { headers } = await api.request(path, { key: null, headers: { Accept: 'text/html' } });
    return /frame-ancestors ([^;]*)$/.exec(headers.get('content-security-policy') ?? '')?.[1];
  };

  it('are none at first, and those of the account soon after a change; no other page has them', async () => {
    assert.equal(await ancestorsOf('/portal'), "'none'");
    assert.equal((await patch([SHOP, 'http://localhost:8080'])).status, 200);
    await eventually(
      () => ancestorsOf('/portal'),
      (ancestors) => ancestors === `${SHOP} http://localhost:8080`,
    );
    for (const path of ['/', '/sign-in', '/customers', '/portal/', '/portals', '/nothing', '/docs'])
      assert.equal(await ancestorsOf(path), "'none'", path);
  });

  it('are the same for test and live data, and each environment has the act', async () => {
    assert.deepEqual((await patch([SHOP], api.live_key)).body.portal_origins, [SHOP]);
    for (const key of [api.test_key, api.live_key]) {
      assert.deepEqual((await api.request(PATH, { key })).body.portal_origins, [SHOP]);
      const { body } = await api.request('/v1/audit-log?action=account.updated', { key });
      assert.deepEqual(
        body.data.map(({ before, after }: { before: object; after: object }) => [before, after]),
        [[{ portal_origins: [] }, { portal_origins: [SHOP] }]],
      );
    }
    const others = await api.request(PATH, { key: api.other_key });
    assert.deepEqual(others.body.portal_origins, []);
  });

  it('stay where a patch does not name them', async () => {
    await patch([SHOP]);
    const { body } = await api.request(PATH, { method: 'PATCH', body: { net_days: 14 } });
    assert.deepEqual(body.portal_origins, [SHOP]);
    assert.deepEqual((await patch([])).body.portal_origins, []);
  });

  it('changed in both environments at once, are those of one of them', async () => {
    const changes = Array.from({ length: 10 }, (_, place) =>
      patch([`https://shop-${place}.example.com`], place % 2 === 0 ? api.test_key : api.live_key),
    );
    for (const { status } of await Promise.all(changes)) assert.equal(status, 200);
    const both = [];
    for (const key of [api.test_key, api.live_key])
      both.push((await api.request(PATH, { key })).body.portal_origins);
    assert.deepEqual(both[0], both[1]);
  });

  const GOOD = [
    ...[SHOP, `${SHOP}:8443`, 'https://a', 'https://xn--bcher-kva.example', 'https://192.0.2.1'],
    ...['http://localhost', 'http://localhost:3000', 'http://127.0.0.1:5173'],
  ];
  it(`may be ${GOOD.join(', ')}`, async () => {
    const { body } = await patch(GOOD);
    assert.deepEqual(body.portal_origins, GOOD);
  });

  const BAD = [
    ...[`${SHOP}/`, `${SHOP}/portal`, `${SHOP}?a`, `${SHOP}#a`, `${SHOP}:443`, `${SHOP}:0`, `${SHOP}:99999`],
    ...[
      'http://shop.example.com',
      'http://127.0.0.1.example.com',
      'http://localhost.example.com',
      'http://[::1]',
    ],
    ...['https://*.example.com', '*', "'self'", 'https:', 'https://', 'shop.example.com', 'ftp://localhost'],
    ...[`${SHOP};script-src *`, `${SHOP} https://b`, `${SHOP},https://b`, `https://user@shop.example.com`],
    ...[
      'https://Shop.example.com',
      'HTTPS://shop.example.com',
      'https://1.2',
      'https://bücher.example',
      'null',
      '',
    ],
    ...[`https://${'a'.repeat(250)}`],
  ];
  for (const origin of BAD)
    it(`may not be ${origin.slice(0, 60)}`, async () =>
      assertRefused(await patch([SHOP, origin]), { code: 'invalid_request', param: 'portal_origins[1]' }));

  it('are at most ten, none twice, and a list', async () => {
    const many = Array.from({ length: 11 }, (_, place) => `https://shop-${place}.example.com`);
    for (const origins of [many, [SHOP, SHOP], SHOP])
      assertRefused(await patch(origins), { code: 'invalid_request', param: 'portal_origins' });
    assert.equal((await patch(many.slice(1))).status, 200);
  });
});
