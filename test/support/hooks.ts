import { stopEverything } from './at-end.ts';

export const mochaHooks = { afterAll: stopEverything };

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void stopEverything().finally(() => process.exit(130)));
}
