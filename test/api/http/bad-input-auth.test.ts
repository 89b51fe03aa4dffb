import { newApiKey } from '../../../src/keys/api-key.ts';
import { findKeyByHash, revokeKey } from '../../../src/db/account/api-keys.ts';
import { hashOfKey } from '../../../src/keys/api-key.ts';
import { makeKey, type TestApi } from '../../support/servers/api.ts';
import { describeBadInput, type BadRequest } from '../../support/sources/bad-input.ts';

const ENDPOINTS = [
  'POST /v1/events',
  'POST /v1/events/batch',
  'GET /v1/events',
  'POST /v1/customers',
  'POST /v1/pricing-plans',
  'GET /v1/pricing-plans/p',
  'POST /v1/subscriptions',
  'GET /v1/invoices',
  'GET /v1/invoices/i',
  'POST /v1/credit-grants',
];

const PATH = '/v1/customers';
const keys = { revoked: '', expired: '' };

async function prepare({ pool }: TestApi): Promise<void> {
  keys.expired = await makeKey(pool, 1, { expires_at: '2020-01-01T00:00:00Z' });
  keys.revoked = await makeKey(pool, 1);
  const { id } = (await findKeyByHash(pool, hashOfKey(keys.revoked)))!;
  await revokeKey(pool, 1, id);
}

function bearer(name: string, headerOf: (api: TestApi) => string): BadRequest {
  return [name, PATH, (api) => ({ key: null, headers: { Authorization: headerOf(api) } }), 'unauthorized'];
}

function withKey(name: string, keyOf: (api: TestApi) => string): BadRequest {
  return bearer(name, (api) => `Bearer ${keyOf(api)}`);
}

describeBadInput(
  'B: authentication',
  [
    ...ENDPOINTS.map((endpoint): BadRequest => {
      const [method, path] = endpoint.split(' ') as [string, string];
      return [
        `B1 ${endpoint}`,
        path,
        { method, key: null, ...(method === 'POST' ? { body: {} } : {}) },
        'unauthorized',
      ];
    }),
    bearer('B2 empty', () => ''),
    bearer('B2 Bearer alone', () => 'Bearer'),
    bearer('B2 Basic', () => 'Basic S1Q6'),
    bearer('B2 no scheme', ({ test_key }) => test_key),
    bearer('B2 Token', ({ test_key }) => `Token ${test_key}`),
    bearer('B3 twice', ({ test_key }) => `Bearer ${test_key} ${test_key}`),
    bearer('B3 two spaces', ({ test_key }) => `Bearer  ${test_key}`),
    bearer('B3 a tab', ({ test_key }) => `Bearer\t${test_key}`),
    bearer('B3 a comma', ({ test_key }) => `Bearer ${test_key},`),
    bearer('B3 quotes', ({ test_key }) => `Bearer "${test_key}"`),
    withKey('B5 unknown', () => newApiKey(false)),
    withKey('B5 wrong checksum', ({ test_key }) =>
      test_key.replace(/.$/, (last) => (last === 'a' ? 'b' : 'a')),
    ),
    withKey('B5 one more', ({ test_key }) => `${test_key}a`),
    withKey('B5 one less', ({ test_key }) => test_key.slice(0, -1)),
    withKey('B5 upper case', ({ test_key }) => test_key.toUpperCase()),
    withKey('B5 the other prefix', ({ test_key }) => test_key.replace('test', 'live')),
    withKey('B6 15 KB', () => 'a'.repeat(15_000)),
    withKey('B6 latin-1', () => '\u00e9'),
    withKey('B6 SQL', () => `' OR 1=1--`),
    withKey('B7 revoked', () => keys.revoked),
    withKey('B7 expired', () => keys.expired),
    ['B8 key in the query', PATH, { key: null }, 'unauthorized'],
    [
      'B8 key in a cookie',
      PATH,
      ({ test_key }) => ({ key: null, headers: { Cookie: `key=${test_key}` } }),
      'unauthorized',
    ],
    ['B9 unknown path', '/v1/nope', { key: 'x' }, 'unauthorized'],
    ['B9 wrong method', PATH, { key: 'x', method: 'DELETE' }, 'unauthorized'],
    ['B9 malformed body', PATH, { key: 'x', method: 'POST', body: '{' }, 'unauthorized'],
    [
      'B9 a body of 20 MB',
      PATH,
      { key: 'x', method: 'POST', body: Buffer.alloc(20_000_000) },
      'unauthorized',
    ],
    ['events_only: customers', PATH, ({ events_only_key }) => ({ key: events_only_key }), 'unauthorized'],
    [
      'events_only: events',
      '/v1/events',
      ({ events_only_key }) => ({ key: events_only_key }),
      'unauthorized',
    ],
    [
      'events_only: unknown path',
      '/v1/nope',
      ({ events_only_key }) => ({ key: events_only_key }),
      'not_found',
    ],
  ],
  { prepare },
);
