import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';
import type { Json } from './api.ts';
import { atEnd } from './at-end.ts';

/** A request that a receiver got. */
export type Posted = { headers: IncomingHttpHeaders; body: string; change: Json };

export type Receiver = {
  url: string;
  /** All requests, in the order of their arrival. */
  posted: Posted[];
  /** Answers the next requests: a status, or a function that does what it likes with the response. */
  answer: (how: number | ((response: ServerResponse, posted: Posted) => void)) => void;
  /** Verifies a request by the library of Standard Webhooks; throws if it is not genuine. */
  verified: (posted: Posted, secret: string) => Json;
  close: () => Promise<void>;
};

/** A real HTTP server on this machine that keeps what is posted to it. */
export async function aReceiver(): Promise<Receiver> {
  const posted: Posted[] = [];
  let respond = (response: ServerResponse, _: Posted): void => void response.end('received');
  const server = createServer((request, response) => {
    text(request).then(
      (body) => {
        const one = { headers: request.headers, body, change: JSON.parse(body) };
        posted.push(one);
        respond(response, one);
      },
      // The sender has gone.
      () => response.destroy(),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the receiver has no port');
  const close = async () => {
    server.closeAllConnections();
    if (server.listening) await new Promise((resolve) => server.close(resolve));
  };
  atEnd(close);
  return {
    url: `http://127.0.0.1:${address.port}/hooks`,
    posted,
    answer: (how) => {
      respond = typeof how === 'number' ? (response) => void response.writeHead(how).end('received') : how;
    },
    verified: ({ headers, body }, secret) =>
      new Webhook(secret).verify(body, headers as Record<string, string>) as Json,
    close,
  };
}
