import type { TemporalServer } from '../../../dev/temporal-server.ts';
import { startTestTemporal } from '../../../dev/test-servers.ts';
import { isNotFound } from '../../../src/temporal/setup.ts';
import type { Temporal } from '../../../src/temporal/temporal.ts';
import { OWNER_SCHEDULE } from '../../../workflows/messages.ts';
import { atEnd } from './at-end.ts';
import { aFolder } from './folder.ts';
import { serversOfRun } from './run-servers.ts';

// Without a cached binary the first start builds one with Go.
const FIRST_START_LIMIT_MS = 600_000;

let server: Promise<Pick<TemporalServer, 'address' | 'ui_url'>> | null = null;

/** Returns, within a describe, the address of the Temporal server that all tests of a process share, namespace billing. */
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

function theServer(): Promise<Pick<TemporalServer, 'address' | 'ui_url'>> {
  return (server ??= start());
}

async function start(): Promise<Pick<TemporalServer, 'address' | 'ui_url'>> {
  const servers = serversOfRun();
  if (servers !== null) return servers.temporal;
  const started = await startTestTemporal(await aFolder());
  atEnd(started.stop);
  return started;
}
