import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { configAtStart } from '../config.ts';
import { buildDashboard, isDashboardBuilt } from './dashboard.ts';
import { findTemporal } from './temporal-binary.ts';

/**
 * `npm test` runs every test, in groups, four at a time, because most tests wait. The output of the first group appears at once, the
 * output of the others after it. With arguments, only mocha runs, with these arguments.
 */
const MOCHA = fileURLToPath(new URL('../../node_modules/mocha/bin/mocha.js', import.meta.url));
/** Waits two minutes for an outage, and as long for its effects. */
const OUTAGE = 'test/drills/faults/faults.test.ts';
const FOLDERS_BESIDE = [
  ['test/api'],
  ['test/drills'],
  ['test/scenarios'],
  ['test/lives', 'test/web', 'test/cli'],
];
/** Mocha's arguments for each group. Groups that mostly wait start first, because they leave the processors to the main group. */
const GROUPS_BESIDE = [[OUTAGE], ...FOLDERS_BESIDE.map((folders) => [...folders, '--ignore', OUTAGE])];
const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

const args = process.argv.slice(2);
refuseMissingFiles(args);
if (!isDashboardBuilt()) await buildDashboard();
process.exit(args.length > 0 ? (await run(args, 'inherit')).code : await runEverything());

/** `npm test FILE -g TEXT` without `--` arrives as the two paths FILE and TEXT, because npm takes `-g`. */
function refuseMissingFiles(args: readonly string[]): void {
  const isValue = (at: number) => at > 0 && /^--?[a-z-]+$/.test(args[at - 1]!);
  const missing = args.find((arg, at) => !/^-|[*?{]/.test(arg) && !isValue(at) && !existsSync(arg));
  if (missing === undefined) return;
  console.error(
    `There is no test file or folder ${missing}. Put "--" before options: npm test -- FILE -g TEXT`,
  );
  process.exit(2);
}

async function runEverything(): Promise<number> {
  // Once, beforehand: otherwise each group would build the Temporal server, and its tests would time out.
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
  await Promise.all([first.then(runWaiting), runWaiting(), runWaiting(), runWaiting()]);
  await Promise.all(printed);
  return Math.max(...codes);
}

type Ran = { code: number; output: Buffer };

/** Resolves once mocha has ended, with its exit code and, for 'pipe', its output. */
async function run(mocha_args: readonly string[], output: 'inherit' | 'pipe'): Promise<Ran> {
  const child = spawn(process.execPath, [MOCHA, ...mocha_args], { stdio: ['ignore', output, output] });
  // mocha's own wrapper process only forwards SIGINT.
  for (const signal of SIGNALS) process.on(signal, () => child.kill('SIGINT'));
  const printed: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => printed.push(chunk));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code: code ?? 1, output: Buffer.concat(printed) };
}
