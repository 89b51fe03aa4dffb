import { createServer, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import { Runtime, type RuntimeOptions } from '@temporalio/worker';

const LOOPBACK = '127.0.0.1';
const READ_MS = 5000;
const TRIES_MAX = 5;

/** Names as Prometheus writes them: seconds, units and `_total` as suffixes. */
const NAMES = { countersTotalSuffix: true, unitSuffix: true, useSecondsForDurations: true } as const;

/**
 * Installs Temporal's runtime with metrics. Its SDK serves them only at a port of its own: this one is free and of this
 * machine alone. Returns a function that reads them, in the text format of Prometheus; it rejects after five seconds.
 */
export async function installWithMetrics(options: RuntimeOptions): Promise<() => Promise<string>> {
  for (let tries = 1; ; tries++) {
    const address = `${LOOPBACK}:${await freePort()}`;
    try {
      Runtime.install({
        ...options,
        telemetryOptions: { metrics: { prometheus: { bindAddress: address, ...NAMES } } },
      });
      return () => read(`http://${address}/metrics`);
    } catch (error) {
      // Another program may have taken the port in the meantime.
      if (tries === TRIES_MAX) throw error;
    }
  }
}

async function freePort(): Promise<number> {
  const server = createServer();
  server.listen(0, LOOPBACK);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

async function read(url: string): Promise<string> {
  const response = await fetch(url, { signal: AbortSignal.timeout(READ_MS) });
  if (!response.ok) throw new Error(`the metrics of Temporal's runtime: status ${response.status}`);
  return response.text();
}
