import { relative } from 'node:path';
import { noteTime } from '../../../dev/test-order.ts';
import { keepSentStatements, noteStatements } from '../citus/sent-statements.ts';
import { stopEverything } from './at-end.ts';
import { serversOfRun } from './run-servers.ts';

// Each database of the run has hundreds of files, which a busy disk removes slowly.
const STOP_LIMIT_MS = 300_000;

let began_at = 0;
noteStatements();

/** Hooks before and after all tests of a process; after each file in a run of several processes. */
export const mochaHooks = {
  beforeAll() {
    began_at = performance.now();
  },
  async afterAll(this: Mocha.Context) {
    this.timeout(STOP_LIMIT_MS);
    await stopEverything();
    keepSentStatements();
    const file = this.test?.parent?.suites[0]?.file;
    if (serversOfRun() !== null && file !== undefined)
      noteTime({ file: relative(process.cwd(), file), took_ms: Math.round(performance.now() - began_at) });
  },
};

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => void stopEverything().finally(() => process.exit(130)));
}
