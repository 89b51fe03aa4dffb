// Builds the package into dist: once as ES modules, once as CommonJS, each with its types.
import { spawnSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const FORMATS = {
  esm: [],
  cjs: ['--module', 'commonjs', '--moduleResolution', 'bundler', '--verbatimModuleSyntax', 'false'],
};
const cwd = fileURLToPath(new URL('.', import.meta.url));

rmSync(new URL('dist', import.meta.url), { recursive: true, force: true });
for (const [format, options] of Object.entries(FORMATS)) {
  const { status } = spawnSync('tsc', ['-p', '.', '--outDir', `dist/${format}`, ...options], {
    cwd,
    stdio: 'inherit',
  });
  if (status !== 0) process.exit(status ?? 1);
}
// The package is of the type module: this file makes the CommonJS half what it is.
writeFileSync(new URL('dist/cjs/package.json', import.meta.url), '{ "type": "commonjs" }\n');
