import { request } from 'node:http';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Address for everything that only this machine uses. */
export const LOOPBACK = '127.0.0.1';

/** Whether nothing listens on the port. */
export async function isFree(port: number, host = LOOPBACK): Promise<boolean> {
  const server = createServer();
  try {
    server.listen({ host, port, exclusive: true });
    await once(server, 'listening');
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') return false;
    throw error;
  } finally {
    server.close();
  }
}

/**
 * Range below the ephemeral ports of Linux and macOS: an outgoing connection could take one before its server listens.
 */
const ANY = { from: 20_000, below: 32_768 };
const TRIES_MAX = 100;

/** A random port on which nothing listens. Throws if 100 tries find none. */
export async function anyFreePort(host = LOOPBACK): Promise<number> {
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    const port = randomInt(ANY.from, ANY.below);
    if (await isFree(port, host)) return port;
  }
  throw new Error(`no port on ${host} is free`);
}

export type WantedPort = {
  what: string;
  setting: string;
  host: string;
  port: number;
  was_asked_for: boolean;
};

/**
 * The wanted port; if it is taken and was only the default, the next free one of the following hundred, which is
 * reported to `say`. Port 0 is any free port. Throws if a port that was asked for is taken.
 */
export async function choosePort(wanted_port: WantedPort, say: (line: string) => void): Promise<number> {
  const { what, setting, host, port } = wanted_port;
  if (port === 0) return anyFreePort(host);
  if (await isFree(port, host)) return port;
  if (wanted_port.was_asked_for) throw new Error(`port ${port}, set by ${setting}, is in use`);
  for (let next = port + 1; next <= Math.min(port + 100, 65_535); next++) {
    if (!(await isFree(next, host))) continue;
    say(`Port ${port} is in use, so ${what} uses port ${next}.`);
    return next;
  }
  throw new Error(`the ports from ${port} to ${port + 100} are all in use; set ${setting}`);
}

/** Whether the address answers 200 within `within_ms` to a request with this Host header. */
export function isOkAs(host: string, url: string, within_ms = 1000): Promise<boolean> {
  return new Promise((resolve) => {
    const signal = AbortSignal.timeout(within_ms);
    const asking = request(url, { headers: { Host: host }, signal }, (answer) => {
      answer.resume();
      resolve(answer.statusCode === 200);
    });
    asking.on('error', () => resolve(false)).end();
  });
}

/** Whether the address answers with a 2xx status within `within_ms`. */
export async function isOk(url: string, within_ms = 1000): Promise<boolean> {
  return fetch(url, { signal: AbortSignal.timeout(within_ms) }).then(
    async (response) => (await response.arrayBuffer(), response.ok),
    () => false,
  );
}
