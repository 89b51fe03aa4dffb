import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { aFolder } from './folder.ts';
import type { Received } from './api.ts';

/** Certificate and key in PEM form. */
export type TestCertificate = { cert: string; key: string };

/** A new certificate for 127.0.0.1 that signs itself, and its key. Needs the command openssl. */
export async function aCertificate(): Promise<TestCertificate> {
  const folder = await aFolder();
  const paths = { cert: join(folder, 'cert.pem'), key: join(folder, 'key.pem') };
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
  const names = ['-subj', '/CN=test', '-addext', 'subjectAltName=IP:127.0.0.1'];
  const files = ['-keyout', paths.key, '-out', paths.cert];
  execFileSync('openssl', ['req', '-x509', ...kind, ...names, ...files], { stdio: 'ignore' });
  return { cert: readFileSync(paths.cert, 'utf8'), key: readFileSync(paths.key, 'utf8') };
}

type Asked = { method?: string; key?: string; body?: object; agent?: Agent };

/** Sends a request by https; rejects if the server's certificate is another than `ca`. By default on a new connection. */
export async function askSecurely(
  port: number,
  path: string,
  { ca, method = 'GET', key = '', body, agent }: Asked & { ca: string },
): Promise<Received> {
  return new Promise((resolve, reject) => {
    const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
    const place = { host: '127.0.0.1', port, path, method, headers, ca, agent: agent ?? new Agent() };
    const asking = request(place, (answer) => {
      const received = new Headers(answer.headersDistinct as Record<string, never>);
      text(answer).then((read) => {
        const is_json = received.get('content-type')?.startsWith('application/json') ?? false;
        resolve({ status: answer.statusCode!, headers: received, body: is_json ? JSON.parse(read) : read });
      }, reject);
    });
    asking.on('error', reject);
    asking.end(body === undefined ? undefined : JSON.stringify(body));
  });
}
