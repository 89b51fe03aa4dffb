import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createPlainServer, type AddressInfo, BlockList, type Server } from 'node:net';
import { text } from 'node:stream/consumers';
import { post, type Response } from '../../src/webhooks/post.ts';
import type { Reach } from '../../src/webhooks/reachable.ts';
import { atEnd } from '../support/servers/at-end.ts';

const DEVELOPMENT: Reach = { allowed: new BlockList(), is_loopback_allowed: true };
const PRODUCTION: Reach = { ...DEVELOPMENT, is_loopback_allowed: false };
const LIMIT_MS = 300;

async function portOf(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  atEnd(async () => void server.close());
  return (server.address() as AddressInfo).port;
}

async function aReceiver(receive: RequestListener): Promise<string> {
  const server = createServer(receive);
  atEnd(async () => server.closeAllConnections());
  return `http://127.0.0.1:${await portOf(server)}/hooks?for=tidemark`;
}

function posted(url: string, options: { reach?: Reach; timeout_ms?: number } = {}): Promise<Response> {
  const headers = { 'content-type': 'application/json', 'webhook-id': 'chn_1' };
  return post({ url, headers, body: '{"a":"ö"}' }, { reach: DEVELOPMENT, timeout_ms: LIMIT_MS, ...options });
}

describe('a webhook', () => {
  it('is posted once, with its headers and bytes, and the beginning of the response is kept', async () => {
    const received: unknown[] = [];
    const url = await aReceiver((request, response) => {
      const { method, url: path, headers } = request;
      void text(request).then((body) => {
        received.push([method, path, headers['webhook-id'], headers['content-length'], body]);
        response.writeHead(202).end('€'.repeat(400));
      });
    });
    const { status, body, error, retry_after } = await posted(url);
    assert.deepEqual(received, [['POST', '/hooks?for=tidemark', 'chn_1', '10', '{"a":"ö"}']]);
    assert.deepEqual({ status, error, retry_after }, { status: 202, error: null, retry_after: null });
    // 1,024 bytes are 341 euro signs of three bytes and a part of one.
    assert.equal(body, '€'.repeat(341));
  });

  it('follows no redirect', async () => {
    let requests = 0;
    const url = await aReceiver((_, response) => {
      requests += 1;
      response.writeHead(307, { location: '/elsewhere' }).end();
    });
    assert.equal((await posted(url)).status, 307);
    assert.equal(requests, 1);
  });

  it('gets the time to wait that the receiver asks for', async () => {
    const url = await aReceiver(
      (_, response) => void response.writeHead(503, { 'retry-after': '120' }).end('busy'),
    );
    const { status, body, retry_after } = await posted(url);
    assert.deepEqual({ status, body, retry_after }, { status: 503, body: 'busy', retry_after: '120' });
  });

  it('is delivered once the status comes, whatever the body does', async () => {
    const hangs = await aReceiver((_, response) => void response.writeHead(200).write('first'));
    const resets = await aReceiver((_, response) => {
      response.writeHead(200).write('first');
      setTimeout(() => response.destroy(), 50);
    });
    const floods = await aReceiver((_, response) => void response.end('x'.repeat(10_000_000)));
    for (const url of [hangs, resets]) {
      const { status, body } = await posted(url);
      assert.deepEqual({ status, body }, { status: 200, body: 'first' });
    }
    const { status, body } = await posted(floods);
    assert.deepEqual({ status, length: body!.length }, { status: 200, length: 1024 });
  });

  it('says what went wrong', async () => {
    const silent = await aReceiver(() => undefined);
    assert.equal((await posted(silent)).error, 'no response within 0.3 s');
    const mute = createPlainServer((socket) => void socket.destroy());
    const reset = await posted(`http://127.0.0.1:${await portOf(mute)}/`);
    assert.equal(reset.status, null);
    assert.match(reset.error!, /socket hang up|ECONNRESET/);
    const babbling = createPlainServer((socket) => void socket.end('SSH-2.0-OpenSSH_9.2\r\n\r\n'));
    assert.match((await posted(`http://127.0.0.1:${await portOf(babbling)}/`)).error!, /Parse Error/);
    const unencrypted = await aReceiver((_, response) => void response.end());
    assert.match((await posted(unencrypted.replace('http:', 'https:'))).error!, /SSL|EPROTO/);
  });

  it('goes to no address that is not public, by its number or by its name', async () => {
    let connections = 0;
    const server = createPlainServer(() => void connections++);
    const port = await portOf(server);
    for (const host of ['127.0.0.1', '2130706433', '[::ffff:127.0.0.1]', 'localhost']) {
      const { status, error } = await posted(`http://${host}:${port}/`, { reach: PRODUCTION });
      assert.equal(status, null);
      assert.match(error!, /is no public address$/, host);
    }
    assert.equal(connections, 0);
  });
});
