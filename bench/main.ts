import { onNpmGone } from '../src/dev/npm-parent.ts';
import { messageOf } from '../src/dev/processes.ts';
import { DEFAULT_ROUNDS } from './figure.ts';
import { FIGURES } from './figures.ts';
import { measure } from './measure.ts';
import { readOptions, type Options } from './options.ts';
import { machineOf, reportMachine } from './report.ts';
import { startServers } from './servers.ts';
import { createStops } from './stops.ts';
import { writeTable, type Measured } from './table.ts';

const STOP_LIMIT_MS = 20_000;
const INTERRUPTED = 130;

const say = (line: string) => console.log(line);
const server_stops = createStops();
const figure_stops = createStops();
let is_leaving = false;

/** Stops what runs, removes what lies about, exits. Only the first call counts: what it stops may well complain. */
async function leave(code: number): Promise<void> {
  if (is_leaving) return;
  is_leaving = true;
  setTimeout(() => process.exit(1), STOP_LIMIT_MS).unref();
  await figure_stops.run();
  await server_stops.run();
  process.exit(code);
}

async function fail(error: unknown): Promise<void> {
  if (!is_leaving) console.error(messageOf(error));
  await leave(1);
}

async function run(options: Options): Promise<void> {
  const servers = await startServers(server_stops, say);
  const machine = machineOf(servers);
  reportMachine(machine, say);
  const measured: Measured[] = [];
  for (const figure of options.figures) {
    const summary = await measure(figure, { servers, options, stops: figure_stops, say });
    measured.push({ figure, summary });
    if (options.table !== null) writeTable(options.table, machine, measured);
  }
  const all_reach_floors = measured.every(({ summary }) => summary?.reaches_floor ?? false);
  await leave(options.check && !all_reach_floors ? 1 : 0);
}

const options = readOptions(process.argv.slice(2));
if (options.list) {
  for (const { name, title, rounds = DEFAULT_ROUNDS } of FIGURES)
    say(`${name.padEnd(5)}${title}; ${rounds} rounds`);
} else {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => void leave(INTERRUPTED));
  onNpmGone(() => void leave(INTERRUPTED));
  process.on('uncaughtException', (error) => void fail(error));
  await run(options).catch(fail);
}
