import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { configAtStart } from '../config.ts';
import { buildDashboard, isDashboardBuilt } from './dashboard.ts';
import { findTemporal } from './temporal-binary.ts';

/**
 * `npm test`: every test, in groups of which three run at once. The first one's output is seen as it comes, that of the others after
 * it. With arguments, mocha gets these and nothing runs beside it.
 */
const MOCHA = fileURLToPath(new URL('../../node_modules/mocha/bin/mocha.js', import.meta.url));
/** It waits for two minutes of an outage, and as long for what comes of it. */
const OUTAGE = 'test/faults/faults.test.ts';
const FOLDERS_BESIDE = [
  ['test/faults'],
  ['test/scenarios'],
  ['test/lives', 'test/web', 'test/cli', 'test/clients', 'test/dev'],
];
/** Mocha's arguments, a list a group, in the order of their starts: those that mostly wait begin, beside those that work. */
const GROUPS_BESIDE = [[OUTAGE], ...FOLDERS_BESIDE.map((folders) => [...folders, '--ignore', OUTAGE])];
const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

const args = process.argv.slice(2);
if (!isDashboardBuilt()) await buildDashboard();
process.exit(args.length > 0 ? (await run(args, 'inherit')).code : await runEverything());

async function runEverything(): Promise<number> {
  // Each of the groups would build one, at the same time, and wait for it longer than its tests may.
  await findTemporal(configAtStart().temporal_cli, console.log);
  const waiting = [...GROUPS_BESIDE];
  for (const signal of SIGNALS) process.on(signal, () => waiting.splice(0));
  const codes: number[] = [];
  const ignored = FOLDERS_BESIDE.flat().flatMap((folder) => ['--ignore', `${folder}/**`]);
  const first = run(['test', ...ignored], 'inherit').then(({ code }) => codes.push(code));
  const printed: Promise<unknown>[] = [];
  const runWaiting = async () => {
    for (let group = waiting.shift(); group !== undefined; group = waiting.shift()) {
      const { code, output } = await run(group, 'pipe');
      codes.push(code);
      printed.push(first.then(() => process.stdout.write(output)));
    }
  };
  await Promise.all([first.then(runWaiting), runWaiting(), runWaiting()]);
  await Promise.all(printed);
  return Math.max(...codes);
}

type Ran = { code: number; output: Buffer };

/** Resolves once mocha has ended, with its exit code and, where it is not seen at once, its output. */
async function run(mocha_args: readonly string[], output: 'inherit' | 'pipe'): Promise<Ran> {
  const child = spawn(process.execPath, [MOCHA, ...mocha_args], { stdio: ['ignore', output, output] });
  // The process between here and the tests passes on SIGINT alone.
  for (const signal of SIGNALS) process.on(signal, () => child.kill('SIGINT'));
  const printed: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => printed.push(chunk));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code: code ?? 1, output: Buffer.concat(printed) };
}
