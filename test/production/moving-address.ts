import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { LOOPBACK } from '../../dev/ports.ts';
import { atEnd } from '../support/servers/at-end.ts';
import { portOf } from '../drills/faults/wire.ts';

/** An address that leads to one server, and after a failover to another. */
export type MovingAddress = {
  readonly port: number;
  /** Cuts all connections; from now on new ones lead to this port. */
  moveTo: (port: number) => void;
};

export async function openAddress(first_port: number): Promise<MovingAddress> {
  const sockets = new Set<Socket>();
  let port = first_port;
  const server = createServer((client) => {
    const far = connect(port, LOOPBACK);
    for (const [one, other] of [
      [client, far],
      [far, client],
    ] as const) {
      sockets.add(one);
      one.setNoDelay(true);
      one.on('error', () => undefined);
      one.once('close', () => {
        sockets.delete(one);
        other.destroy();
      });
      one.pipe(other);
    }
  });
  server.listen(0, LOOPBACK);
  await once(server, 'listening');
  const cut = () => sockets.forEach((socket) => socket.destroy());
  atEnd(() => {
    server.close();
    cut();
  });
  return {
    port: portOf(server.address()),
    moveTo: (next) => {
      port = next;
      cut();
    },
  };
}
