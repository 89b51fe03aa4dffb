import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** Every commit must pass these checks besides the tests. Each is a command of node_modules/.bin. */
const CHECKS: Readonly<Record<string, readonly string[]>> = {
  types: ['tsc', '--incremental', '--tsBuildInfoFile', 'node_modules/.cache/types.json'],
  'types of web': [
    'tsc',
    '-p',
    'web',
    '--incremental',
    '--tsBuildInfoFile',
    'node_modules/.cache/types-of-web.json',
  ],
  lint: ['eslint', '.'],
  layout: ['prettier', '--check', '--log-level=warn', '--cache', '.'],
  'unused code': ['knip', '--no-progress'],
  tidiness: [
    'mocha',
    '--no-config',
    '--timeout=60000',
    '--extension=ts',
    '--reporter=dot',
    'test/tidy.test.ts',
    'test/architecture.test.ts',
    'test/citations.test.ts',
  ],
};

const ROOT = fileURLToPath(new URL('../', import.meta.url));

type Outcome = { passed: boolean; output: string };

function run([command = '', ...args]: readonly string[]): Promise<Outcome> {
  const child = spawn(`${ROOT}node_modules/.bin/${command}`, args, {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => output.push(chunk));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) =>
      resolve({ passed: code === 0, output: Buffer.concat(output).toString('utf8') }),
    );
  });
}

async function report(name: string, command: readonly string[]): Promise<boolean> {
  const started_at = performance.now();
  const { passed, output } = await run(command);
  const seconds = ((performance.now() - started_at) / 1000).toFixed(1);
  console.log(
    `${passed ? 'passed' : 'FAILED'}  ${name.padEnd(12)}${seconds.padStart(5)} s${passed ? '' : `\n\n${output}`}`,
  );
  return passed;
}

const passed = await Promise.all(Object.entries(CHECKS).map(([name, command]) => report(name, command)));
process.exit(passed.every(Boolean) ? 0 : 1);
