import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { LOOPBACK } from '../../src/dev/ports.ts';
import { atEnd } from '../support/at-end.ts';
import { messagesOf, portOf, textOf } from './wire.ts';

/** A message between a process and Postgres: its place on its connection, counted from 1, and its text where it is a statement. */
type Message = { connection: number; place: number; text: string | null };

/** What the network does with a message: it passes, its connection is cut, or this message and all that follow are dropped. */
export type Fate = 'pass' | 'cut' | 'drop';

export type Judge = (message: Message) => Fate;

/** A way to Postgres on which connections break. */
export type Line = {
  /** The address of the database by way of this line. */
  url: string;
  /** From now on each message of either side is judged; null lets all pass. */
  judgeBy: (judge: Judge | null) => void;
  /** How many connections were cut or went silent since the last judge came. */
  broken: () => number;
  close: () => void;
};

/** When a server gives up a client whose packets are lost, by the settings of its sessions. */
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
      // Each message is sent by itself, which would otherwise wait for the one before to be acknowledged.
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
    // Nor does the end of a connection get through.
    one.on('close', () => is_silent || other.destroy());
  }
}
