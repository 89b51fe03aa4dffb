import { stopEverything } from './at-end.ts';

// Each database of the run has hundreds of files, which a busy disk removes slowly.
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
