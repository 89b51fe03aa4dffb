import { cpus, loadavg } from 'node:os';
import { median, reaches, type Figure, type Sides } from './figure.ts';
import { pgbenchVersion } from './pgbench.ts';
import type { Servers } from './servers.ts';
import type { Say } from '../src/dev/progress.ts';

const SIGNIFICANT_DIGITS = 3;

/** What the figures below were measured on. */
export function reportMachine({ version, settings }: Servers, say: Say): void {
  const processors = cpus();
  const pgbench = pgbenchVersion();
  const rows = [
    ['machine', `${processors.length} x ${processors[0]?.model.trim() ?? 'unknown processor'}`],
    ['load', `${loadavg()[0]!.toFixed(2)} in the minute before`],
    ['node', process.versions.node],
    ['postgres', `${version}, ${settings}`],
    ['pgbench', pgbench ?? 'none'],
  ];
  for (const [name = '', value] of rows) say(`${name.padEnd(10)}${value}`);
}

export function reportTitle({ name, title, unit }: Figure, say: Say): void {
  say('');
  say(`${name}  ${title}`);
  say(columns(['round', `ours, ${unit}`, `other, ${unit}`, 'ratio']));
}

export function reportRound(round: number, { ours, theirs }: Sides, say: Say): void {
  say(columns([`${round}`, digits(ours), digits(theirs), digits(ours / theirs)]));
}

/** Says the median of the ratios beside floor and goal; returns whether it reaches the floor. */
export function reportRatio(figure: Figure, rounds: readonly Sides[], say: Say): boolean {
  const { floor, goal } = figure;
  const ratios = rounds.map(({ ours, theirs }) => ours / theirs);
  const ratio = median(ratios);
  const spread = `${digits(Math.min(...ratios))} to ${digits(Math.max(...ratios))}`;
  const verdict = verdictOf(figure, ratio);
  say(`  median ${digits(ratio)} (${spread}), floor ${floor}, goal ${goal}: ${verdict}`);
  return reaches(figure, ratio, floor);
}

function verdictOf(figure: Figure, ratio: number): string {
  if (reaches(figure, ratio, figure.goal)) return 'goal reached';
  return reaches(figure, ratio, figure.floor) ? 'floor reached' : 'FLOOR MISSED';
}

function columns([first = '', ...others]: readonly string[]): string {
  return `  ${first.padEnd(6)}${others.map((cell) => cell.padStart(20)).join('')}`;
}

/** Three significant digits, without an exponent; all those of a larger whole number. */
function digits(value: number): string {
  const whole = Math.round(value);
  return whole >= 10 ** (SIGNIFICANT_DIGITS - 1)
    ? whole.toLocaleString('en')
    : value.toPrecision(SIGNIFICANT_DIGITS);
}
