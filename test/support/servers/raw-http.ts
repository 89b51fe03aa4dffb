import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { Received } from './api.ts';

/** The text and responses that a connection received until it was closed or `wanted` responses had arrived. */
export type Conversation = { answers: Received[]; is_closed: boolean; text: string };

type Options = {
  /** Pause between two chunks. */
  pause_ms?: number;
  /** Closes our half of the connection after the last chunk. */
  then_end?: boolean;
  /** Stop after this many responses, plus a moment for a surplus one. */
  wanted?: number;
};

const MOMENT_MS = 25;
/** Time far above what a busy machine needs: a test that waits longer has failed. */
const WAIT_MS = 10_000;

/** Writes bytes to a port chunk by chunk, and reads the responses. */
export async function converse(
  port: number,
  chunks: readonly (string | Buffer)[],
  { pause_ms = 0, then_end = false, wanted = Infinity }: Options = {},
): Promise<Conversation> {
  const socket = connect(port, '127.0.0.1');
  const received: Buffer[] = [];
  const text = () => Buffer.concat(received).toString('latin1');
  socket.on('data', (chunk) => received.push(chunk));
  // A server may reset a connection after its response if the rest cannot be parsed.
  socket.on('error', () => undefined);
  for (const chunk of chunks) {
    socket.write(chunk);
    if (pause_ms > 0) await pause(pause_ms);
  }
  if (then_end) socket.end();
  const deadline = Date.now() + WAIT_MS;
  while (!socket.closed && Date.now() < deadline && answersIn(text()).length < wanted) await pause(5);
  if (!socket.closed && wanted < Infinity) await pause(MOMENT_MS);
  const is_closed = socket.closed;
  socket.destroy();
  return { answers: answersIn(text()), is_closed, text: text() };
}

/** Parses consecutive responses with a Content-Length. */
function answersIn(text: string): Received[] {
  const answers: Received[] = [];
  for (let rest = text; rest.startsWith('HTTP/1.1 ');) {
    const [head = ''] = rest.split('\r\n\r\n', 1);
    const [status_line = '', ...lines] = head.split('\r\n');
    const headers = new Headers(
      lines.map((line): [string, string] => [
        line.split(':', 1)[0]!,
        line.slice(line.indexOf(':') + 1).trim(),
      ]),
    );
    const start = head.length + 4;
    const end = start + Number(headers.get('content-length') ?? 0);
    if (rest.length < end) break;
    const body = rest.slice(start, end);
    answers.push({
      status: Number(status_line.split(' ')[1]),
      headers,
      body: body.startsWith('{') ? JSON.parse(body) : body,
    });
    rest = rest.slice(end);
  }
  return answers;
}
