import { writeFileSync } from 'node:fs';
import type { Figure, Summary } from './figure.ts';
import { digits, spreadOf, verdictOf } from './report.ts';

/** A figure and the summary of its rounds; null if it could not be measured. */
export type Measured = { figure: Figure; summary: Summary | null };

const HEADINGS = ['#', 'what', 'median', 'spread', 'floor', 'goal', 'verdict'];

/** Writes the run as Markdown: machine and versions, then one row per figure. */
export function writeTable(
  file: string,
  machine: readonly [name: string, value: string][],
  measured: readonly Measured[],
): void {
  const lines = [
    ...machine.map(([name, value]) => `- ${name}: ${value}`),
    '',
    rowOf(HEADINGS),
    rowOf(HEADINGS.map(() => '---')),
    ...measured.map((one) => rowOf(cellsOf(one))),
  ];
  writeFileSync(file, `${lines.join('\n')}\n`);
}

function cellsOf({ figure, summary }: Measured): string[] {
  const { kind, name, title, unit, floor, goal } = figure;
  const what = kind === 'ratio' ? title : `${title}, ${unit}`;
  const seen = summary === null ? ['', ''] : [digits(summary.median), spreadOf(summary)];
  return [
    name,
    what,
    ...seen,
    `${floor}`,
    `${goal}`,
    summary === null ? 'not measured' : verdictOf(figure, summary),
  ];
}

function rowOf(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}
