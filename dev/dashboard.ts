import { execFile } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const WEB = fileURLToPath(new URL('../web', import.meta.url));
const VITE = join(dirname(createRequire(import.meta.url).resolve('vite/package.json')), 'bin/vite.js');
const LIMIT_MS = 120_000;

/** Builds web/dist, which the API serves, from web/. Throws with the output of the build. */
export async function buildDashboard(): Promise<void> {
  await promisify(execFile)(process.execPath, [VITE, 'build', WEB, '--logLevel', 'warn'], {
    timeout: LIMIT_MS,
  });
}

/** Whether web/dist exists and is newer than all of its sources. */
export function isDashboardBuilt(): boolean {
  const built = join(WEB, 'dist/index.html');
  if (!existsSync(built)) return false;
  const { mtimeMs } = statSync(built);
  const sources = [
    'index.html',
    'vite.config.ts',
    ...readdirSync(join(WEB, 'src'), { recursive: true, encoding: 'utf8' }).map((name) => join('src', name)),
  ];
  return sources.every((name) => statSync(join(WEB, name)).mtimeMs <= mtimeMs);
}
