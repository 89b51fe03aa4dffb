/** `npm run production -- NAME`: a drill of a deployment with real programs, too long for `npm test`. */
const SCRIPTS: Readonly<Record<string, () => Promise<unknown>>> = {
  pgbouncer: () => import('./pgbouncer.ts'),
};

const script = SCRIPTS[process.argv[2] ?? ''];
if (script === undefined) {
  console.error(`Usage: npm run production -- NAME, where NAME is one of ${Object.keys(SCRIPTS).join(', ')}`);
  process.exit(2);
}
await script();
