import { execFileSync } from 'node:child_process';
import { cpus, loadavg } from 'node:os';
import type { Figure, Round, Summary } from './figure.ts';
import { pgbenchVersion } from './pgbench.ts';
import type { Servers } from './servers.ts';
import type { Say } from '../dev/progress.ts';

const SIGNIFICANT_DIGITS = 3;

/** Date and commit, the machine and the versions of the run, as pairs of name and value. */
export function machineOf({ version, settings }: Servers): [name: string, value: string][] {
  const processors = cpus();
  return [
    ['date', new Date().toISOString().slice(0, 10)],
    ['commit', execFileSync('git', ['rev-parse', '--short=12', 'HEAD'], { encoding: 'utf8' }).trim()],
    ['machine', `${processors.length} x ${processors[0]?.model.trim() ?? 'unknown processor'}`],
    ['load', `${loadavg()[0]!.toFixed(2)} in the minute before`],
    ['node', process.versions.node],
    ['postgres', `${version}, ${settings}`],
    ['pgbench', pgbenchVersion() ?? 'none'],
  ];
}

/** Prints the machine, one pair per line. */
export function reportMachine(machine: readonly [name: string, value: string][], say: Say): void {
  for (const [name, value] of machine) say(`${name.padEnd(10)}${value}`);
}

/** Prints a figure's title and the headings of its columns. */
export function reportTitle({ kind, name, title, unit }: Figure, say: Say): void {
  say('');
  say(`${name}  ${title}`);
  say(columns(['round', `ours, ${unit}`, ...(kind === 'ratio' ? [`other, ${unit}`, 'ratio'] : [])]));
}

/** Prints one round as a row. */
export function reportRound(round: number, { ours, theirs, result }: Round, say: Say): void {
  const numbers = theirs === null ? [ours] : [ours, theirs, result];
  say(columns([`${round}`, ...numbers.map(digits)]));
}

/** Prints the median beside floor and goal, with the verdict. */
export function reportSummary(figure: Figure, summary: Summary, say: Say): void {
  const { floor, goal } = figure;
  const seen = `median ${digits(summary.median)} (${spreadOf(summary)})`;
  say(`  ${seen}, floor ${floor}, goal ${goal}: ${verdictOf(figure, summary)}`);
}

/** The range of the rounds' results, as text. */
export function spreadOf({ lowest, highest }: Summary): string {
  return `${digits(lowest)} to ${digits(highest)}`;
}

/** Whether floor and goal are reached, in words. */
export function verdictOf({ for_the_record }: Figure, { reaches_floor, reaches_goal }: Summary): string {
  if (reaches_goal) return 'goal reached';
  if (reaches_floor) return 'floor reached';
  return for_the_record === true ? 'floor missed, for the record' : 'FLOOR MISSED';
}

function columns([first = '', ...other_cells]: readonly string[]): string {
  return `  ${first.padEnd(6)}${other_cells.map((cell) => cell.padStart(20)).join('')}`;
}

/** Three significant digits without an exponent; larger whole numbers in full. */
export function digits(value: number): string {
  const whole = Math.round(value);
  return whole >= 10 ** (SIGNIFICANT_DIGITS - 1)
    ? whole.toLocaleString('en')
    : value.toPrecision(SIGNIFICANT_DIGITS);
}
