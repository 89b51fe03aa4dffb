import {
  greaterNumber,
  haltOf,
  rememberedOf,
  resumedSequence,
  type LastNumber,
} from '../../domain/invoice/numbering.ts';
import { resumeFeed } from '../../db/feed/feed.ts';
import { lockCounters, setCompared } from '../../db/invoicing/numbering.ts';
import type { Db } from '../../db/connection/pool.ts';

/**
 * Compares each environment's last numbers with the numbers remembered outside the database. Halts a live environment
 * that would give numbers a second time, which happens after a restore; a feed of changes goes on beyond all numbers
 * that clients may have seen. Runs in the caller's transaction; idempotent. Returns the reasons of the environments
 * that this call halted.
 */
export async function compareNumbers(db: Db, remembered: readonly LastNumber[]): Promise<string[]> {
  const halted: string[] = [];
  for (const counter of await lockCounters(db)) {
    const { environment_id, livemode, last_sequence, is_restored } = counter;
    const sequence = rememberedOf(remembered, counter, 'changes');
    const resumed = resumedSequence({ last_sequence, remembered: sequence, is_restored });
    if (resumed !== null) await resumeFeed(db, environment_id, resumed);
    const number = greaterNumber(rememberedOf(remembered, counter), counter.given);
    const note = greaterNumber(rememberedOf(remembered, counter, 'credit_notes'), counter.given_credit_note);
    const halt = livemode ? haltOf({ ...counter, remembered: number, remembered_credit_note: note }) : null;
    const numbers =
      halt === null ? { given: null, given_credit_note: null } : { given: number, given_credit_note: note };
    await setCompared(db, environment_id, { halt, ...numbers });
    if (halt !== null && counter.halt === null) halted.push(halt);
  }
  return halted;
}
