import { greaterNumber, haltOf, rememberedOf, type LastNumber } from '../domain/numbering.ts';
import { lockCounters, setCompared } from '../db/invoicing/numbering.ts';
import type { Db } from '../db/connection/pool.ts';

/**
 * Compares each environment's last numbers with the numbers remembered outside the database. Halts a live environment that would give
 * numbers a second time, which happens after a restore. Runs in the caller's transaction; idempotent. Returns the reasons of the
 * environments that this call halted.
 */
export async function compareNumbers(db: Db, remembered: readonly LastNumber[]): Promise<string[]> {
  const halted: string[] = [];
  for (const counter of await lockCounters(db)) {
    const { environment_id, livemode } = counter;
    const given = greaterNumber(rememberedOf(remembered, counter), counter.given);
    const note = greaterNumber(rememberedOf(remembered, counter, 'credit_notes'), counter.given_credit_note);
    const halt = livemode ? haltOf({ ...counter, remembered: given, remembered_credit_note: note }) : null;
    const kept =
      halt === null ? { given: null, given_credit_note: null } : { given, given_credit_note: note };
    await setCompared(db, environment_id, { halt, ...kept });
    if (halt !== null && counter.halt === null) halted.push(halt);
  }
  return halted;
}
