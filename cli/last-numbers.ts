import { InvalidArgumentError } from 'commander';
import type { Config } from '../src/settings/config.ts';
import { findEnvironments } from '../src/db/account/accounts.ts';
import { continueNumbers, lockCounters, unparkCounted } from '../src/db/invoicing/numbering.ts';
import { greaterNumber, rememberedOf, type LastNumber } from '../src/domain/invoice/numbering.ts';
import { createPool, transaction, type Db } from '../src/db/connection/pool.ts';
import type { Temporal } from '../src/temporal/temporal.ts';
import { databaseUrl } from './database.ts';
import { Failure } from './failure.ts';

export type LastNumbers = { test?: string; live?: string };

const DIGITS_MAX = 15;
const UNPARKED_AT_ONCE = 1000;

/** Parses `test=12,live=188`, or one of the two. */
export function parseLastNumbers(text: string): LastNumbers {
  const numbers: LastNumbers = {};
  for (const part of text.split(',')) {
    const [, mode, number = ''] = /^(test|live)=(\d+)$/.exec(part) ?? [];
    if ((mode !== 'test' && mode !== 'live') || numbers[mode] !== undefined || number.length > DIGITS_MAX)
      throw new InvalidArgumentError(
        'It must be test=N, live=M or test=N,live=M, each with the last known invoice number.',
      );
    numbers[mode] = number;
  }
  return numbers;
}

/**
 * Sets the counters of the first account's environments, so that the next invoice gets the number after the given one,
 * and the next credit note the number after the last that is known here or to Temporal; wakes the subscriptions that
 * waited for it. Throws a Failure if a number is below one already given, according to the database or Temporal.
 */
export async function continueFrom(config: Config, temporal: Temporal, numbers: LastNumbers): Promise<void> {
  const pool = createPool(databaseUrl(config), 1);
  try {
    const remembered = await temporal.rememberedNumbers();
    await transaction(pool, async (db) => {
      const environments = await findEnvironments(db);
      if (environments === null)
        throw new Failure('the database has no account yet; tidemark setup creates it');
      for (const mode of ['test', 'live'] as const) {
        const last_number = numbers[mode];
        if (last_number !== undefined)
          await continueOne(db, environments[mode], { mode, last_number, remembered });
      }
    });
    for (let unparked = 1; unparked > 0;) {
      const waiting = await unparkCounted(pool, UNPARKED_AT_ONCE);
      await temporal.nudge(waiting, 'wake');
      unparked = waiting.length;
    }
  } finally {
    await pool.end();
  }
}

async function continueOne(
  db: Db,
  environment_id: number,
  { mode, last_number, remembered }: { mode: 'test' | 'live'; last_number: string; remembered: LastNumber[] },
): Promise<void> {
  const counter = (await lockCounters(db)).find((locked) => locked.environment_id === environment_id)!;
  // Test numbers may repeat after a restore: only the database's own last number is the lower limit.
  const given_number =
    mode === 'live' ? greaterNumber(rememberedOf(remembered, counter), counter.given) : null;
  const least = greaterNumber(counter.last_number, given_number)!;
  if (BigInt(last_number) < BigInt(least))
    throw new Failure(`${mode}=${last_number} is below ${least}, the last number that was issued`);
  const note = mode === 'live' ? rememberedOf(remembered, counter, 'credit_notes') : null;
  const last_credit_note_number = greaterNumber(
    counter.last_credit_note_number,
    greaterNumber(note, mode === 'live' ? counter.given_credit_note : null),
  )!;
  const reason = counter.halt === null ? 'skipped by an operator' : 'issued before the database was restored';
  await continueNumbers(db, { environment_id, last_number, last_credit_note_number, reason });
}
