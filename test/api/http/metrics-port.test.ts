import assert from 'node:assert/strict';
import { createMetricsServer } from '../../../api/metrics-server.ts';
import { startApi, type TestApi } from '../../support/servers/api.ts';

const settings = { NODE_ENV: 'production' };

describe('the metrics of a process in production', () => {
  let api: TestApi;
  let url = '';
  const servers: { close: () => Promise<void> }[] = [];
  before(async () => {
    api = await startApi({ processes: 1, settings });
    const metrics = createMetricsServer(api.deps.metrics);
    url = `http://127.0.0.1:${await metrics.listen(0, '127.0.0.1')}`;
    servers.push(api, metrics);
  });
  after(() => Promise.all(servers.map((server) => server.close())));

  it('are not at the port of the API', async () => {
    const { status, body } = await api.request('/metrics', { key: null });
    assert.deepEqual([status, body.error.code], [404, 'not_found']);
  });

  it('are at a port of their own', async () => {
    const answer = await fetch(`${url}/metrics`);
    assert.equal(answer.status, 200);
    assert.match(answer.headers.get('content-type')!, /^text\/plain; version=0\.0\.4/);
    assert.match(
      await answer.text(),
      /^tidemark_http_requests_total\{method="GET",route="none",status="404"\} 1$/m,
    );
  });

  for (const [method, path] of [
    ['GET', '/'],
    ['GET', '/v1/customers'],
    ['GET', '/healthz'],
    ['GET', '/metrics/'],
    ['POST', '/metrics'],
  ] as const)
    it(`which serves nothing else: ${method} ${path}`, async () =>
      assert.equal((await fetch(url + path, { method })).status, 404));
});

describe('the metrics of npm start', () => {
  it('are at the port of the API', async () => {
    const api = await startApi({ processes: 1, settings: { METRICS_PORT: '9464' } });
    assert.equal((await api.request('/metrics', { key: null })).status, 200);
    await api.close();
  });
});
