import { DEFAULT_ROUNDS } from './figure.ts';
import { FIGURES } from './figures.ts';
import { measure } from './measure.ts';
import { readOptions, type Options } from './options.ts';
import { runProgram } from './program.ts';
import { machineOf, reportMachine } from './report.ts';
import { startServers } from './servers.ts';
import { createStops } from './stops.ts';
import { writeTable, type Measured } from './table.ts';

const NAME_WIDTH = 16;

const say = (line: string) => console.log(line);
const server_stops = createStops();
const figure_stops = createStops();

async function run(options: Options): Promise<number> {
  const servers = await startServers(server_stops, say);
  const machine = machineOf(servers);
  reportMachine(machine, say);
  const measured: Measured[] = [];
  for (const figure of options.figures) {
    const summary = await measure(figure, { servers, options, stops: figure_stops, say });
    measured.push({ figure, summary });
    if (options.table !== null) writeTable(options.table, machine, measured);
  }
  const all_reach_floors = measured.every(reachesFloor);
  return options.check && !all_reach_floors ? 1 : 0;
}

function reachesFloor({ figure, summary }: Measured): boolean {
  return figure.for_the_record ?? summary?.reaches_floor ?? false;
}

const options = readOptions(process.argv.slice(2));
if (options.list) {
  for (const { name, title, rounds = DEFAULT_ROUNDS } of FIGURES)
    say(`${name.padEnd(NAME_WIDTH)}${title}; ${rounds} rounds`);
} else {
  await runProgram([figure_stops, server_stops], () => run(options));
}
