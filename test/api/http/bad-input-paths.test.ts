import assert from 'node:assert/strict';
import { startApi, type TestApi } from '../../support/servers/api.ts';
import { describeBadInput, type BadRequest } from '../../support/sources/bad-input.ts';
import { converse } from '../../support/servers/raw-http.ts';
import { assertRefused } from '../../support/ledger/refused.ts';

const missing = (name: string, path: string, method = 'GET'): BadRequest => [
  `${name} ${method} ${path.slice(0, 60)}`,
  path,
  { method, ...(method === 'POST' ? { body: {} } : {}) },
  'not_found',
  null,
];

describeBadInput('C: paths', [
  missing('C1', '/v1/nope'),
  missing('C1', '/v1', 'POST'),
  missing('C1', '/v1/'),
  missing('C1', '/v2/events'),
  missing('C1', '/nope'),
  ...['PUT', 'PATCH', 'DELETE', 'OPTIONS'].map((method) => missing('C2', '/v1/events', method)),
  missing('C2', '/v1/customers', 'DELETE'),
  missing('C2', '/v1/invoices/i', 'PUT'),
  missing('C3', '/V1/Events'),
  missing('C3', '/v1/Customers'),
  missing('C3', '/v1/events/'),
  missing('C3', '/v1/customers/', 'POST'),
  missing('C3', '/v1/%65vents'),
  ...['pricing-plans', 'customers', 'invoices', 'credit-grants', 'subscriptions'].flatMap((resource) =>
    [
      'a%00b',
      'a%2f..%2fb',
      '%zz',
      '%ff',
      '%',
      `'%20OR%20'1'='1`,
      'x'.repeat(10_000),
      '__proto__',
      'constructor',
      '-1',
      '1e3',
      '%ed%a0%80',
    ].map((id) => missing('C4', `/v1/${resource}/${id}`)),
  ),
]);

describe('paths', () => {
  let api: TestApi;
  before(async () => {
    api = await startApi();
  });
  after(() => api.close());

  // Raw bytes, because fetch normalizes such paths.
  for (const path of ['//v1/events', '/v1/./events', '/v1/events/../invoices', '/v1//events', '*']) {
    it(`C3 ${path} is not found`, async () => {
      const request = `GET ${path} HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer ${api.test_key}\r\n\r\n`;
      const { answers, text } = await converse(api.port, [request], { wanted: 1 });
      assert.equal(answers.length, 1, text);
      assertRefused(answers[0]!, { code: 'not_found' });
    });
  }

  const ALLOWED: [path: string, method: string, allow: string][] = [
    ['/v1/events', 'PUT', 'GET, HEAD, POST'],
    ['/v1/events/batch', 'GET', 'POST'],
    ['/v1/customers', 'DELETE', 'GET, HEAD, POST'],
    ['/v1/customers', 'PROPFIND', 'GET, HEAD, POST'],
    ['/v1/customers/c', 'POST', 'DELETE, GET, HEAD, PATCH'],
    ['/healthz', 'POST', 'GET, HEAD'],
  ];
  for (const [path, method, allow] of ALLOWED) {
    it(`${method} ${path} names the allowed methods`, async () => {
      const answer = await api.request(path, { method });
      assertRefused(answer, { code: 'not_found' });
      assert.equal(answer.headers.get('allow'), allow);
    });
  }

  it('C6 a method override is ignored', async () => {
    const headers = { 'X-HTTP-Method-Override': 'DELETE' };
    assert.equal((await api.request('/v1/customers', { headers })).status, 200);
  });

  it('HEAD responds as GET does, without a body', async () => {
    const got = await api.request('/v1/customers');
    const head = await api.request('/v1/customers', { method: 'HEAD' });
    assert.deepEqual([head.status, head.body], [200, '']);
    assert.equal(head.headers.get('content-length'), got.headers.get('content-length'));
  });

  it('404 has the same body for every reason', async () => {
    const { body: plan } = await api.post('/v1/pricing-plans', {
      name: 'p',
      charges: [{ event_name: 'e', pricing_model: 'flat', flat_amount: '1' }],
    });
    const bodies = new Set<string>();
    for (const [path, key] of [
      ['/v1/nope', api.test_key],
      ['/v1/pricing-plans/unknown', api.test_key],
      ['/v1/pricing-plans/cus_1', api.test_key],
      [`/v1/pricing-plans/${plan.id}`, api.live_key],
      [`/v1/pricing-plans/${plan.id}`, api.other_key],
    ] as const) {
      const { body } = await api.request(path, { key });
      bodies.add(JSON.stringify({ ...body.error, request_id: '' }));
    }
    assert.equal(bodies.size, 1);
  });
});
