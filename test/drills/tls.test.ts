import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { Agent } from 'node:https';
import { connect as connectPlain, type Socket } from 'node:net';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { text } from 'node:stream/consumers';
import { openCertificate } from '../../api/http/tls.ts';
import type { LIMITS } from '../../api/server.ts';
import { startApi, type TestApi } from '../support/servers/api.ts';
import { aCertificate, askSecurely, type TestCertificate } from '../support/servers/certificate.ts';
import { useCommand } from '../support/servers/debian.ts';
import { eventually } from '../support/servers/eventually.ts';
import { aFolder } from '../support/servers/folder.ts';

type SecureApi = TestApi & {
  write: (pair: Partial<TestCertificate>) => void;
  /** Lines of the log at level error. */
  errors: string[];
};

async function startSecureApi(
  pair: TestCertificate,
  limits: Partial<typeof LIMITS> = {},
): Promise<SecureApi> {
  const folder = await aFolder();
  const files = { cert_file: join(folder, 'tls.crt'), key_file: join(folder, 'tls.key') };
  const write = ({ cert, key }: Partial<TestCertificate>) => {
    if (cert !== undefined) writeFileSync(files.cert_file, cert);
    if (key !== undefined) writeFileSync(files.key_file, key);
  };
  write(pair);
  const certificate = await openCertificate(files);
  const api = await startApi({ processes: 1, certificate, limits: { certificate_poll_ms: 20, ...limits } });
  const errors: string[] = [];
  api.deps.log.error = (...line: unknown[]) => void errors.push(JSON.stringify(line));
  return { ...api, write, errors };
}

/** The text that a connection receives until it is closed. */
async function received(socket: Socket, sent: string): Promise<string> {
  socket.on('error', () => undefined);
  socket.write(sent);
  return text(socket).catch(() => '');
}

describe('https', function () {
  // The first test starts the database.
  this.timeout(180_000);
  useCommand('openssl', 'openssl');
  let pair: TestCertificate;
  let other: TestCertificate;
  before(async () => {
    [pair, other] = [await aCertificate(), await aCertificate()];
  });

  describe('serves as http does', () => {
    let api: SecureApi;
    before(async () => {
      api = await startSecureApi(pair, { connections_max: 10 });
    });
    after(() => api.close());
    const ask = (path: string, asked: object = {}) =>
      askSecurely(api.port, path, { ca: pair.cert, key: api.test_key, ...asked });

    it('requests, several on a connection', async () => {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      const stored = await ask('/v1/customers', { method: 'POST', body: { external_id: 'c' }, agent });
      const event = { event_name: 'e', customer_id: 'c', idempotency_key: 'k' };
      const ingested = await ask('/v1/events', { method: 'POST', body: event, agent });
      const read = await ask('/v1/customers/c', { agent });
      assert.deepEqual([stored.status, ingested.status, read.status], [201, 201, 200]);
      assert.equal(read.headers.get('connection'), 'keep-alive');
      agent.destroy();
    });

    it('a broken request is a 400', async () => {
      const socket = connect({ port: api.port, host: '127.0.0.1', ca: pair.cert });
      assert.match(await received(socket, 'NONSENSE\r\n\r\n'), /^HTTP\/1.1 400 Bad Request\r\n/);
      const without_host = connect({ port: api.port, host: '127.0.0.1', ca: pair.cert });
      assert.match(await received(without_host, 'GET / HTTP/1.1\r\n\r\n'), /^HTTP\/1.1 400 Bad Request\r\n/);
    });

    it('a request in plain http gets no answer', async () => {
      const answer = await received(connectPlain(api.port, '127.0.0.1'), 'GET / HTTP/1.1\r\nHost: h\r\n\r\n');
      assert.ok(!answer.includes('HTTP/1.1 '), answer);
    });

    it('connections without a handshake count: the one that is idle longest is closed', async () => {
      const closed = new Set<number>();
      const sockets = Array.from({ length: 20 }, () => connectPlain(api.port, '127.0.0.1'));
      for (const [index, socket] of sockets.entries()) {
        socket.on('error', () => undefined).on('close', () => closed.add(index));
        await new Promise((resolve) => socket.once('connect', resolve));
      }
      assert.equal((await ask('/v1/customers/c')).status, 200);
      await eventually(
        () => Promise.resolve([...closed]),
        (numbers) => numbers.length >= 10,
      );
      assert.ok(closed.has(0) && !closed.has(19), `${[...closed]}`);
      for (const socket of sockets) socket.destroy();
    });
  });

  it('a connection whose handshake does not end is closed', async () => {
    const api = await startSecureApi(pair, { head_ms: 50 });
    assert.equal(await received(connectPlain(api.port, '127.0.0.1'), ''), '');
    await api.close();
  });

  it('a stop drains, and does not wait for a handshake', async () => {
    const api = await startSecureApi(pair, { finish_ms: 50 });
    const silent = connectPlain(api.port, '127.0.0.1').on('error', () => undefined);
    await new Promise((resolve) => silent.once('connect', resolve));
    api.drain();
    const { status, headers } = await askSecurely(api.port, '/v1/customers', {
      ca: pair.cert,
      key: api.test_key,
    });
    assert.deepEqual([status, headers.get('connection')], [200, 'close']);
    await api.close();
  });

  describe('the files of the certificate', () => {
    let api: SecureApi;
    beforeEach(async () => {
      api = await startSecureApi(pair);
    });
    afterEach(() => api.close());

    const shows = ({ cert }: TestCertificate) =>
      askSecurely(api.port, '/healthz', { ca: cert }).then(
        ({ status }) => status === 200,
        () => false,
      );
    const untilShown = (shown: TestCertificate) =>
      eventually(
        () => shows(shown),
        (is_shown) => is_shown,
      );

    it('are read again when they change', async () => {
      assert.deepEqual([await shows(pair), await shows(other)], [true, false]);
      api.write(other);
      await untilShown(other);
      api.write(pair);
      await untilShown(pair);
    });

    it('that do not match change nothing, and are one line of the log', async () => {
      api.write({ cert: other.cert });
      await eventually(
        () => Promise.resolve(api.errors),
        (lines) => lines.length > 0,
      );
      assert.ok(await shows(pair));
      assert.match(api.errors[0]!, /TLS_KEY_FILE: .*tls\.key is not the key of the first certificate/);
      api.write({ key: other.key });
      await untilShown(other);
      assert.equal(api.errors.length, 1);
    });

    it('that are no certificate change nothing', async () => {
      api.write({ cert: 'nonsense' });
      await eventually(
        () => Promise.resolve(api.errors),
        (lines) => lines.length > 0,
      );
      assert.ok(await shows(pair));
      assert.match(api.errors[0]!, /TLS_CERT_FILE: .*tls\.crt is not a certificate in PEM form/);
    });
  });
});
