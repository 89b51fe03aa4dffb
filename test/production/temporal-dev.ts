import { join } from 'node:path';
import { readConfig } from '../../src/settings/config.ts';
import type { Say } from '../../dev/progress.ts';
import { findTemporal } from '../../dev/temporal-binary.ts';
import { startTemporal } from '../../dev/temporal-server.ts';
import { atEnd } from '../support/servers/at-end.ts';

/** Starts the development server, for drills that are not about Temporal's own processes; returns its address. */
export async function startDevelopmentServer(folder: string, say: Say): Promise<string> {
  const { temporal_cli, temporal_namespace: namespace } = readConfig();
  const temporal = await startTemporal({
    binary: await findTemporal(temporal_cli, say),
    namespace,
    db_file: join(folder, 'temporal.db'),
    port: null,
    ui_port: null,
    logs: join(folder, 'logs'),
  });
  atEnd(temporal.stop);
  return temporal.address;
}
