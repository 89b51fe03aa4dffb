import { existsSync } from 'node:fs';
import { readAcknowledgements, workflowsOf } from '../../src/checks/check-inputs.ts';
import { readConfig } from '../../src/settings/config.ts';
import { checkInvariants } from '../../src/db/invariants/all.ts';
import { CHECK_STATEMENT_MS } from '../../src/db/invariants/check.ts';
import { createPool, type Pool } from '../../src/db/connection/pool.ts';
import { connectTemporal } from '../../src/temporal/temporal.ts';
import type { Drill } from './drill.ts';

/** Checks every invariant, as `npm run reconcile` does, with the logs of acknowledged events. */
export async function expectSound(
  { database_url, temporal_address }: { database_url: string; temporal_address: string },
  logs: readonly string[],
  { say, expect }: Drill,
): Promise<void> {
  const pool = createPool(database_url, 2, { statement_ms: CHECK_STATEMENT_MS });
  const temporal = connectTemporal(readConfig({ TEMPORAL_ADDRESS: temporal_address }));
  try {
    const acknowledged = acknowledgementsOf(logs);
    const workflows = await workflowsOf(temporal, pool);
    const checked = await checkInvariants(pool, { acknowledged, workflows });
    const breaches = checked.flatMap((invariant) => invariant.breaches ?? []);
    for (const { invariant, row, what } of breaches.slice(0, 20)) say(`${invariant} ${row}: ${what}`);
    expect(`${checked.length} invariants hold`, breaches.length === 0);
  } finally {
    await temporal.close();
    await pool.end();
  }
}

async function* acknowledgementsOf(logs: readonly string[]) {
  for (const log of logs) if (existsSync(log)) yield* readAcknowledgements(log);
}

/** Expects the live invoice numbers to be 1, 2, 3 and so on without a gap; returns how many there are. */
export async function expectNoGap(pool: Pool, { expect }: Drill): Promise<number> {
  const { rows } = await pool.query<{ count: number; last: number; counter: number }>(
    `select count(distinct number)::integer as count, coalesce(max(number), 0)::integer as last,
       (select last_invoice_number::integer from environments where livemode) as counter
     from invoices where number is not null and environment_id = (select id from environments where livemode)`,
  );
  const { count, last, counter } = rows[0]!;
  expect(`${count} invoices have the numbers 1 to ${last} without a gap`, count === last && last === counter);
  return count;
}
