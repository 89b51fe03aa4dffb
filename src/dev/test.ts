import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { configAtStart } from '../config.ts';
import { buildDashboard, isDashboardBuilt } from './dashboard.ts';
import { findTemporal } from './temporal-binary.ts';

/**
 * `npm test`: every test. Those that mostly wait, for an outage of two minutes, for clocks, for a browser or for programs that start,
 * run beside the others and are printed after them. With arguments, mocha gets these and nothing runs beside it.
 */
const MOCHA = fileURLToPath(new URL('../../node_modules/mocha/bin/mocha.js', import.meta.url));
const BESIDE = [
  ['test/faults', 'test/scenarios'],
  ['test/lives', 'test/web', 'test/cli', 'test/clients', 'test/dev'],
];

const args = process.argv.slice(2);
if (!isDashboardBuilt()) await buildDashboard();
process.exit(args.length > 0 ? (await run(args, 'inherit')).code : await runEverything());

async function runEverything(): Promise<number> {
  // Each of the runs would build one, at the same time, and wait for it longer than its tests may.
  await findTemporal(configAtStart().temporal_cli, console.log);
  const beside = BESIDE.map((folders) => run(folders, 'pipe'));
  const ignored = BESIDE.flat().flatMap((folder) => ['--ignore', `${folder}/**`]);
  const others = await run(['test', ...ignored], 'inherit');
  const codes = [others.code];
  for (const { code, output } of await Promise.all(beside)) {
    process.stdout.write(output);
    codes.push(code);
  }
  return Math.max(...codes);
}

type Ran = { code: number; output: Buffer };

/** Resolves once mocha has ended, with its exit code and, where it is not seen at once, its output. */
async function run(mocha_args: readonly string[], output: 'inherit' | 'pipe'): Promise<Ran> {
  const child = spawn(process.execPath, [MOCHA, ...mocha_args], { stdio: ['ignore', output, output] });
  // The process between here and the tests passes on SIGINT alone.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill('SIGINT'));
  const printed: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => printed.push(chunk));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code: code ?? 1, output: Buffer.concat(printed) };
}
