import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { atEnd } from '../support/servers/at-end.ts';
import { send, type Json } from '../support/servers/api.ts';

export type Request = { method: string; path: string; headers: IncomingMessage['headers']; text: string };

/** A fault before or behind the API: an answer of its own, a connection that breaks, or one that breaks after the API has answered. */
export type Fault =
  { status: number; headers?: Readonly<Record<string, string>>; body?: unknown } | 'reset' | 'lost_answer';

export type Front = {
  url: string;
  /** Every request, also if it met a fault. */
  received: Request[];
  /** The next requests meet these, in order; null is none. */
  faults: (Fault | null)[];
  /** Every request meets it, until it is null again. */
  standing: Fault | null;
};

/** A server before the API, as a proxy is: passes requests on, and meets them with faults. */
export async function aFront(api_url: string): Promise<Front> {
  const front: Front = { url: '', received: [], faults: [], standing: null };
  front.url = await aServer(async (request, response) => {
    front.received.push(request);
    const planned = front.faults.shift();
    const fault = planned === undefined ? front.standing : planned;
    if (fault === 'reset') return void response.destroy();
    if (fault !== null && fault !== 'lost_answer') return write(response, fault);
    const { method, path, headers } = request;
    const key = headers.authorization?.replace('Bearer ', '') ?? null;
    const answer = await send(api_url + path, {
      ...{ method, key },
      ...(method === 'GET' ? {} : { body: request.text, headers: { 'Content-Type': 'application/json' } }),
    });
    if (fault === 'lost_answer') return void response.destroy();
    const request_id = answer.headers.get('x-request-id') ?? '';
    write(response, { status: answer.status, headers: { 'X-Request-Id': request_id }, body: answer.body });
  });
  return front;
}

/** A server that answers by a function; returns its address. */
export async function aServer(
  answer: (request: Request, response: ServerResponse) => void | Promise<void>,
): Promise<string> {
  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    const { method = '', url: path = '', headers } = request;
    await answer({ method, path, headers, text: await text(request) }, response);
  };
  const server = createServer((request, response) => void serve(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  atEnd(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('no port');
  return `http://127.0.0.1:${address.port}`;
}

export function write(
  response: ServerResponse,
  { status, headers = {}, body = {} }: Exclude<Fault, string>,
): void {
  response.writeHead(status, { 'Content-Type': 'application/json', ...headers });
  response.end(typeof body === 'string' ? body : JSON.stringify(body));
}

/** The events of the batches that arrived, each by its idempotency key. */
export function keysOfBatches(front: Front): string[][] {
  return front.received.map(({ text }) =>
    JSON.parse(text).events.map((event: Json) => event.idempotency_key),
  );
}
