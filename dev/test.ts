import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { configAtStart, inheritedEnvironment } from '../src/settings/config.ts';
import { CLUSTER_TESTS, NODES, NOT_ON_NODES, OF_ONE_MACHINE, TEST_NODES } from './cluster-tests.ts';
import { buildDashboard, isDashboardBuilt } from './dashboard.ts';
import { removeHome } from './postgres-home.ts';
import { findTemporal } from './temporal-binary.ts';
import { longestFirst } from './test-order.ts';
import { placeOfServers, SENT_STATEMENTS, startTestServers, TEST_SERVERS } from './test-servers.ts';

/**
 * `npm test` runs the test files outside DRILLS, and `npm run test:drills`, which is `--drills`, the others: PROCESSES
 * processes take the next file of one queue, and one process then takes the files in ALONE. `npm run test:cluster`,
 * which is `--cluster`, runs CLUSTER_TESTS, or the files that follow, with their events on NODES nodes. With other
 * arguments, one mocha process runs with these arguments.
 */
const DRILLS = 'test/drills/';
/**
 * Drills that keep the processors busy, so that no other test may run beside them; and the tests of the statements that
 * all others have sent.
 */
const ALONE = ['test/drills/alone/', 'test/citus/'];
/** Twice the processors, because a test often waits; each has two servers beside it. */
const PROCESSES = Math.min(8, 2 * availableParallelism());
const ROOT = fileURLToPath(new URL('../', import.meta.url));
const MOCHA = join(ROOT, 'node_modules/mocha/bin/mocha.js');
const COMPILED = join(ROOT, 'node_modules/.cache/compiled');
const SIGNALS = ['SIGINT', 'SIGTERM'] as const;
let is_interrupted = false;

process.chdir(ROOT);
const args = process.argv.slice(2);
const are_drills = args[0] === '--drills';
const are_on_nodes = args[0] === '--cluster';
if (!are_drills && !are_on_nodes) refuseMissingFiles(args);
if (!isDashboardBuilt()) await buildDashboard();
if (are_on_nodes) process.exit(await runOnNodes(args.slice(1)));
process.exit(args.length > 0 && !are_drills ? await runMocha(args) : await runAll(testFiles()));

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

function testFiles(): string[] {
  return readdirSync('test', { recursive: true, encoding: 'utf8' })
    .map((name) => relative(ROOT, join(ROOT, 'test', name)))
    .filter((file) => file.endsWith('.test.ts') && file.startsWith(DRILLS) === are_drills);
}

function runOnNodes(files: readonly string[]): Promise<number> {
  const tests = files.length > 0 ? files : CLUSTER_TESTS;
  const left_out = [
    '--invert',
    '--grep',
    OF_ONE_MACHINE.join('|'),
    ...NOT_ON_NODES.map((file) => `--ignore=${file}`),
  ];
  return runMocha([...tests, ...left_out], { [TEST_NODES]: `${NODES}` });
}

/** The exit code of the queue if it failed, else that of the files that run alone. */
async function runAll(files: readonly string[]): Promise<number> {
  const alone = files.filter((file) => ALONE.some((folder) => file.startsWith(folder)));
  // The name by which a later run removes what a killed one left (test/support/servers/folder.ts).
  const folder = mkdtempSync(join(placeOfServers(), `tidemark-test-${process.pid}-`));
  const environment = { [SENT_STATEMENTS]: folder };
  try {
    const others = files.filter((file) => !alone.includes(file));
    const code = await runQueue(others, folder, environment);
    const code_alone = alone.length === 0 || is_interrupted ? 0 : await runMocha(alone, environment);
    return code === 0 ? code_alone : code;
  } finally {
    removeHome(folder);
  }
}

async function runQueue(files: readonly string[], folder: string, environment: object): Promise<number> {
  // Once, beforehand: otherwise each process would build the Temporal server.
  await findTemporal(configAtStart().temporal_cli, console.log);
  const places = Array.from({ length: PROCESSES }, (_, place) => join(folder, `${place}`));
  const started = await Promise.all(places.map(startTestServers));
  try {
    const queue = ['--parallel', `--jobs=${PROCESSES}`, ...longestFirst(files)];
    return await runMocha(queue, {
      ...environment,
      [TEST_SERVERS]: JSON.stringify(started.map(({ servers }) => servers)),
    });
  } finally {
    await Promise.all(started.map(({ stop }) => stop()));
    for (const place of places) removeHome(place);
  }
}

/** Resolves with mocha's exit code. Programs that tests start compile their modules once. */
async function runMocha(mocha_args: readonly string[], environment = {}): Promise<number> {
  const env = inheritedEnvironment({ NODE_COMPILE_CACHE: COMPILED, ...environment });
  const child = spawn(process.execPath, [MOCHA, ...mocha_args], {
    stdio: ['ignore', 'inherit', 'inherit'],
    env,
  });
  // mocha's own wrapper process only forwards SIGINT.
  for (const signal of SIGNALS)
    process.on(signal, () => {
      is_interrupted = true;
      child.kill('SIGINT');
    });
  const [code] = (await once(child, 'close')) as [number | null];
  return code ?? 1;
}
