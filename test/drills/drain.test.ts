import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import type { LIMITS } from '../../api/server.ts';
import { startApi, send } from '../support/servers/api.ts';
import { startApiProcess } from '../support/servers/api-process.ts';
import { eventually } from '../support/servers/eventually.ts';

const CONNECTIONS = 50;

describe('the drain of an API', function () {
  // Processes start.
  this.timeout(180_000);

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

  /** Connects many times, closes the API, and waits until it has stopped listening. Node accepts one connection at a time. */
  async function connectAndClose(limits: Partial<typeof LIMITS>) {
    const api = await startApi({ processes: 1, limits: { finish_ms: 60_000, ...limits } });
    const sockets = Array.from({ length: CONNECTIONS }, () => connect(api.port, '127.0.0.1'));
    await Promise.all(sockets.map((socket) => once(socket, 'connect')));
    const answers = Promise.all(sockets.map((socket) => text(socket).catch(() => 'reset')));
    const closed = api.close();
    const isRefused = () =>
      send(`${api.url}/healthz`, {}).then(
        () => false,
        () => true,
      );
    await eventually(isRefused, Boolean);
    return { sockets, answers, closed };
  }

  it('ends without the loss of a request on a connection that was opened just before', async () => {
    const { sockets, answers, closed } = await connectAndClose({ first_request_ms: 60_000 });
    for (const socket of sockets) socket.write('GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n');
    for (const answer of await answers)
      assert.match(answer, /^HTTP\/1.1 200 OK\r\n(?:.*\r\n)*Connection: close\r\n/i);
    await closed;
  });

  it('does not wait long for a connection that sends no request', async () => {
    const { answers, closed } = await connectAndClose({ first_request_ms: 20 });
    await closed;
    assert.deepEqual(
      (await answers).filter((answer) => answer.startsWith('HTTP')),
      [],
    );
  });

  it('lasts for no time where DRAIN_SECONDS is 0', async () => {
    const { process } = await startApiProcess({ DRAIN_SECONDS: '0' });
    process.child.kill('SIGTERM');
    assert.equal(await process.exited, 'exit code 0');
  });
});
