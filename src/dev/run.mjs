// node src/dev/run.mjs <file.ts> [arguments]: installs what is missing, then becomes that program.
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { install } from './install.mjs';

const [entry, ...rest] = process.argv.slice(2);
try {
  await install();
} catch (error) {
  console.error(error.message);
  process.exit(1);
}

const { register } = await import('tsx/esm/api');
register();
const file = resolve(entry);
process.argv.splice(1, process.argv.length, file, ...rest);
await import(pathToFileURL(file).href);
