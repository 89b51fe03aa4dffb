import { inheritedEnvironment } from '../../../src/settings/config.ts';
import { TEST_SERVERS, type TestServers } from '../../../dev/test-servers.ts';

/** The servers that `npm test` started for this process; null where the process starts its own once a test needs them. */
export function serversOfRun(): TestServers | null {
  const { [TEST_SERVERS]: text, MOCHA_WORKER_ID: place } = inheritedEnvironment();
  if (text === undefined || place === undefined) return null;
  const all: readonly TestServers[] = JSON.parse(text);
  return all[Number(place)] ?? null;
}
