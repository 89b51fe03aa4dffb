import assert from 'node:assert/strict';
import { startApi, send } from '../support/api.ts';
import { startApiProcess } from '../support/api-process.ts';
import { eventually } from '../support/eventually.ts';

describe('the drain of an API', function () {
  // Processes start.
  this.timeout(120_000);

  it('says that it is not ready, serves on, and each response closes its connection', async () => {
    const api = await startApi({ processes: 1 });
    api.drain();
    for (const [path, status] of [
      ['/readyz', 503],
      ['/healthz', 200],
      ['/v1/customers', 200],
      ['/v1/nothing', 404],
    ] as const) {
      const answer = await api.request(path);
      assert.deepEqual([answer.status, answer.headers.get('connection')], [status, 'close'], path);
    }
    const stored = await api.post('/v1/customers', { external_id: 'c' });
    assert.deepEqual([stored.status, stored.headers.get('connection')], [201, 'close']);
    await api.close();
  });

  it('begins with SIGTERM and lasts for DRAIN_SECONDS, then the process ends', async () => {
    const { process, url, test_key: key } = await startApiProcess({ DRAIN_SECONDS: '5' });
    const kept = await send(`${url}/v1/customers`, { key });
    assert.equal(kept.headers.get('connection'), 'keep-alive');
    process.child.kill('SIGTERM');
    await eventually(
      () => send(`${url}/readyz`, {}),
      ({ status }) => status === 503,
    );
    const served = await send(`${url}/v1/customers`, { key });
    assert.deepEqual([served.status, served.headers.get('connection')], [200, 'close']);
    assert.equal(await process.exited, 'exit code 0');
    await assert.rejects(send(`${url}/healthz`, {}));
  });

  it('lasts for no time where DRAIN_SECONDS is 0', async () => {
    const { process } = await startApiProcess({ DRAIN_SECONDS: '0' });
    process.child.kill('SIGTERM');
    assert.equal(await process.exited, 'exit code 0');
  });
});
