import { request } from 'node:http';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Where everything listens that only this machine uses. */
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

/** Below those that Linux and macOS give to connections, which would take a port before whoever asked for it listens. */
const ANY = { from: 20_000, below: 32_768 };
const TRIES_MAX = 100;

/** A port that nothing listens on, drawn. */
export async function anyFreePort(host = LOOPBACK): Promise<number> {
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    const port = randomInt(ANY.from, ANY.below);
    if (await isFree(port, host)) return port;
  }
  throw new Error(`no port of ${host} is free`);
}

export type WantedPort = {
  what: string;
  setting: string;
  host: string;
  port: number;
  was_asked_for: boolean;
};

/**
 * The wanted port, or when it is taken the next free one of the following hundred, and says so. Port 0 is any.
 * Throws when a port that was asked for is taken.
 */
export async function choosePort(wanted: WantedPort, say: (line: string) => void): Promise<number> {
  const { what, setting, host, port } = wanted;
  if (port === 0) return anyFreePort(host);
  if (await isFree(port, host)) return port;
  if (wanted.was_asked_for) throw new Error(`port ${port}, which ${setting} asks for, is taken`);
  for (let next = port + 1; next <= Math.min(port + 100, 65_535); next++) {
    if (!(await isFree(next, host))) continue;
    say(`Port ${port} is taken, so ${what} gets port ${next}.`);
    return next;
  }
  throw new Error(`the ports from ${port} to ${port + 100} are all taken; set ${setting}`);
}

/** Whether the address answers with a 2xx status within a second to who calls it by a name of its own. */
export function isOkAs(host: string, url: string): Promise<boolean> {
  return new Promise((resolve) => {
    const asking = request(url, { headers: { Host: host }, signal: AbortSignal.timeout(1000) }, (answer) => {
      answer.resume();
      resolve(answer.statusCode === 200);
    });
    asking.on('error', () => resolve(false)).end();
  });
}

/** Whether the address answers with a 2xx status, within a second unless it is given more. */
export async function isOk(url: string, within_ms = 1000): Promise<boolean> {
  return fetch(url, { signal: AbortSignal.timeout(within_ms) }).then(
    async (response) => (await response.arrayBuffer(), response.ok),
    () => false,
  );
}
