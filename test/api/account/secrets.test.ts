import assert from 'node:assert/strict';
import { startApi, type TestApi } from '../../support/servers/api.ts';
import { assertRefused } from '../../support/ledger/refused.ts';

const OLD = 'the secret before the change';
const NEW = 'the secret after the change';
const PATH = '/v1/customers?limit=1';

describe('a change of TIDEMARK_SECRET', () => {
  let before_it: TestApi;
  let during: TestApi;
  let after_it: TestApi;
  before(async () => {
    before_it = await startApi({ settings: { TIDEMARK_SECRET: OLD } });
    const database_url = before_it.deps.config.database_url!;
    during = await startApi({ database_url, settings: { TIDEMARK_SECRET: `${NEW}, ${OLD}` } });
    after_it = await startApi({ database_url, settings: { TIDEMARK_SECRET: NEW } });
    for (const external_id of ['a', 'b', 'c']) await before_it.post('/v1/customers', { external_id });
  });
  after(() => Promise.all([before_it, during, after_it].map((api) => api.close())));

  const key = () => before_it.test_key;
  const cursorOf = async (api: TestApi): Promise<string> =>
    (await api.request(PATH, { key: key() })).body.next_cursor;
  const turn = (api: TestApi, cursor: string) => api.request(`${PATH}&cursor=${cursor}`, { key: key() });

  it('a cursor of the old secret is good while both are set', async () => {
    const { status, body } = await turn(during, await cursorOf(before_it));
    assert.equal(status, 200);
    assert.equal(body.data[0].external_id, 'b');
  });

  it('the first value signs', async () => {
    assert.equal((await turn(after_it, await cursorOf(during))).status, 200);
    assertRefused(await turn(before_it, await cursorOf(during)), {
      code: 'invalid_request',
      param: 'cursor',
      reason: 'bad_cursor',
    });
  });

  it('a cursor of a removed secret is refused', async () =>
    assertRefused(await turn(after_it, await cursorOf(before_it)), {
      code: 'invalid_request',
      param: 'cursor',
      reason: 'bad_cursor',
    }));
});
