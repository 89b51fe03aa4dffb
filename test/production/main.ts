/** `npm run production -- NAME` runs a script of this folder with the arguments after its name; without a name, lists them. */
const SCRIPTS: Readonly<Record<string, string>> = {
  'rolling-restart': './rolling-restart.ts',
};

const [name = ''] = process.argv.splice(2, 1);
const file = SCRIPTS[name];
if (file === undefined) {
  console.error(`Usage: npm run production -- NAME\nNames: ${Object.keys(SCRIPTS).join(', ')}`);
  process.exit(2);
}
await import(file);
