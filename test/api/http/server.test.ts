import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { Type } from 'typebox';
import { composeApi, type Api } from '../../../api/compose.ts';
import { route, type Route, type RouteResponse } from '../../../api/routing/route.ts';
import { createApiServer } from '../../../api/server.ts';
import { createPool } from '../../../src/db/connection/pool.ts';
import { startApi, type TestApi } from '../../support/servers/api.ts';
import { eventually } from '../../support/servers/eventually.ts';
import { untilSomebodyWaits } from '../../support/ledger/locks.ts';
import { converse } from '../../support/servers/raw-http.ts';
import { assertRefused } from '../../support/ledger/refused.ts';

describe('the server', () => {
  let api: TestApi;
  before(async () => {
    api = await startApi({ limits: { connections_max: 20 }, processes: 1 });
    await api.post('/v1/customers', { external_id: 'c' });
  });
  after(() => api.close());

  it('accepts a request that comes byte by byte', async () => {
    const body = '{"external_id":"bytes"}';
    const head = `POST /v1/customers HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer ${api.test_key}\r\nContent-Type: application/json; charset=UTF-8\r\nTransfer-Encoding: chunked\r\n\r\n`;
    const text = `${head}${[...body].map((byte) => `1\r\n${byte}\r\n`).join('')}0\r\n\r\n`;
    const { answers } = await converse(api.port, [...text], { pause_ms: 1, wanted: 1 });
    assert.equal(answers[0]?.status, 201);
  });

  it('answers pipelined requests in their order', async () => {
    const get = (path: string) =>
      `GET ${path} HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer ${api.test_key}\r\n\r\n`;
    const paths = ['/v1/customers/c', '/healthz', '/v1/nope', '/readyz'];
    const { answers } = await converse(api.port, [paths.map(get).join('')], { wanted: 4 });
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200, 404, 200],
    );
  });

  it('keeps a connection after a body that is too large but small enough to skip', async () => {
    const headers = `Host: h\r\nAuthorization: Bearer ${api.test_key}\r\nContent-Type: application/json\r\n`;
    const large = `POST /v1/customers HTTP/1.1\r\n${headers}Content-Length: 2000000\r\n\r\n${' '.repeat(2_000_000)}`;
    const { answers } = await converse(api.port, [large, `GET /v1/customers/c HTTP/1.1\r\n${headers}\r\n`], {
      wanted: 2,
    });
    assert.deepEqual(
      answers.map(({ status }) => status),
      [400, 200],
    );
  });

  const without_end = [
    ['with a Content-Length', 'Content-Length: 1000000000\r\n\r\n'],
    ['with chunked encoding', 'Transfer-Encoding: chunked\r\n\r\n3b9aca00\r\n'],
  ] as const;
  for (const [how, rest] of without_end)
    it(`a body without end, ${how}, gets a response at once, and the connection is closed`, async () => {
      const head = `POST /v1/customers HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer ${api.test_key}\r\nContent-Type: application/json\r\n`;
      const sent = [head + rest, Buffer.alloc(20_000_000, ' ')];
      const { answers, is_closed } = await converse(api.port, sent);
      assertRefused(answers[0]!, { code: 'invalid_request', reason: 'too_large' });
      assert.ok(is_closed);
    });

  it('RL3 closes the connection that was idle longest when there are too many', async () => {
    const sockets = Array.from({ length: 30 }, () => connect(api.port, '127.0.0.1'));
    const closed = new Set<number>();
    for (const [index, socket] of sockets.entries()) {
      socket.on('close', () => closed.add(index));
      socket.on('error', () => undefined);
      await new Promise((resolve) => socket.once('connect', resolve));
    }
    assert.equal((await api.request('/v1/customers/c')).status, 200);
    await eventually(
      () => Promise.resolve([...closed]),
      (numbers) => numbers.length >= 10,
    );
    assert.ok(closed.has(0) && !closed.has(29), `${[...closed]}`);
    for (const socket of sockets) socket.destroy();
  });

  it('a response names no server software, and must not be cached', async () => {
    const { headers } = await api.request('/v1/customers/c');
    assert.deepEqual(
      [
        headers.get('x-content-type-options'),
        headers.get('cache-control'),
        headers.get('x-powered-by'),
        headers.get('server'),
      ],
      ['nosniff', 'no-store', null, null],
    );
    assert.match(headers.get('x-request-id')!, /^req_[0-9a-z]{26}$/);
  });

  it('counts requests by route pattern', async () => {
    await api.request('/v1/customers/c');
    await api.request('/v1/nope');
    const { body } = await api.request('/metrics', { key: null });
    assert.match(
      body,
      /tidemark_http_requests_total\{method="GET",route="\/v1\/customers\/\{id\}",status="200"\} \d+/,
    );
    assert.match(body, /tidemark_http_requests_total\{method="GET",route="none",status="404"\} \d+/);
    assert.match(body, /tidemark_pool_connections\{pool="requests",state="idle"\} \d+/);
  });

  const health = async (path: string) => (await api.request(path, { key: null })).status;

  it('is not ready while it drains', async () => {
    assert.deepEqual([await health('/healthz'), await health('/readyz')], [200, 200]);
    api.readiness.is_draining = true;
    assert.deepEqual([await health('/healthz'), await health('/readyz')], [200, 503]);
    api.readiness.is_draining = false;
  });
});

describe('a stop', () => {
  /** A PATCH that waits for a row lock, and a function that releases the lock. */
  async function withSlowRequest(finish_ms: number) {
    const api = await startApi({ limits: { finish_ms }, processes: 1 });
    await api.post('/v1/customers', { external_id: 'c' });
    const client = await api.pool.connect();
    await client.query('begin');
    await client.query('select from customers for update');
    const slow = api.request('/v1/customers/c', { method: 'PATCH', body: { name: 'x' } });
    await untilSomebodyWaits(api.pool);
    const letGo = async () => {
      await client.query('rollback');
      client.release();
    };
    return { api, slow, letGo };
  }

  it('finishes running requests, closes their connections, and accepts nothing new', async () => {
    const { api, slow, letGo } = await withSlowRequest(5000);
    const closed = api.close();
    await pause(50);
    await assert.rejects(api.request('/healthz'));
    await letGo();
    const { status, headers } = await slow;
    assert.deepEqual([status, headers.get('connection')], [200, 'close']);
    await closed;
  });

  it('cuts off requests that are not done by the deadline', async () => {
    const { api, slow, letGo } = await withSlowRequest(100);
    const closed = api.close();
    await assert.rejects(slow);
    await letGo();
    await closed;
  });
});

describe('internal errors', () => {
  async function startBroken(api: Api, routes: readonly Route[]) {
    const server = createApiServer(api, routes, { validate_responses: true });
    const url = `http://127.0.0.1:${await server.listen(0, '127.0.0.1')}`;
    return { server, url };
  }

  it('RL4 without a database requests get 500 with Retry-After, except /healthz and /readyz', async () => {
    const api = await startApi({ processes: 1 });
    const pool = createPool('postgres://nobody@127.0.0.1:1/nothing', 2);
    const { server, url } = await startBroken(composeApi({ ...api.deps, pool }), []);
    const headers = { Authorization: `Bearer ${api.test_key}` };
    const request = (path: string) => fetch(url + path, { headers });
    const answer = await request('/v1/customers');
    const received = { status: answer.status, headers: answer.headers, body: await answer.json() };
    assertRefused(received, { code: 'internal_error', reason: 'unavailable' });
    assert.equal(answer.headers.get('retry-after'), '1');
    assert.deepEqual([(await request('/healthz')).status, (await request('/readyz')).status], [200, 503]);
    await server.close();
    await api.close();
  });

  const answering = (path: string, handle: () => Promise<RouteResponse<200, { a: string }>>) =>
    route({
      method: 'get',
      path,
      operation_id: path,
      tag: 'Test',
      summary: 'Test',
      responses: { 200: Type.Object({ a: Type.String() }, { additionalProperties: false }) },
      handle,
    });

  it('an unexpected exception is a 500 without details', async () => {
    const api = await startApi({ processes: 1 });
    const thrown = new Error('relation "secret" does not exist at file.ts:1');
    const { server, url } = await startBroken(api, [
      answering('/v1/throws', () => Promise.reject(thrown)),
      answering('/v1/leaks', () => Promise.resolve({ status: 200, body: { a: 'x', secret: 1 } })),
    ]);
    for (const path of ['/v1/throws', '/v1/leaks']) {
      const answer = await fetch(url + path, { headers: { Authorization: `Bearer ${api.test_key}` } });
      const { status, headers } = answer;
      assertRefused({ status, headers, body: await answer.json() }, { code: 'internal_error', param: null });
      assert.equal(headers.get('retry-after'), null);
    }
    await server.close();
    await api.close();
  });
});
