import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { LOOPBACK } from '../../../dev/ports.ts';

/**
 * The point at which a statement stops: before Postgres receives it, or after Postgres executed it and before the client gets the
 * response.
 */
export type Stop = 'before' | 'after';

/** Decides for each statement by the texts of its transaction so far, its own text last; null lets it pass. */
export type StopAt = (transaction: readonly string[]) => Stop | null;

/** A proxy to Postgres that can stop statements. */
export type Wire = {
  /** Address of the database through this proxy. */
  url: string;
  /** Number of stopped statements. */
  stopped: () => number;
  /** Refuses new connections and closes the existing ones, so that Postgres rolls their transactions back. */
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
 * Proxies one connection. A statement is all that the client sends up to a Query or a Sync. The client waits for the response before it
 * sends the next statement, so the first bytes after a stopped statement are its response, which ends with ReadyForQuery.
 */
function join(client: Socket, postgres: Socket, { stopAt, onStop }: { stopAt: StopAt; onStop: () => void }) {
  let stop: Stop | null = null;
  let transaction: string[] = [];
  let unsent: Buffer[] = [];
  const saidBy = sayingOf(new Map());
  const fromClient = messagesOf({ has_startup: true }, (message) => {
    if (stop !== null) return;
    unsent.push(message);
    const text = saidBy(message);
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
    // A killed process closes its connection without a Terminate message; the other side must close as well.
    one.on('error', () => undefined);
    one.on('close', () => other.destroy());
  }
}

/**
 * Splits the bytes into protocol messages: one byte for the kind, four bytes for the length including these four, and the rest. Only
 * the first message of a client, the startup message, has no kind.
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

/** Parse, Bind, Describe, Execute and Close: parts of a statement that ends with a Sync. */
function isPartOfStatement(message: Buffer): boolean {
  return 'PBDEC'.includes(kindOf(message));
}

function endsStatement(message: Buffer): boolean {
  return 'QS'.includes(kindOf(message));
}

/**
 * SQL text that a message has Postgres run: of a Query its own, of a Bind that of the statement that it names, which a connection
 * parses once, or each time under an empty name. Null for other kinds.
 */
function sayingOf(prepared: Map<string, string>): (message: Buffer) => string | null {
  return (message) => {
    const text = textOf(message);
    if (kindOf(message) === 'P') prepared.set(nameIn(message, 0), text!);
    if (kindOf(message) === 'B') return prepared.get(nameIn(message, 1)) ?? null;
    return kindOf(message) === 'Q' ? text : null;
  };
}

/** One of the texts with which a Parse or a Bind begins. */
const nameIn = (message: Buffer, place: number): string => message.toString('utf8', 5).split('\0', 2)[place]!;

/** SQL text of a message: of a Query its only string, of a Parse the string after the statement's name; null for other kinds. */
export function textOf(message: Buffer): string | null {
  const strings = () => message.toString('utf8', 5).split('\0');
  if (kindOf(message) === 'Q') return strings()[0]!;
  return kindOf(message) === 'P' ? strings()[1]! : null;
}
