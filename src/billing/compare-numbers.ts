import { greaterNumber, haltOf, rememberedOf, type LastNumber } from '../domain/numbering.ts';
import { lockCounters, setCompared } from '../db/numbering.ts';
import type { Db } from '../db/pool.ts';

/**
 * Compares the last invoice number of every environment with what was remembered outside the database, and halts the live ones
 * that would give numbers a second time; in the caller's one transaction. Comparing twice changes nothing. Returns why live
 * invoices wait, of those that were not halted before.
 */
export async function compareNumbers(db: Db, remembered: readonly LastNumber[]): Promise<string[]> {
  const halted: string[] = [];
  for (const counter of await lockCounters(db)) {
    const { environment_id, livemode } = counter;
    const given = greaterNumber(rememberedOf(remembered, counter), counter.given);
    const halt = livemode ? haltOf({ ...counter, remembered: given }) : null;
    await setCompared(db, environment_id, { halt, given: halt === null ? null : given });
    if (halt !== null && counter.halt === null) halted.push(halt);
  }
  return halted;
}
