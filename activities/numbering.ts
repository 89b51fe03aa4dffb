import { setTimeout as pause } from 'node:timers/promises';
import { compareNumbers } from '../src/billing/compare-numbers.ts';
import { isComparisonDue } from '../src/db/numbering.ts';
import { transaction, type Pool } from '../src/db/pool.ts';
import type { Temporal } from '../src/temporal.ts';

const REST_MS = 2000;
const REST_AFTER_FAILURE_MS = 5000;

/**
 * Compares the counts of invoices with what Temporal remembers after each start, restore and failover of the database, until it is
 * stopped: live invoices wait for that. `tell` gets why they go on waiting, or why nothing was compared.
 */
export async function keepNumbersCompared(
  { pool, temporal }: { pool: Pool; temporal: Pick<Temporal, 'rememberedNumbers'> },
  signal: AbortSignal,
  tell: (message: string, cause: object) => void,
): Promise<void> {
  const rest = (ms: number) => pause(ms, undefined, { signal }).catch(() => undefined);
  while (!signal.aborted) {
    try {
      if (await isComparisonDue(pool)) {
        const remembered = await temporal.rememberedNumbers();
        const halted = await transaction(pool, (db) => compareNumbers(db, remembered));
        for (const reason of halted) tell('live invoices wait', { reason });
      }
      await rest(REST_MS);
    } catch (error) {
      tell('the count of invoices is not compared, live ones wait', { error });
      await rest(REST_AFTER_FAILURE_MS);
    }
  }
}
