import { connect, type Socket } from 'node:net';
import type { Received } from './api.ts';

/** What a connection received until it was closed or `wait_ms` passed. */
export type Conversation = { answers: Received[]; is_closed: boolean; text: string };

/** Writes bytes to a port, chunk by chunk, and reads what comes back. */
export async function converse(
  port: number,
  chunks: readonly (string | Buffer)[],
  { wait_ms = 400, pause_ms = 0, then_end = false } = {},
): Promise<Conversation> {
  const socket = connect(port, '127.0.0.1');
  const received: Buffer[] = [];
  socket.on('data', (chunk) => received.push(chunk));
  // A reset after the answer is how a server ends a connection that nobody can follow any more.
  socket.on('error', () => undefined);
  for (const chunk of chunks) {
    socket.write(chunk);
    if (pause_ms > 0) await new Promise((resolve) => setTimeout(resolve, pause_ms));
  }
  if (then_end) socket.end();
  const is_closed = await closes(socket, wait_ms);
  socket.destroy();
  const text = Buffer.concat(received).toString('latin1');
  return { answers: answersIn(text), is_closed, text };
}

function closes(socket: Socket, wait_ms: number): Promise<boolean> {
  if (socket.closed) return Promise.resolve(true);
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), wait_ms);
    socket.once('close', () => {
      clearTimeout(timer);
      resolve(true);
    });
  });
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
