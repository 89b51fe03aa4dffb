import { setTimeout as pause } from 'node:timers/promises';
import { compareNumbers } from '../src/billing/close/compare-numbers.ts';
import { isComparisonDue, listLastNumbers } from '../src/db/invoicing/numbering.ts';
import { transaction, type Pool } from '../src/db/connection/pool.ts';
import { greatestNumbers, rememberedOf, type LastNumber } from '../src/domain/invoice/numbering.ts';
import type { Temporal } from '../src/temporal/temporal.ts';

const REST_MS = 1000;
const REST_AFTER_FAILURE_MS = 5000;

type Deps = { pool: Pool; temporal: Pick<Temporal, 'rememberedNumbers'> };

/**
 * Compares the invoice counters of the database, after each of its starts, restores and failovers, with the numbers
 * that Temporal remembers; live invoices wait for this. Runs until the signal. Numbers that this process read a second
 * ago count as remembered too. Calls `tell` with the reason if live invoices still have to wait, or if the comparison
 * failed.
 */
export async function keepNumbersCompared(
  { pool, temporal }: Deps,
  signal: AbortSignal,
  report: (message: string, cause: object) => void,
): Promise<void> {
  const rest = (ms: number) => pause(ms, undefined, { signal }).catch(() => undefined);
  let seen: readonly LastNumber[] = [];
  while (!signal.aborted) {
    try {
      // Read the numbers before asking whether a comparison is due: if the database is restored in between, they are
      // discarded.
      const numbers = await soundNumbers(pool);
      if ((await isComparisonDue(pool)) || areBehind(numbers, seen)) {
        const remembered = greatestNumbers([...seen, ...(await temporal.rememberedNumbers())]);
        const halted = await transaction(pool, (db) => compareNumbers(db, remembered));
        for (const reason of halted) report('live invoices are not issued', { reason });
        seen = [];
      } else seen = numbers;
      await rest(REST_MS);
    } catch (error) {
      report('the last invoice number cannot be compared, so live invoices are not issued', { error });
      await rest(REST_AFTER_FAILURE_MS);
    }
  }
}

async function soundNumbers(pool: Pool): Promise<LastNumber[]> {
  return (await listLastNumbers(pool)).flatMap(
    ({ last_number, last_credit_note_number, last_sequence, ...environment }) =>
      last_number === null || last_credit_note_number === null || last_sequence === null
        ? []
        : [{ ...environment, last_number, last_credit_note_number, last_sequence }],
  );
}

/**
 * Whether a counter is behind a number that this process saw: another process, which remembered less, has then done the
 * comparison.
 */
function areBehind(numbers: readonly LastNumber[], seen: readonly LastNumber[]): boolean {
  return numbers.some(
    (number) =>
      BigInt(number.last_number) < BigInt(rememberedOf(seen, number) ?? '0') ||
      BigInt(number.last_credit_note_number) < BigInt(rememberedOf(seen, number, 'credit_notes') ?? '0') ||
      BigInt(number.last_sequence) < BigInt(rememberedOf(seen, number, 'changes') ?? '0'),
  );
}
