import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { Received } from './api.ts';

/** What a connection received until it was closed, or had brought what was wanted. */
export type Conversation = { answers: Received[]; is_closed: boolean; text: string };

type Options = {
  /** Between two chunks. */
  pause_ms?: number;
  /** Ends our half of the connection after the last chunk. */
  then_end?: boolean;
  /** So many answers are enough; a moment is still left for one too many. */
  wanted?: number;
};

const MOMENT_MS = 25;
/** Long beyond what a busy machine needs: who waits for it has failed. */
const WAIT_MS = 10_000;

/** Writes bytes to a port, chunk by chunk, and reads what comes back. */
export async function converse(
  port: number,
  chunks: readonly (string | Buffer)[],
  { pause_ms = 0, then_end = false, wanted = Infinity }: Options = {},
): Promise<Conversation> {
  const socket = connect(port, '127.0.0.1');
  const received: Buffer[] = [];
  const text = () => Buffer.concat(received).toString('latin1');
  socket.on('data', (chunk) => received.push(chunk));
  // A reset after the answer is how a server ends a connection that nobody can follow any more.
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

/** Answers with a Content-Length, one behind the other. */
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
