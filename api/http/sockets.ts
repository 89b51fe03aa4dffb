import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { Server as TlsServer } from 'node:tls';

type Watcher = { added: (socket: Socket) => void; removed: (socket: Socket) => void };

/**
 * Reports each connection of a server, as the socket on which its requests arrive. With TLS, this is first the raw
 * socket, until the handshake is done. `removed` may be called twice.
 */
export function watchSockets(server: Server, { added, removed }: Watcher): void {
  const add = (socket: Socket) => {
    socket.once('close', () => removed(socket));
    added(socket);
  };
  server.on('connection', add);
  if (server instanceof TlsServer)
    followHandshakes(server, (raw, secure) => {
      removed(raw);
      add(secure);
    });
}

/**
 * Calls `replaced` after each handshake. Node does not say which sockets belong together, so this compares their
 * addresses.
 */
function followHandshakes(server: TlsServer, replaced: (raw: Socket, secure: Socket) => void): void {
  const running = new Map<string, Socket>();
  server.on('connection', (raw: Socket) => {
    const name = nameOf(raw);
    running.set(name, raw);
    raw.once('close', () => {
      if (running.get(name) === raw) running.delete(name);
    });
  });
  server.on('secureConnection', (secure) => {
    const name = nameOf(secure);
    const raw = running.get(name);
    if (raw === undefined) return;
    running.delete(name);
    replaced(raw, secure);
  });
}

function nameOf({ remoteAddress, remotePort, localAddress }: Socket): string {
  return `${remoteAddress} ${remotePort} ${localAddress}`;
}
