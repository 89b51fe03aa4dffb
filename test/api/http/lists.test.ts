import assert from 'node:assert/strict';
import fc from 'fast-check';
import { decodeCursor, encodeCursor, type CursorScope } from '../../../api/routing/cursor.ts';
import { startApi, type TestApi } from '../../support/servers/api.ts';
import { assertRefused } from '../../support/ledger/refused.ts';

const COUNT = 7;
const LISTS = [
  ...['customers', 'pricing-plans', 'subscriptions', 'invoices', 'credit-grants', 'events'],
  'customers/c0/usage',
];

describe('lists', () => {
  let api: TestApi;
  before(async () => {
    api = await startApi();
    for (let i = 0; i < COUNT; i++) await api.post('/v1/customers', { external_id: `c${i}` });
    for (let i = 0; i < COUNT; i++)
      await api.post('/v1/credit-grants', { customer_id: `c${i % 2}`, amount: 1 });
  });
  after(() => api.close());

  async function walk(path: string, limit: number): Promise<string[]> {
    const ids: string[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const page = cursor === '' ? '' : `&cursor=${cursor}`;
      const { body } = await api.request(`${path}limit=${limit}${page}`);
      assert.ok(body.data.length <= limit);
      assert.equal(body.has_more, body.next_cursor !== null);
      ids.push(...body.data.map(({ id }: { id: string }) => id));
      cursor = body.next_cursor;
    }
    return ids;
  }

  for (const path of ['/v1/customers?', '/v1/credit-grants?', '/v1/credit-grants?customer_id=c0&']) {
    it(`${path} lists each object once for every page size`, async () => {
      const whole = await walk(path, 200);
      assert.equal(whole.length, path.includes('c0') ? 4 : COUNT);
      for (const limit of [1, 2, 3, COUNT]) assert.deepEqual(await walk(path, limit), whole);
    });
  }

  it('a new object does not shift the next page', async () => {
    const { body: first } = await api.request('/v1/customers?limit=2');
    const { body: expected } = await api.request(`/v1/customers?limit=2&cursor=${first.next_cursor}`);
    await api.post('/v1/customers', { external_id: 'new' });
    const { body: again } = await api.request(`/v1/customers?limit=2&cursor=${first.next_cursor}`);
    assert.deepEqual(again, expected);
  });

  const LIMITS = [
    '0',
    '-1',
    '201',
    '1.5',
    'abc',
    '1e2',
    '0x10',
    '%205',
    '99999999999999999999',
    '',
    '+5',
    '01',
  ];
  for (const list of LISTS) {
    it(`limits of ${list}`, async () => {
      for (const limit of LIMITS) {
        const answer = await api.request(`/v1/${list}?limit=${limit}`);
        assertRefused(answer, { code: 'invalid_request', param: 'limit' });
      }
      for (const limit of ['1', '200'])
        assert.equal((await api.request(`/v1/${list}?limit=${limit}`)).status, 200);
    });
  }

  const PARAMETERS: [query: string, param: string | null][] = [
    ['limit=5&limit=6', 'limit'],
    ['limit[]=5', 'limit[]'],
    ['limit[a]=5', 'limit[a]'],
    ['foo=1', 'foo'],
    ['custmer_id=C1', 'custmer_id'],
    ['__proto__=1', '__proto__'],
    ['constructor=2', 'constructor'],
    ['limit', 'limit'],
    ['a=%ff', null],
    [Array(2000).fill('a=1').join('&'), null],
  ];
  for (const list of LISTS) {
    it(`parameters of ${list}`, async () => {
      for (const [query, param] of PARAMETERS)
        assertRefused(await api.request(`/v1/${list}?${query}`), { code: 'invalid_request', param });
    });
  }

  describe('cursors', () => {
    let cursor: string;
    before(async () => {
      cursor = (await api.request('/v1/credit-grants?limit=2')).body.next_cursor;
    });

    const FORGED: [name: string, path: (cursor: string) => string, key?: 'live_key' | 'other_key'][] = [
      ['x', () => '/v1/credit-grants?cursor=x'],
      ['ten kilobytes', () => `/v1/credit-grants?cursor=${'A'.repeat(10_000)}`],
      ['JSON', () => `/v1/credit-grants?cursor=${Buffer.from('{"id":"1 OR 1=1"}').toString('base64url')}`],
      ['cut', (cursor) => `/v1/credit-grants?cursor=${cursor.slice(0, -1)}`],
      ['padded', (cursor) => `/v1/credit-grants?cursor=${cursor}%3D`],
      ['of other filters', (cursor) => `/v1/credit-grants?customer_id=c0&cursor=${cursor}`],
      ['of another list', (cursor) => `/v1/customers?cursor=${cursor}`],
      ['of the other mode', (cursor) => `/v1/credit-grants?cursor=${cursor}`, 'live_key'],
      ['of another account', (cursor) => `/v1/credit-grants?cursor=${cursor}`, 'other_key'],
    ];
    for (const [name, path, key = 'test_key'] of FORGED) {
      it(name, async () => {
        const answer = await api.request(path(cursor), { key: api[key as 'test_key'] });
        assertRefused(answer, { code: 'invalid_request', param: 'cursor', reason: 'bad_cursor' });
      });
    }

    const scope = (environment_id: number): CursorScope => ({
      caller: { environment_id },
      list: 'events',
      filters: { customer_id: null },
    });

    it('return their position, and are refused with any bit flipped', () => {
      fc.assert(
        fc.property(
          fc.string({ minLength: 1, maxLength: 60, unit: 'grapheme' }),
          fc.nat(),
          (position, flipped) => {
            const sealed = encodeCursor(api.deps, scope(1), position);
            assert.equal(decodeCursor(api.deps, scope(1), sealed), position);
            assert.throws(() => decodeCursor(api.deps, scope(2), sealed));
            const bytes = Buffer.from(sealed, 'base64url');
            const at = flipped % (bytes.length * 8);
            bytes[at >> 3]! ^= 1 << (at & 7);
            assert.throws(() => decodeCursor(api.deps, scope(1), bytes.toString('base64url')));
          },
        ),
      );
    });
  });
});
