/** `npm run production -- NAME`: runs a drill of production with real programs, which takes minutes. */
const DRILLS: Readonly<Record<string, string>> = {
  packaging: './packaging.ts',
};

const [name = ''] = process.argv.slice(2);
const file = DRILLS[name];
if (file === undefined) {
  console.error(`usage: npm run production -- ${Object.keys(DRILLS).join(' | ')}`);
  process.exitCode = 2;
} else {
  await import(file);
}
