import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { LOOPBACK } from '../../src/dev/ports.ts';

/** Where a statement stops for good: before Postgres gets it, or after Postgres executed it and before anyone hears of that. */
export type Stop = 'before' | 'after';

/** Asked for each statement, with the texts of its transaction so far, its own the last; null lets it pass. */
export type StopAt = (transaction: readonly string[]) => Stop | null;

/** A way to Postgres on which statements can be stopped. */
export type Wire = {
  /** The address of the database by way of this wire. */
  url: string;
  /** How many statements have stopped. */
  stopped: () => number;
  /** Takes no new connection and closes those that there are, so that Postgres takes their transactions back. */
  cut: () => void;
};

export async function layWire(database_url: string, stopAt: StopAt): Promise<Wire> {
  const url = new URL(database_url);
  const far = { host: url.hostname, port: Number(url.port) };
  const sockets: Socket[] = [];
  let stopped = 0;
  const server = createServer((client) => {
    const postgres = connect(far);
    sockets.push(client, postgres);
    join(client, postgres, { stopAt, onStop: () => void stopped++ });
  });
  server.listen(0, LOOPBACK);
  await once(server, 'listening');
  url.hostname = LOOPBACK;
  url.port = `${portOf(server.address())}`;
  return {
    url: url.href,
    stopped: () => stopped,
    cut: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

export function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === 'string') throw new Error(`no port: ${address}`);
  return address.port;
}

/**
 * Joins one connection. A statement is all that the client sends up to a Query or a Sync; it hears the answer to one before it
 * sends the next, so the first bytes after a stopped statement are its answer, and ReadyForQuery ends that.
 */
function join(client: Socket, postgres: Socket, { stopAt, onStop }: { stopAt: StopAt; onStop: () => void }) {
  let stop: Stop | null = null;
  let transaction: string[] = [];
  let unsent: Buffer[] = [];
  const fromClient = messagesOf({ has_startup: true }, (message) => {
    if (stop !== null) return;
    unsent.push(message);
    const text = textOf(message);
    if (text !== null) transaction = text.startsWith('begin') ? [text] : [...transaction, text];
    if (isPartOfStatement(message)) return;
    if (endsStatement(message)) stop = stopAt(transaction);
    if (stop === 'before') onStop();
    else postgres.write(Buffer.concat(unsent));
    unsent = [];
  });
  const withheld = messagesOf({ has_startup: false }, (message) => {
    if (kindOf(message) === 'Z') onStop();
  });
  client.on('data', fromClient);
  postgres.on('data', (bytes: Buffer) => (stop === null ? void client.write(bytes) : withheld(bytes)));
  for (const [one, other] of [
    [client, postgres],
    [postgres, client],
  ] as const) {
    // A process that is killed leaves without a word; what matters is that the other side closes as well.
    one.on('error', () => undefined);
    one.on('close', () => other.destroy());
  }
}

/**
 * Cuts what arrives into messages of the protocol: one byte that names the kind, four of the length, of these four on, and the
 * rest. Only the very first message of a client, the startup, has no kind.
 */
export function messagesOf(
  { has_startup }: { has_startup: boolean },
  onMessage: (message: Buffer) => void,
): (bytes: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0);
  let kind_length = has_startup ? 0 : 1;
  return (bytes) => {
    rest = Buffer.concat([rest, bytes]);
    while (rest.length >= kind_length + 4) {
      const length = kind_length + rest.readInt32BE(kind_length);
      if (rest.length < length) return;
      const message = rest.subarray(0, length);
      rest = rest.subarray(length);
      kind_length = 1;
      onMessage(message);
    }
  };
}

function kindOf(message: Buffer): string {
  return message.toString('latin1', 0, 1);
}

/** Parse, Bind, Describe, Execute and Close wait for their Sync. */
function isPartOfStatement(message: Buffer): boolean {
  return 'PBDEC'.includes(kindOf(message));
}

function endsStatement(message: Buffer): boolean {
  return 'QS'.includes(kindOf(message));
}

/** The text of a statement: of a Query all there is, of a Parse what follows the statement's name. */
export function textOf(message: Buffer): string | null {
  const strings = () => message.toString('utf8', 5).split('\0');
  if (kindOf(message) === 'Q') return strings()[0]!;
  return kindOf(message) === 'P' ? strings()[1]! : null;
}
