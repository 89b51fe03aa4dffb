import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { LOOPBACK } from '../../../dev/ports.ts';
import { atEnd } from '../../support/servers/at-end.ts';
import { messagesOf, portOf, textOf } from './wire.ts';

/** A message between a process and Postgres: its number on the connection, from 1, and its SQL text if it is a statement. */
type Message = { connection: number; place: number; text: string | null };

/** The fate of a message: it passes, its connection is closed, or this message and all later ones are dropped. */
export type Fate = 'pass' | 'cut' | 'drop';

export type Judge = (message: Message) => Fate;

/** A proxy to Postgres whose connections can fail. */
export type Line = {
  /** Address of the database through this proxy. */
  url: string;
  /** Lets `judge` decide from now on about each message in either direction; null lets all pass. */
  judgeBy: (judge: Judge | null) => void;
  /** Number of connections cut or silenced since the last call of `judgeBy`. */
  broken: () => number;
  close: () => void;
};

/** Time after which a server drops a client whose packets are lost, by the session settings of Tidemark. */
const SERVER_GIVES_UP_MS = 20_000;

export async function layLine(database_url: string): Promise<Line> {
  const url = new URL(database_url);
  const far = { host: url.hostname, port: Number(url.port) };
  const sockets = new Set<Socket>();
  let judge: Judge | null = null;
  let broken = 0;
  let connections = 0;
  const server = createServer((client) => {
    const postgres = connect(far);
    for (const socket of [client, postgres]) {
      // Without this, a message would wait until the previous one is acknowledged.
      socket.setNoDelay(true);
      sockets.add(socket);
      socket.once('close', () => sockets.delete(socket));
    }
    const connection = ++connections;
    join(client, postgres, ({ place, text }) => {
      const fate = judge?.({ connection, place, text }) ?? 'pass';
      if (fate !== 'pass') broken++;
      return fate;
    });
  });
  server.listen(0, LOOPBACK);
  await once(server, 'listening');
  url.hostname = LOOPBACK;
  url.port = `${portOf(server.address())}`;
  const close = () => {
    server.close();
    for (const socket of sockets) socket.destroy();
  };
  atEnd(close);
  return {
    url: url.href,
    judgeBy: (next) => {
      judge = next;
      broken = 0;
    },
    broken: () => broken,
    close,
  };
}

function join(client: Socket, postgres: Socket, judge: (message: Omit<Message, 'connection'>) => Fate): void {
  let place = 0;
  let is_silent = false;
  const carry = (to: Socket, from_client: boolean) =>
    messagesOf({ has_startup: from_client }, (message) => {
      if (is_silent || to.destroyed) return;
      const fate = judge({ place: ++place, text: from_client ? textOf(message) : null });
      if (fate === 'pass') return void to.write(message);
      if (fate === 'cut') return void [client, postgres].forEach((socket) => socket.destroy());
      is_silent = true;
      setTimeout(() => postgres.destroy(), SERVER_GIVES_UP_MS).unref();
    });
  client.on('data', carry(postgres, true));
  postgres.on('data', carry(client, false));
  for (const [one, other] of [
    [client, postgres],
    [postgres, client],
  ] as const) {
    one.on('error', () => undefined);
    // A silent connection does not report its end either.
    one.on('close', () => is_silent || other.destroy());
  }
}
