import { stopEverything } from './at-end.ts';

// Every database of the run is some hundred files, and a busy disk takes its time to remove them.
const STOP_LIMIT_MS = 300_000;

export const mochaHooks = {
  afterAll(this: Mocha.Context) {
    this.timeout(STOP_LIMIT_MS);
    return stopEverything();
  },
};

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void stopEverything().finally(() => process.exit(130)));
}
