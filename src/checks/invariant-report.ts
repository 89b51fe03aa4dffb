import type { Breach, Checked } from '../db/invariants/all.ts';
import type { Coverage } from '../db/invariants/state.ts';

/** Text in place of the count of an invariant that could not be checked. */
const NOT_CHECKED = {
  acknowledged: 'needs --acked',
  workflows: 'needs Temporal',
} as const;

/**
 * The report for a terminal: every invariant with its count, the number of lines that were not recounted, then the
 * known exceptions, which are no breaches, then each breach.
 */
export function reportOf(checked: readonly Checked[], archived_lines: number): string {
  const lines = checked.map((invariant) =>
    [invariant.number.padEnd(4), countOf(invariant).padStart(14), ` ${invariant.statement}`].join(' '),
  );
  if (archived_lines > 0) lines.push('', notRecounted(archived_lines));
  const known = checked.flatMap(({ exceptions }) => exceptions);
  if (known.length > 0) {
    const exceptions = known.map((exception) => `${sentenceOf(exception)}; known: ${exception.exception}`);
    lines.push('', 'Known exceptions, not breaches:', ...exceptions);
  }
  const breaches = checked.flatMap((invariant) => invariant.breaches ?? []).map(sentenceOf);
  return [...lines, '', ...(breaches.length === 0 ? ['No breaches found.'] : breaches)].join('\n');
}

function notRecounted(archived_lines: number): string {
  const lines = archived_lines === 1 ? '1 line item' : `${archived_lines} line items`;
  return `Not recounted by I6 and I7, because their events are archived: ${lines}.`;
}

function sentenceOf({ invariant, row, what }: Breach): string {
  return `${invariant.padEnd(4)} ${row}: ${what}`;
}

/** The report as Markdown for the Temporal UI. Ids and counts only: histories keep it, and no amount belongs there. */
export function tableOf(checked: readonly Checked[], coverage: Coverage): string {
  const rows = checked.map(
    (invariant) => `| ${invariant.number} | ${countOf(invariant)} | ${invariant.statement} |`,
  );
  const breaches = checked.flatMap((invariant) => (invariant.breaches ?? []).slice(0, ROWS_SHOWN_MAX));
  const breach_lines = breaches.map(({ invariant, row }) => `- ${invariant}: ${row}`);
  const known = checked.flatMap(({ exceptions }) => exceptions.slice(0, ROWS_SHOWN_MAX));
  const excepted = known.map(({ invariant, row }) => `- ${invariant}, a known exception: ${row}`);
  const table = ['| invariant | breaches | statement |', '|---|---|---|', ...rows];
  return [...table, '', ...breach_lines, ...excepted, '', ...coverageOf(coverage)].join('\n');
}

/** The coverage of the checks as Markdown: the units, from when to when, and since when each part was seen. */
export function coverageOf(coverage: Coverage): string[] {
  const { changes_from, changes_to, sweeps, sweep_ms, archived_lines } = coverage;
  const changes =
    changes_to === null
      ? 'Nothing that changed was checked yet.'
      : `What changed up to ${changes_to} was checked; the checks that are remembered began at ${changes_from}.`;
  const sweep =
    sweep_ms === null
      ? 'How long a sweep over everything takes is not known yet.'
      : `A sweep over everything takes about ${durationOf(sweep_ms)} at the present rate.`;
  const rows = sweeps.map(({ kind, checked, total, finished_at, seen_since }) => {
    const of_total =
      finished_at === null ? `${checked} of ${total === null ? 'unknown' : `about ${total}`}` : checked;
    return `| ${kind.replaceAll('_', ' ')} | ${of_total} | ${seen_since ?? 'not yet'} |`;
  });
  const table = ['| part | checked in this round | all of it was seen since |', '|---|---|---|', ...rows];
  const archived = archived_lines === 0 ? [] : [notRecounted(archived_lines)];
  return [changes, sweep, ...archived, '', ...table];
}

const MS_A_MINUTE = 60_000;

function durationOf(ms: number): string {
  const minutes = Math.max(1, Math.ceil(ms / MS_A_MINUTE));
  if (minutes < 120) return minutes === 1 ? 'a minute' : `${minutes} minutes`;
  const hours = Math.ceil(minutes / 60);
  return hours < 48 ? `${hours} hours` : `${Math.ceil(hours / 24)} days`;
}

/** Rows of each invariant. The database has the whole list, and `npm run reconcile` prints it. */
const ROWS_SHOWN_MAX = 5;

/** Whether no checked invariant is breached; invariants that could not be checked do not count. */
export function isSound(checked: readonly Checked[]): boolean {
  return checked.every(({ breaches }) => breaches === null || breaches.length === 0);
}

function countOf({ needs, breaches, is_cut }: Checked): string {
  if (breaches !== null) return `${breaches.length}${is_cut ? ' or more' : ''}`;
  return needs === null ? 'not checked' : NOT_CHECKED[needs];
}
