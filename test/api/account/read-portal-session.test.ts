import assert from 'node:assert/strict';
import { startApi, type Json, type Received, type TestApi } from '../../support/servers/api.ts';
import { assertRefused } from '../../support/ledger/refused.ts';
import { plainPng } from '../../support/documents/png.ts';
import { tokenOf } from '../../support/servers/signed-in.ts';

const PATH = '/v1/portal-sessions';

describe('a portal link', () => {
  let api: TestApi;
  before(async () => {
    api = await startApi();
    await api.post('/v1/customers', { external_id: 'c1' });
  });
  after(() => api.close());

  const make = async (): Promise<Json> => (await api.post(PATH, { customer_id: 'c1' })).body;
  const read = (token: string, path: string): Promise<Received> => api.request(path, { key: token });

  it("is read by its id, and by the payer as self, with the name of the seller's logo", async () => {
    const { url, ...session } = await make();
    const other = await make();
    assert.deepEqual((await api.request(`${PATH}/${session.id}`)).body, session);
    const png = plainPng(3, 1, '#1f5fa8').toString('base64');
    const { logo_sha256 } = (await api.request('/v1/account/logo', { method: 'PUT', body: { png } })).body;
    assert.match(logo_sha256, /^[0-9a-f]{64}$/);
    for (const name of ['self', session.id]) {
      const { status, body } = await read(tokenOf(url), `${PATH}/${name}`);
      assert.deepEqual([status, body], [200, { ...session, created_by: null, logo_sha256 }]);
    }
    assertRefused(await read(tokenOf(url), `${PATH}/${other.id}`), { code: 'not_found' });
    assertRefused(await read(tokenOf(url), PATH), { code: 'unauthorized', reason: 'not_permitted' });
    for (const name of ['self', 'ps_nothing'])
      assertRefused(await api.request(`${PATH}/${name}`), { code: 'not_found' });
    assertRefused(await api.request(`${PATH}/${session.id}`, { key: api.live_key }), { code: 'not_found' });
  });
});
