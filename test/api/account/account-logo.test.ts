import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import type { Json } from '../../support/servers/api.ts';
import { signIn, signInAs, tokenOf } from '../../support/servers/signed-in.ts';
import { startApi, type TestApi } from '../../support/servers/api.ts';
import type { Reason } from '../../../src/domain/money/errors.ts';
import { assertRefused } from '../../support/ledger/refused.ts';
import { plainPng, pngOfBytes } from '../../support/documents/png.ts';

const PATH = '/v1/account/logo';
const BLUE = plainPng(120, 40, '#1f5fa8');
const RED = plainPng(120, 40, '#a81f2f');
const hashOf = (file: Buffer) => createHash('sha256').update(file).digest('hex');

describe('the logo of the account', () => {
  let api: TestApi;
  before(async () => void (api = await startApi()));
  after(() => api.close());

  const put = (body: Json, key = api.test_key) => api.request(PATH, { method: 'PUT', body, key });
  const set = (file: Buffer, key = api.test_key) => put({ png: file.toString('base64') }, key);
  const remove = (key = api.test_key) => api.request(PATH, { method: 'DELETE', key });
  const get = (key = api.test_key) => fetch(api.url + PATH, { headers: { Authorization: `Bearer ${key}` } });
  const fileOf = async (key = api.test_key) => Buffer.from(await (await get(key)).arrayBuffer());
  const storedLogos = async () =>
    (await api.pool.query<{ sha256: string }>('select sha256 from logos order by sha256')).rows.map(
      ({ sha256 }) => sha256,
    );

  it('is set, read as the same file, replaced and removed, in test and in live data apart', async () => {
    assertRefused(await api.request(PATH), { code: 'not_found' });
    const { status, body } = await set(BLUE);
    assert.deepEqual([status, body.object, body.logo_sha256], [200, 'account', hashOf(BLUE)]);
    assert.deepEqual((await api.request('/v1/account')).body, body);
    const { headers } = await get();
    assert.equal(headers.get('content-type'), 'image/png');
    assert.equal(headers.get('x-content-type-options'), 'nosniff');
    assert.ok((await fileOf()).equals(BLUE));
    assert.equal((await get(api.live_key)).status, 404);
    assert.equal((await get(api.other_key)).status, 404);
    await set(RED, api.live_key);
    assert.equal((await set(BLUE)).body.logo_sha256, hashOf(BLUE), 'again');
    assert.ok((await fileOf()).equals(BLUE));
    assert.ok((await fileOf(api.live_key)).equals(RED));
    const removed = await remove();
    assert.deepEqual([removed.status, removed.body.logo_sha256], [200, null]);
    assertRefused(await api.request(PATH), { code: 'not_found' });
    assertRefused(await remove(), { code: 'not_found' });
    assert.equal((await get(api.live_key)).status, 200);
    assert.equal((await remove(api.live_key)).status, 200);
  });

  it('stays when other settings change', async () => {
    await set(BLUE);
    const patched = await api.request('/v1/account', { method: 'PATCH', body: { name: 'Ocean GmbH' } });
    assert.equal(patched.body.logo_sha256, hashOf(BLUE));
    const refused = await api.request('/v1/account', { method: 'PATCH', body: { logo_sha256: null } });
    assertRefused(refused, { code: 'invalid_request', param: 'logo_sha256', reason: 'unknown_member' });
  });

  it('is forgotten once another follows, where no invoice was issued with it', async () => {
    await set(BLUE);
    await set(RED);
    assert.deepEqual(await storedLogos(), [hashOf(RED)]);
    await api.pool.query(
      'update environments set last_invoice_number = last_invoice_number + 1 where id = 1',
    );
    await set(BLUE);
    assert.deepEqual(await storedLogos(), [hashOf(BLUE), hashOf(RED)].sort());
    await remove();
    assert.deepEqual(await storedLogos(), [hashOf(RED)]);
    await set(RED);
    await remove();
    assert.deepEqual(await storedLogos(), [hashOf(RED)]);
  });

  const base64 = BLUE.toString('base64');
  const large = (width: number, height: number) => plainPng(width, height, '#ffffff').toString('base64');
  const REFUSED: [what: string, body: Json, param: string, reason: Reason][] = [
    ['no file', {}, 'png', 'missing'],
    ['an empty text', { png: '' }, 'png', 'missing'],
    ['a number', { png: 7 }, 'png', 'wrong_type'],
    ['another member', { png: base64, name: 'logo.png' }, 'name', 'unknown_member'],
    ['a text that is no base64', { png: 'no base64' }, 'png', 'malformed'],
    ['base64 in several lines', { png: `${base64.slice(0, 76)}\n${base64.slice(76)}` }, 'png', 'malformed'],
    ['an address of data', { png: `data:image/png;base64,${base64}` }, 'png', 'malformed'],
    ['base64 of URLs', { png: Buffer.from([255, 254, 253]).toString('base64url') }, 'png', 'malformed'],
    ['a JPEG', { png: Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 16]).toString('base64') }, 'png', 'malformed'],
    [
      'an SVG',
      { png: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>').toString('base64') },
      'png',
      'malformed',
    ],
    ['half a file', { png: BLUE.subarray(0, 60).toString('base64') }, 'png', 'malformed'],
    ['200 KB and a byte', { png: pngOfBytes(200 * 1024 + 1).toString('base64') }, 'png', 'too_large'],
    ['201 KB that are no PNG', { png: Buffer.alloc(201 * 1024).toString('base64') }, 'png', 'too_large'],
    ['2,001 pixels beside each other', { png: large(2001, 1) }, 'png', 'too_large'],
    ['2,001 pixels above each other', { png: large(1, 2001) }, 'png', 'too_large'],
  ];
  for (const [what, body, param, reason] of REFUSED)
    it(`is refused: ${what}`, async () => {
      await set(RED);
      assertRefused(await put(body), { code: 'invalid_request', param, reason });
      assert.ok((await fileOf()).equals(RED));
    });

  it('may have 200 KB, and 2,000 pixels a side', async () => {
    for (const file of [pngOfBytes(200 * 1024), plainPng(2000, 2000, '#1f5fa8')]) {
      assert.equal((await set(file)).status, 200);
      assert.ok((await fileOf()).equals(file));
    }
  });

  it('is set and removed by finance, and read by viewers', async () => {
    const owner = await signIn(api);
    const body = { png: base64 };
    const viewer = await signInAs(api, owner, 'viewer');
    const support = await signInAs(api, owner, 'support');
    const finance = await signInAs(api, owner, 'finance');
    for (const person of [viewer, support]) {
      assertRefused(await person.request(PATH, { method: 'PUT', body }), {
        code: 'unauthorized',
        reason: 'not_permitted',
      });
      assertRefused(await person.request(PATH, { method: 'DELETE' }), { code: 'unauthorized' });
    }
    assert.equal((await finance.request(PATH, { method: 'PUT', body })).status, 200);
    assert.equal((await viewer.request(PATH)).status, 200);
    assert.equal((await finance.request(PATH, { method: 'DELETE' })).status, 200);
    assertRefused(await put(body, api.events_only_key), { code: 'unauthorized', reason: 'not_permitted' });
  });

  it('is read, and not set, by a portal link', async () => {
    await set(BLUE);
    await api.post('/v1/customers', { external_id: 'payer' });
    const { url } = (await api.post('/v1/portal-sessions', { customer_id: 'payer' })).body;
    const token = tokenOf(url);
    assert.ok((await fileOf(token)).equals(BLUE));
    assertRefused(await put({ png: base64 }, token), { code: 'unauthorized', reason: 'not_permitted' });
    assertRefused(await remove(token), { code: 'unauthorized', reason: 'not_permitted' });
  });

  it('has an entry in the audit log for each change, with hashes and without the file', async () => {
    await remove();
    const newest = async () =>
      (await api.request('/v1/audit-log?action=account.updated&limit=1')).body.data[0];
    const { id: before } = await newest();
    await set(BLUE);
    const first = await newest();
    assert.deepEqual([first.before, first.after], [{ logo_sha256: null }, { logo_sha256: hashOf(BLUE) }]);
    assert.notEqual(first.id, before);
    await set(BLUE);
    assert.equal((await newest()).id, first.id, 'the same file is no change');
    await remove();
    const last = await newest();
    assert.deepEqual([last.before, last.after], [{ logo_sha256: hashOf(BLUE) }, { logo_sha256: null }]);
    assert.ok(JSON.stringify(last).length < 1000);
  });

  it('is not found by another method', async () => {
    const { status, headers } = await api.request(PATH, { method: 'PATCH', body: {} });
    assert.deepEqual([status, headers.get('allow')], [404, 'DELETE, GET, HEAD, PUT']);
  });
});
