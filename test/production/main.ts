import { stopEverything } from '../support/servers/at-end.ts';

/** Drills of a deployment, by name: `npm run production -- NAME`. Each file exports `run`, which rejects if the drill failed. */
const DRILLS: Readonly<Record<string, () => Promise<{ run: () => Promise<void> }>>> = {
  alerts: () => import('./alerts.ts'),
  backup: () => import('./backup.ts'),
  cluster: () => import('./cluster.ts'),
  failover: () => import('./failover.ts'),
  sleeping: () => import('./sleeping.ts'),
  packaging: () => import('./packaging.ts'),
  pgbouncer: () => import('./pgbouncer.ts'),
  'rolling-restart': () => import('./rolling-restart.ts'),
  'two-builds': () => import('./two-builds.ts'),
};

// The rest are the options of the drill.
const [name = ''] = process.argv.splice(2, 1);
const drill = DRILLS[name];
if (drill === undefined) {
  console.error(`name a drill: ${Object.keys(DRILLS).join(', ')}`);
  process.exit(2);
}
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void stopEverything().finally(() => process.exit(130)));
let code = 0;
try {
  const { run } = await drill();
  await run();
} catch (error) {
  console.error(error);
  code = 1;
} finally {
  await stopEverything();
}
process.exit(code);
