import type { Breach, Checked } from './db/invariants/check.ts';

/** What stands in place of a count where an invariant could not be checked. */
const NOT_CHECKED = {
  acknowledged: 'needs --acked',
  workflows: 'needs Temporal',
} as const;

/** A check for a terminal: every invariant with its count, then every breach with its rows, then what is known and no breach. */
export function reportOf(checked: readonly Checked[]): string {
  const lines = checked.map((invariant) =>
    [invariant.number.padEnd(4), countOf(invariant).padStart(14), ` ${invariant.statement}`].join(' '),
  );
  const known = checked.flatMap(({ exceptions }) => exceptions);
  if (known.length > 0) {
    const exceptions = known.map((exception) => `${sentenceOf(exception)}; known: ${exception.exception}`);
    lines.push('', 'Known exceptions, which are no breaches:', ...exceptions);
  }
  const found = checked.flatMap((invariant) => invariant.breaches ?? []).map(sentenceOf);
  return [...lines, '', ...(found.length === 0 ? ['Nothing found.'] : found)].join('\n');
}

function sentenceOf({ invariant, row, what }: Breach): string {
  return `${invariant.padEnd(4)} ${row}: ${what}`;
}

/** The same as Markdown for the Temporal UI. Ids and counts only: it is kept in histories, where no amount belongs. */
export function tableOf(checked: readonly Checked[]): string {
  const rows = checked.map(
    (invariant) => `| ${invariant.number} | ${countOf(invariant)} | ${invariant.statement} |`,
  );
  const breaches = checked.flatMap((invariant) => (invariant.breaches ?? []).slice(0, ROWS_SHOWN_MAX));
  const found = breaches.map(({ invariant, row }) => `- ${invariant}: ${row}`);
  const known = checked.flatMap(({ exceptions }) => exceptions.slice(0, ROWS_SHOWN_MAX));
  const excepted = known.map(({ invariant, row }) => `- ${invariant}, a known exception: ${row}`);
  const table = ['| invariant | breaches | statement |', '|---|---|---|', ...rows];
  return [...table, '', ...found, ...excepted].join('\n');
}

/** Of each invariant. The whole list is in the database, and the command prints it. */
const ROWS_SHOWN_MAX = 5;

export function isSound(checked: readonly Checked[]): boolean {
  return checked.every(({ breaches }) => breaches === null || breaches.length === 0);
}

function countOf({ needs, breaches, is_cut }: Checked): string {
  if (breaches !== null) return `${breaches.length}${is_cut ? ' or more' : ''}`;
  return needs === null ? 'not checked' : NOT_CHECKED[needs];
}
