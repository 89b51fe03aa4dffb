import { findAccount } from '../../src/db/account/accounts.ts';
import { journalPages, type JournalRange } from '../../src/db/invoicing/journal.ts';
import type { Db } from '../../src/db/connection/pool.ts';
import { closestNumber } from '../../src/domain/invoice/account-number.ts';
import { linesOf } from '../../src/domain/invoice/journal.ts';
import { dayReader } from '../../src/domain/time/local-time.ts';
import { JournalLine } from '../../src/objects/journal.ts';
import { exactly, nullable } from '../../src/objects/parts.ts';
import { Type } from 'typebox';
import { BOOKED } from './booked.ts';

/** A row of the journal as a file. */
export const JournalRow = exactly({
  ...BOOKED,
  account_number: nullable(Type.String()),
  ...JournalLine.properties,
});

/** The rows of the journal of a range, in pages that are read one after the other. */
export async function* journalRows(
  db: Db,
  environment_id: number,
  range: JournalRange,
): AsyncGenerator<object[]> {
  const { account_numbers, timezone } = await findAccount(db, environment_id);
  const dayOf = dayReader(timezone);
  for await (const page of journalPages(db, environment_id, range))
    yield page.flatMap((entry) =>
      linesOf({ ...entry, day: dayOf(entry.at) }).map((line) => ({
        ...line,
        account_number: closestNumber(account_numbers, line.account, entry)?.number ?? null,
      })),
    );
}
