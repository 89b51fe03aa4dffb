import { Agent, request } from 'node:http';
import { LOOPBACK } from '../../dev/ports.ts';
import type { Api } from '../programs.ts';

const CONNECTIONS_MAX = 256;

export type Post = (path: string, body: object) => Promise<{ status: number; text: string }>;

/** Posts to the API on keep-alive connections. With fetch, a request would cost the client more time than the API under test. */
export function openConnections({ port, live_key }: Api): { post: Post; close: () => void } {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS_MAX });
  const post: Post = (path, body) =>
    new Promise((resolve, reject) => {
      const bytes = Buffer.from(JSON.stringify(body));
      const headers = {
        authorization: `Bearer ${live_key}`,
        'content-type': 'application/json',
        'content-length': bytes.length,
      };
      const message = request({ agent, host: LOOPBACK, port, path, method: 'POST', headers }, (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => (text += chunk));
        response.on('end', () => resolve({ status: response.statusCode!, text }));
        response.on('error', reject);
      });
      message.on('error', reject);
      message.end(bytes);
    });
  return { post, close: () => agent.destroy() };
}
