// Builds the package into dist: once as ES modules, once as CommonJS, each with its types.
import { spawnSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const FORMATS = {
  esm: [],
  cjs: ['--module', 'commonjs', '--moduleResolution', 'bundler', '--verbatimModuleSyntax', 'false'],
};
const cwd = fileURLToPath(new URL('.', import.meta.url));

rmSync(new URL('dist', import.meta.url), { recursive: true, force: true });
const tsc = findCompiler();
for (const [format, options] of Object.entries(FORMATS)) {
  const args = [tsc, '-p', '.', '--outDir', `dist/${format}`, ...options];
  const { status, error } = spawnSync(process.execPath, args, { cwd, stdio: 'inherit' });
  if (status !== 0) fail(`the ${format} half cannot be compiled${error ? `: ${error.message}` : ''}`);
}
// The package is of the type module: this file makes the CommonJS half what it is.
writeFileSync(new URL('dist/cjs/package.json', import.meta.url), '{ "type": "commonjs" }\n');

/** The path of the compiler: of this folder, or of the repository around it. */
function findCompiler() {
  try {
    return createRequire(import.meta.url).resolve('typescript/bin/tsc');
  } catch {
    return fail('TypeScript is not installed: run npm install in this folder');
  }
}

function fail(reason) {
  console.error(`@tidemark/client cannot be built: ${reason}`);
  process.exit(1);
}
