import type { Breach, Checked } from './db/invariants/all.ts';

/** Shown in place of the count of an invariant that could not be checked. */
const NOT_CHECKED = {
  acknowledged: 'needs --acked',
  workflows: 'needs Temporal',
} as const;

/** The report for a terminal: every invariant with its count, then the known exceptions, which are no breaches, then each breach. */
export function reportOf(checked: readonly Checked[]): string {
  const lines = checked.map((invariant) =>
    [invariant.number.padEnd(4), countOf(invariant).padStart(14), ` ${invariant.statement}`].join(' '),
  );
  const known = checked.flatMap(({ exceptions }) => exceptions);
  if (known.length > 0) {
    const exceptions = known.map((exception) => `${sentenceOf(exception)}; known: ${exception.exception}`);
    lines.push('', 'Known exceptions, not breaches:', ...exceptions);
  }
  const found = checked.flatMap((invariant) => invariant.breaches ?? []).map(sentenceOf);
  return [...lines, '', ...(found.length === 0 ? ['No breaches found.'] : found)].join('\n');
}

function sentenceOf({ invariant, row, what }: Breach): string {
  return `${invariant.padEnd(4)} ${row}: ${what}`;
}

/** The report as Markdown for the Temporal UI. Ids and counts only: histories keep it, and no amount belongs there. */
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

/** Per invariant. The database has the whole list, and `npm run reconcile` prints it. */
const ROWS_SHOWN_MAX = 5;

/** Whether no checked invariant is breached; invariants that could not be checked do not count. */
export function isSound(checked: readonly Checked[]): boolean {
  return checked.every(({ breaches }) => breaches === null || breaches.length === 0);
}

function countOf({ needs, breaches, is_cut }: Checked): string {
  if (breaches !== null) return `${breaches.length}${is_cut ? ' or more' : ''}`;
  return needs === null ? 'not checked' : NOT_CHECKED[needs];
}
