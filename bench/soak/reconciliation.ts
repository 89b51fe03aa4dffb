import { readAcknowledgements, workflowsOf } from '../../src/checks/check-inputs.ts';
import { readConfig } from '../../src/settings/config.ts';
import { checkInvariants } from '../../src/db/invariants/all.ts';
import { CHECK_STATEMENT_MS } from '../../src/db/invariants/check.ts';
import { createPool, type Pool } from '../../src/db/connection/pool.ts';
import type { Say } from '../../dev/progress.ts';
import { isSound, reportOf } from '../../src/checks/invariant-report.ts';
import { connectTemporal } from '../../src/temporal/temporal.ts';
import { NAMESPACE } from '../servers.ts';
import { waitUntil } from '../waiting.ts';

const SETTLED_LIMIT_MS = 120_000;

export type Reconciled = {
  database_url: string;
  temporal_address: string;
  /** The client's log of acknowledged events. */
  log: string;
  /** Number of events sent; each was sent until it was acknowledged. */
  events: number;
  invoices: number;
};

/**
 * Compares the client's log with the database once every ended period is billed: by count, key by key (I1: no event is lost, I2:
 * none is stored twice), and by every other check of `npm run reconcile`. False if there is a breach.
 */
export async function reconcile(
  { database_url, temporal_address, log, events, invoices }: Reconciled,
  say: Say,
): Promise<boolean> {
  const pool = createPool(database_url, 2, { statement_ms: CHECK_STATEMENT_MS });
  const config = readConfig({ TEMPORAL_ADDRESS: temporal_address, TEMPORAL_NAMESPACE: NAMESPACE });
  const temporal = connectTemporal(config);
  try {
    await waitUntil('billing', SETTLED_LIMIT_MS, async () => (await countOf(pool, 'invoices')) >= invoices);
    const workflows = await workflowsOf(temporal, pool);
    const checked = await checkInvariants(pool, { acknowledged: readAcknowledgements(log), workflows });
    const stored = await countOf(pool, 'events');
    say(reportOf(checked, 0));
    say(`${events} events acknowledged, ${stored} stored, ${await countOf(pool, 'invoices')} invoices`);
    return isSound(checked) && stored === events;
  } finally {
    await temporal.close();
    await pool.end();
  }
}

async function countOf(pool: Pool, table: 'events' | 'invoices'): Promise<number> {
  const { rows } = await pool.query<{ count: string }>(`select count(*) from ${table}`);
  return Number(rows[0]!.count);
}
