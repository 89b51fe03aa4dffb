import { countArchivedLines } from '../archive/archived-lines.ts';
import type { Db } from '../connection/pool.ts';
import { type Breach, type Checked, type Exception } from './all.ts';
import { listBreaches } from './breaches.ts';
import { BREACHES_MAX, INVARIANTS } from './check.ts';
import { lastCheck } from './checks.ts';
import { SWEPT_KINDS, sweepStates, type SweepState } from './sweep.ts';

/** The units that were checked, and when. Instants are null where nothing was checked yet. */
export type Coverage = {
  /** Everything that changed before this instant was checked since, and every stored event that is rolled up. */
  changes_to: string | null;
  changes_from: string | null;
  checked_at: string | null;
  sweeps: SweepState[];
  /** How long the sweep takes to go through everything at the present rate and share; null while it is not known. */
  sweep_ms: number | null;
  /** Lines that no check recounts, because their events are archived. */
  archived_lines: number;
};

/** The open breaches as the result of a check, and what was checked. */
export async function readState(
  db: Db,
  share_percent: number,
): Promise<{ checked: Checked[]; coverage: Coverage }> {
  const [last, sweeps, checked] = [await lastCheck(db), await sweepStates(db), await openChecked(db)];
  const { rows } = await db.query<{ first: string | null }>(
    `select to_char(min(started_at) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as first from checks`,
  );
  const coverage = {
    changes_from: rows[0]!.first,
    changes_to: last?.started_at ?? null,
    checked_at: last?.finished_at ?? null,
    sweeps,
    sweep_ms: sweepTime(sweeps, share_percent),
    archived_lines: await countArchivedLines(db),
  };
  return { checked, coverage };
}

/**
 * The work of a round of all kinds, from what its units took so far, at the share of a processor that the sweep takes.
 */
export function sweepTime(sweeps: readonly SweepState[], share_percent: number): number | null {
  if (sweeps.length < SWEPT_KINDS.length) return null;
  let work_ms = 0;
  for (const { checked, total, finished_at, busy_ms } of sweeps) {
    const is_known = finished_at !== null || (checked > 0 && total !== null);
    if (!is_known) return null;
    work_ms += finished_at !== null ? busy_ms : (busy_ms * Math.max(total!, checked)) / checked;
  }
  return (work_ms * 100) / share_percent;
}

async function openChecked(db: Db): Promise<Checked[]> {
  const open = await listBreaches(db, BREACHES_MAX + 1);
  return INVARIANTS.map(({ number, statement, needs }) => {
    const own_breaches = open.filter(({ invariant }) => invariant === number);
    const breaches = own_breaches.flatMap(({ exception, row, what }): Breach[] =>
      exception === null ? [{ invariant: number, row, what }] : [],
    );
    const exceptions = own_breaches.flatMap(({ exception, row, what }): Exception[] =>
      exception === null ? [] : [{ invariant: number, row, what, exception }],
    );
    const is_checked = needs !== 'acknowledged';
    return {
      number,
      statement,
      needs,
      breaches: is_checked ? breaches.slice(0, BREACHES_MAX) : null,
      exceptions,
      is_cut: own_breaches.length > BREACHES_MAX,
    };
  });
}
