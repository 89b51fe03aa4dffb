import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { Figure, Summary } from './figure.ts';
import { digits, spreadOf, verdictOf } from './report.ts';

/** A figure and the summary of its rounds; null if it could not be measured. */
export type Measured = { figure: Figure; summary: Summary | null };

const HEADINGS = ['#', 'what', 'median', 'spread', 'floor', 'goal', 'verdict'];

/** The lines of a document between which the table stands. */
const PLACE = /(?<=<!-- npm run bench -- --table writes this -->\n)[^]*(?=<!-- to here -->)/;

/**
 * Writes the run as Markdown: date, commit, machine and versions, then one row per figure. A document with a place for it keeps its other text.
 */
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
    ...measured.map((figure) => rowOf(cellsOf(figure))),
  ];
  const table = `${lines.join('\n')}\n`;
  const document = existsSync(file) ? readFileSync(file, 'utf8') : '';
  writeFileSync(file, PLACE.test(document) ? document.replace(PLACE, () => `\n${table}\n`) : table);
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
