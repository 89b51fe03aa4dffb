import { join } from 'node:path';
import { readConfig } from '../../src/config.ts';
import { anyFreePort } from '../../src/dev/ports.ts';
import { findTemporal } from '../../src/dev/temporal-binary.ts';
import { startTemporal, type TemporalServer } from '../../src/dev/temporal-server.ts';
import { isNotFound } from '../../src/temporal-setup.ts';
import { messageOf } from '../../src/message-of.ts';
import type { Temporal } from '../../src/temporal.ts';
import { OWNER_SCHEDULE } from '../../workflows/messages.ts';
import { atEnd } from './at-end.ts';
import { aFolder } from './folder.ts';

// Without a cached binary the first start builds one with Go.
const FIRST_START_LIMIT_MS = 600_000;
const TRIES_MAX = 5;

let server: Promise<TemporalServer> | null = null;

/** Within a describe: the address of the Temporal server that all tests of a run share, namespace billing. */
export function useTemporal(): () => string {
  let known = '';
  before(async function () {
    this.timeout(FIRST_START_LIMIT_MS);
    known = await temporalAddress();
  });
  return () => known;
}

/** The address of that server; the first call starts it. */
export async function temporalAddress(): Promise<string> {
  return (await theServer()).address;
}

/**
 * Takes a namespace from the account that it belongs to: the databases of a run's tests have an account each, one after the other. Without
 * the deadline of the product's calls, which a busy machine exceeds.
 */
export async function freeNamespace({ client }: Pick<Temporal, 'client'>): Promise<void> {
  await client.schedule
    .getHandle(OWNER_SCHEDULE)
    .delete()
    .catch((error: unknown) => {
      if (!isNotFound(error)) throw error;
    });
}

/** The address of that server's UI. */
export async function temporalUiUrl(): Promise<string> {
  return (await theServer()).ui_url!;
}

function theServer(): Promise<TemporalServer> {
  return (server ??= start());
}

async function start(): Promise<TemporalServer> {
  const folder = await aFolder();
  const { temporal_cli, temporal_namespace: namespace } = readConfig();
  const binary = await findTemporal(temporal_cli, console.log);
  const logs = join(folder, 'logs');
  for (let tries = 1; ; tries++) {
    try {
      const started = await startTemporal({
        binary,
        namespace,
        db_file: null,
        port: null,
        ui_port: await anyFreePort(),
        logs,
      });
      atEnd(started.stop);
      return started;
    } catch (error) {
      // Another group of tests has taken the port since it was found to be free.
      if (tries === TRIES_MAX || !/address already in use/.test(messageOf(error))) throw error;
    }
  }
}
