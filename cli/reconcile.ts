import { writeFile } from 'node:fs/promises';
import { readAcknowledgements, workflowsOf } from '../src/checks/check-inputs.ts';
import type { Config } from '../src/settings/config.ts';
import { countArchivedLines } from '../src/db/archive/archived-lines.ts';
import { checkInvariants, checkSelected, type Checked, type Report } from '../src/db/invariants/all.ts';
import { CHECK_STATEMENT_MS, type CheckInputs } from '../src/db/invariants/check.ts';
import { lostEvents } from '../src/db/invariants/events.ts';
import { selectSince } from '../src/db/invariants/since.ts';
import { countUnits } from '../src/db/invariants/totals.ts';
import { ONE_UNIT, type Kind } from '../src/db/invariants/unit.ts';
import { createPool, type Pool } from '../src/db/connection/pool.ts';
import { isSound, reportOf } from '../src/checks/invariant-report.ts';
import { messageOf } from '../src/process/message-of.ts';
import { connectTemporal } from '../src/temporal/temporal.ts';
import { databaseUrl, temporalAddress } from './database.ts';
import { printResult, type Printed } from './output.ts';
import { createProgress, type Progress } from './progress.ts';

export type ReconcileOptions = Printed & { acked?: string; since?: number };

/** Prints every invariant with its breaches: of everything, or of what was stored and changed since. */
export async function reconcile(config: Config, options: ReconcileOptions): Promise<void> {
  const { acked } = options;
  const pool = createPool(databaseUrl(config), 2, { statement_ms: CHECK_STATEMENT_MS });
  const temporal = connectTemporal({ ...config, temporal_address: temporalAddress(config) });
  try {
    const acknowledged = acked === undefined ? null : readAcknowledgements(acked);
    // If Temporal does not answer, check the other invariants without it.
    const workflows = await workflowsOf(temporal, pool).catch((error: unknown) => {
      console.error(`I23 is not checked, because Temporal does not respond: ${messageOf(error)}`);
      return null;
    });
    const checked = await check(pool, { acknowledged, workflows }, options.since);
    const archived_lines = await countArchivedLines(pool);
    const is_sound = isSound(checked);
    const missing = acked === undefined ? null : await writeMissing(pool, acked);
    const report = [
      reportOf(checked, archived_lines),
      ...(missing === null ? [] : [`Missing events: ${missing.count}, listed in ${missing.file}.`]),
    ];
    printResult(options, { is_sound, invariants: checked, archived_lines, missing }, report.join('\n'));
    if (!is_sound) process.exitCode = 1;
  } finally {
    await temporal.close();
    await pool.end();
  }
}

async function check(pool: Pool, inputs: CheckInputs, since: number | undefined): Promise<Checked[]> {
  if (since === undefined) {
    const display = showUnits(await countUnits(pool));
    return checkInvariants(pool, inputs, display.report).finally(display.end);
  }
  const selections = await selectSince(pool, since);
  const totals = new Map(selections.map(({ kind, units }) => [kind, units.length]));
  const input_units = (['client_log', 'workflows'] as const).map((kind) => ({
    kind,
    units: [ONE_UNIT],
    are_changes: true,
  }));
  const display = showUnits(totals);
  return checkSelected(pool, [...selections, ...input_units], { inputs, report: display.report }).finally(
    display.end,
  );
}

/** One line of progress for each kind of unit. */
function showUnits(totals: ReadonlyMap<Kind, number>): { report: Report; end: () => void } {
  let display: { kind: Kind; progress: Progress } | null = null;
  const end = () => display?.progress.end();
  return {
    end,
    report: (kind, checked) => {
      if (display?.kind !== kind) {
        end();
        const what = `${kind.replaceAll('_', ' ')} units checked`;
        display = { kind, progress: createProgress(what, totals.get(kind) ?? null) };
      }
      display.progress.show(checked);
    },
  };
}

/**
 * Writes all acknowledged events that are not stored to `<acked>.missing`, in the format of the log. Null if none is
 * missing.
 */
async function writeMissing(pool: Pool, acked: string): Promise<{ file: string; count: number } | null> {
  const file = `${acked}.missing`;
  let count = 0;
  for await (const page of readAcknowledgements(acked)) {
    const lost = await lostEvents(pool, page);
    if (lost.length === 0) continue;
    const lines = lost.map(({ id, idempotency_key }) => `${JSON.stringify({ id, idempotency_key })}\n`);
    await writeFile(file, lines.join(''), { flag: count === 0 ? 'w' : 'a' });
    count += lost.length;
  }
  return count === 0 ? null : { file, count };
}
