import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { readConfig } from '../../../src/settings/config.ts';
import { anyFreePort, LOOPBACK } from '../../../dev/ports.ts';
import { findTemporal } from '../../../dev/temporal-binary.ts';
import { startTemporal, type TemporalServer } from '../../../dev/temporal-server.ts';
import { atEnd } from '../../support/servers/at-end.ts';
import { eventually } from '../../support/servers/eventually.ts';
import { aFolder } from '../../support/servers/folder.ts';

const WORKFLOWS = '/api/v1/namespaces/billing/workflows';
const STARTED = { workflowType: { name: 'x' }, taskQueue: { name: 'q' } };

/** A request that a page of another site can make a browser send without a preflight request. */
const PAGE = { 'Content-Type': 'text/plain', Origin: 'https://evil.example', 'Sec-Fetch-Site': 'cross-site' };

type Sent = { port: number; path: string; body?: object; headers?: Record<string, string> };

async function send({ port, path, body, headers = {} }: Sent): Promise<{ status: number; answer: string }> {
  const sending = request({
    host: LOOPBACK,
    port,
    path,
    method: body === undefined ? 'GET' : 'POST',
    headers,
  });
  sending.end(body === undefined ? undefined : JSON.stringify(body));
  const [response] = (await once(sending, 'response')) as [IncomingMessage];
  return { status: response.statusCode!, answer: await text(response) };
}

describe('the embedded Temporal server, for a page of another site', function () {
  this.timeout(600_000); // Long: the first run may have to build the Temporal command.

  let server: TemporalServer;
  let http_port = 0;
  let ui_port = 0;
  before(async () => {
    const logs = join(await aFolder(), 'logs');
    ui_port = await anyFreePort();
    const binary = await findTemporal(readConfig().temporal_cli, console.log);
    server = await startTemporal({ binary, namespace: 'billing', db_file: null, port: null, ui_port, logs });
    atEnd(server.stop);
    const command = execFileSync('ps', ['-ww', '-o', 'command=', '-p', `${server.pid}`], {
      encoding: 'utf8',
    });
    http_port = Number(/--http-port (\d+)/.exec(command)![1]);
  });
  after(() => server.stop());

  it('responds to its own parent, and while it hangs it does not', async () => {
    const responds = (within_ms: number) => server.responds!(within_ms);
    assert.equal(await responds(5000), true);
    process.kill(server.pid, 'SIGSTOP');
    try {
      // On a busy machine a thread of the server may respond before the signal stops it.
      await eventually(
        () => responds(300),
        (has_responded) => !has_responded,
      );
    } finally {
      process.kill(server.pid, 'SIGCONT');
    }
    await eventually(() => responds(5000), Boolean);
  });

  const HOSTS: [what: string, headers: Record<string, string>][] = [
    ['sends as text', PAGE],
    ['sends after its name was pointed at this machine', { ...PAGE, Host: 'evil.example' }],
    ['sends to localhost', { ...PAGE, Host: 'localhost' }],
    ['or a program sends', { 'Content-Type': 'application/json' }],
  ];
  for (const [what, headers] of HOSTS)
    it(`refuses to start, signal and end workflows over HTTP, in a request that it ${what}`, async () => {
      const asked: [path: string, body?: object][] = [
        [`${WORKFLOWS}/w1`, STARTED],
        [`${WORKFLOWS}/w1/signal/wake`, {}],
        [`${WORKFLOWS}/w1/terminate`, {}],
        [WORKFLOWS],
      ];
      for (const [path, body] of asked) {
        const { status, answer } = await send({ port: http_port, path, headers, ...(body && { body }) });
        assert.deepEqual([status, /Host not allowed/.test(answer)], [403, true], path);
      }
    });

  it('passes no Nexus call to a worker', async () => {
    const path = '/namespaces/billing/task-queues/billing/nexus-services/s/o';
    const { status } = await send({ port: http_port, path, body: {}, headers: PAGE });
    assert.ok([403, 404].includes(status), `${status}`);
  });

  it('refuses to start, signal and end workflows through the UI, and shows nothing', async () => {
    for (const [path, body] of [
      [`${WORKFLOWS}/w1`, STARTED],
      [`${WORKFLOWS}/w1/signal/wake`, {}],
      [`${WORKFLOWS}/w1/terminate`, {}],
    ] as const) {
      const { status, answer } = await send({ port: ui_port, path, body, headers: PAGE });
      assert.deepEqual([status, /csrf token/.test(answer)], [400, true], path);
    }
    const headers = { Origin: PAGE.Origin };
    const read = await eventually(
      () => fetch(`http://${LOOPBACK}:${ui_port}${WORKFLOWS}`, { headers }),
      ({ status }) => status === 200,
    );
    assert.equal(read.headers.get('access-control-allow-origin'), null);
  });
});
