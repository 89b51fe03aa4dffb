import { join } from 'node:path';
import { seedAccount } from '../../../src/db/account/accounts.ts';
import { anyFreePort, isOk } from '../../../dev/ports.ts';
import { waitUntilReady, type Launched } from '../../../dev/processes.ts';
import { startService } from '../../../dev/services.ts';
import { atEnd } from './at-end.ts';
import { createDatabase } from './cluster.ts';
import { aFolder } from './folder.ts';

export type ApiProcess = { process: Launched; url: string; port: number; test_key: string };

const START_LIMIT_MS = 60_000;

/** Starts api/main.ts as a process of its own with these settings, on a new database and without Temporal. Resolves once it is ready. */
export async function startApiProcess(settings: Readonly<Record<string, string>> = {}): Promise<ApiProcess> {
  const database_url = await createDatabase();
  const { test_key } = await seedAccount(database_url, null);
  const port = await anyFreePort();
  const environment = {
    DATABASE_URL: database_url,
    TEMPORAL_ADDRESS: '127.0.0.1:1',
    TIDEMARK_SECRET: 'secret of a test',
    PORT: `${port}`,
    ...settings,
  };
  const launched = await startService('API', { logs: join(await aFolder(), 'logs'), environment });
  atEnd(launched.stop);
  const url = `http://127.0.0.1:${port}`;
  await waitUntilReady(launched, START_LIMIT_MS, () => isOk(`${url}/readyz`));
  return { process: launched, url, port, test_key };
}
