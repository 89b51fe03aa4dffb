import { setTimeout as pause } from 'node:timers/promises';
import { compareNumbers } from '../src/billing/compare-numbers.ts';
import { isComparisonDue, listLastNumbers } from '../src/db/numbering.ts';
import { transaction, type Pool } from '../src/db/pool.ts';
import { greatestNumbers, rememberedOf, type LastNumber } from '../src/domain/numbering.ts';
import type { Temporal } from '../src/temporal.ts';

const REST_MS = 1000;
const REST_AFTER_FAILURE_MS = 5000;

type Deps = { pool: Pool; temporal: Pick<Temporal, 'rememberedNumbers'> };

/**
 * Compares the counts of invoices with what Temporal remembers after each start, restore and failover of the database, until it is
 * stopped: live invoices wait for that. What this process itself saw a second ago counts as remembered too. `tell` gets why live
 * invoices go on waiting, or why nothing was compared.
 */
export async function keepNumbersCompared(
  { pool, temporal }: Deps,
  signal: AbortSignal,
  tell: (message: string, cause: object) => void,
): Promise<void> {
  const rest = (ms: number) => pause(ms, undefined, { signal }).catch(() => undefined);
  let seen: readonly LastNumber[] = [];
  while (!signal.aborted) {
    try {
      // Read before it is asked: where the database is restored in between, they are not taken.
      const numbers = await soundNumbers(pool);
      if ((await isComparisonDue(pool)) || areBehind(numbers, seen)) {
        const remembered = greatestNumbers([...seen, ...(await temporal.rememberedNumbers())]);
        const halted = await transaction(pool, (db) => compareNumbers(db, remembered));
        for (const reason of halted) tell('live invoices wait', { reason });
        seen = [];
      } else seen = numbers;
      await rest(REST_MS);
    } catch (error) {
      tell('the count of invoices is not compared, live ones wait', { error });
      await rest(REST_AFTER_FAILURE_MS);
    }
  }
}

async function soundNumbers(pool: Pool): Promise<LastNumber[]> {
  return (await listLastNumbers(pool)).flatMap(({ last_number, ...environment }) =>
    last_number === null ? [] : [{ ...environment, last_number }],
  );
}

/** Another process, which knew less, compared them first. */
function areBehind(numbers: readonly LastNumber[], seen: readonly LastNumber[]): boolean {
  return numbers.some((number) => BigInt(number.last_number) < BigInt(rememberedOf(seen, number) ?? '0'));
}
