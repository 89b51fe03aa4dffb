import { once } from 'node:events';
import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { atRate } from '../at-rate.ts';
import type { PreparedRequest } from '../requests.ts';
import { openSocket } from '../socket.ts';
import { count, createTally, type Tally } from './tally.ts';

export type OpenLoad = {
  /** Connections are spread over these ports. */
  ports: readonly number[];
  connections: number;
  per_second: number;
  seconds: number;
  prepare: () => PreparedRequest;
};

type Connection = { request: PreparedRequest; is_spent: boolean; socket: Socket; due_at: number };

const TICK_MS = 2;
/** How long to wait for responses after the last request. */
const LINGER_MS = 5000;

/**
 * Offers requests at a steady rate, whether or not earlier ones are answered. A request that finds no free connection counts as
 * offered but unsent, like a refused connection. Adds to `tally` if one is given.
 */
export async function runOpenLoop(load: OpenLoad, tally = createTally()): Promise<Tally> {
  const free: Connection[] = [];
  const opening = Array.from({ length: load.connections }, (_, number) =>
    openConnection(load, number, { tally, free }),
  );
  const all = await Promise.all(opening);
  free.push(...all);
  await offer(load, { tally, free });
  const deadline = performance.now() + LINGER_MS;
  while (free.length < all.length && performance.now() < deadline) await delay(TICK_MS);
  for (const { socket } of all) socket.destroy();
  return tally;
}

type Pool = { tally: Tally; free: Connection[] };

async function openConnection(load: OpenLoad, number: number, { tally, free }: Pool): Promise<Connection> {
  const port = load.ports[number % load.ports.length]!;
  const socket = openSocket(port, (fault) => {
    count(tally, fault, performance.now() - connection.due_at);
    // A refused request is sent again unchanged.
    connection.is_spent = fault === null;
    free.push(connection);
  });
  const connection = { request: load.prepare(), is_spent: true, socket, due_at: 0 };
  await once(socket, 'connect');
  socket.on('error', ({ message }) => count(tally, message, 0));
  return connection;
}

async function offer(load: OpenLoad, { tally, free }: Pool): Promise<void> {
  await atRate(load, (due_at) => {
    tally.offered++;
    const connection = free.shift();
    if (connection === undefined) {
      tally.unsent++;
    } else {
      connection.due_at = due_at;
      if (connection.is_spent) connection.request.renew();
      connection.socket.write(connection.request.bytes);
    }
  });
}
