import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import {
  connect,
  constants,
  createSecureServer,
  type IncomingHttpHeaders,
  type ServerHttp2Stream,
} from 'node:http2';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { aFolder } from './folder.ts';

export const API_KEY = 'key-of-a-test';

export type Gateway = {
  /** TEMPORAL_* for a process that goes through it. */
  settings: Record<string, string>;
  close: () => void;
};

/** Calls that only administrators of Temporal Cloud may make. */
const DENIED = /OperatorService|RegisterNamespace/;
const GRPC = { permission_denied: '7', unauthenticated: '16' };

/** A gateway before a Temporal server that is as strict as Temporal Cloud: TLS with client certificates, an API key, no administration. */
export async function startGateway(temporal_address: string): Promise<Gateway> {
  const folder = await aFolder();
  const at = (name: string) => join(folder, name);
  makeCertificates(folder);
  const upstream = connect(`http://${temporal_address}`);
  const server = createSecureServer({
    key: readFileSync(at('server.key')),
    cert: readFileSync(at('server.pem')),
    ca: readFileSync(at('ca.pem')),
    requestCert: true,
    rejectUnauthorized: true,
  });
  server.on('sessionError', () => undefined);
  server.on('stream', (stream, { ':authority': _, ...headers }) => {
    stream.on('error', () => undefined);
    if (headers.authorization !== `Bearer ${API_KEY}`) return refuse(stream, GRPC.unauthenticated);
    if (DENIED.test(headers[':path'] ?? '')) return refuse(stream, GRPC.permission_denied);
    const onward = upstream.request(headers);
    let trailers: IncomingHttpHeaders = {};
    onward.on('error', () => stream.close());
    onward.on('trailers', (found) => (trailers = found));
    onward.on('response', (answered, flags) => {
      if (stream.destroyed) return;
      const endStream = (flags & constants.NGHTTP2_FLAG_END_STREAM) !== 0;
      stream.respond(answered, { endStream, waitForTrailers: !endStream });
    });
    stream.on('wantTrailers', () => stream.sendTrailers(trailers));
    stream.on('close', () => onward.close());
    stream.pipe(onward).pipe(stream);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    settings: {
      TEMPORAL_ADDRESS: `127.0.0.1:${port}`,
      TEMPORAL_API_KEY: API_KEY,
      TEMPORAL_TLS_SERVER_CA_CERT_PATH: at('ca.pem'),
      TEMPORAL_TLS_SERVER_NAME: 'localhost',
      TEMPORAL_TLS_CLIENT_CERT_PATH: at('client.pem'),
      TEMPORAL_TLS_CLIENT_KEY_PATH: at('client.key'),
    },
    close: () => {
      server.close();
      upstream.destroy();
    },
  };
}

function refuse(stream: ServerHttp2Stream, status: string): void {
  const headers = { ':status': 200, 'content-type': 'application/grpc', 'grpc-status': status };
  stream.respond({ ...headers, 'grpc-message': 'Request unauthorized.' }, { endStream: true });
}

function makeCertificates(folder: string): void {
  const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: folder, stdio: 'ignore' });
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  openssl(
    'req',
    '-x509',
    ...key,
    '-keyout',
    'ca.key',
    '-out',
    'ca.pem',
    '-days',
    '2',
    '-subj',
    '/CN=authority',
  );
  writeFileSync(join(folder, 'names'), 'subjectAltName=DNS:localhost');
  for (const name of ['server', 'client']) {
    openssl('req', ...key, '-keyout', `${name}.key`, '-out', `${name}.csr`, '-subj', `/CN=${name}`);
    const authority = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial'];
    const files = ['-in', `${name}.csr`, '-out', `${name}.pem`, '-days', '2', '-extfile', 'names'];
    openssl('x509', '-req', ...authority, ...files);
  }
}
