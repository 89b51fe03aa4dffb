import { findAccount } from '../../db/account/accounts.ts';
import type { Db } from '../../db/connection/pool.ts';
import { latestNow } from '../../db/customers/customer-now.ts';
import { findClosedMonth, insertClosedMonth, markOpened } from '../../db/invoicing/closed-months.ts';
import { digestJournal } from '../../db/invoicing/journal-digest.ts';
import { sumJournal } from '../../db/invoicing/journal.ts';
import { conflict, invalid } from '../../domain/money/errors.ts';
import { monthIn } from '../../domain/time/local-time.ts';
import { addMilliseconds } from '../../domain/time/period.ts';
import type { ClosedMonth } from '../../objects/closed-month.ts';

/**
 * A transaction books at its beginning and commits later, by some minutes at the most: an hour after the end of a month
 * all that is booked in it is stored.
 */
const STORED_AFTER_MS = 3_600_000;

/**
 * Closes a month of the account's time zone: keeps the trial balance and a hash of the journal (billing.md 7). Throws
 * invalid_request `out_of_range` before an hour after its end, but in test data, where clocks are ahead, and conflict
 * `invalid_state` if it is closed.
 */
export async function closeMonth(
  db: Db,
  environment_id: number,
  { month, by }: { month: string; by: string },
): Promise<ClosedMonth> {
  const { timezone } = await findAccount(db, environment_id);
  const range = monthIn(month, timezone);
  const { livemode, latest_now } = await latestNow(db, environment_id);
  const possible_at = addMilliseconds(range.to, STORED_AFTER_MS);
  if (livemode && latest_now < possible_at)
    throw invalid(
      'month',
      'out_of_range',
      `month must have been over for an hour: ${month} may be closed from ${possible_at} on`,
    );
  if ((await findClosedMonth(db, environment_id, month)) !== null) throw isClosed(month);
  const closing = {
    month,
    ...range,
    closed_by: by,
    ...(await digestJournal(db, environment_id, range)),
    data: await sumJournal(db, environment_id, range),
  };
  if (!(await insertClosedMonth(db, environment_id, closing))) throw isClosed(month);
  return (await findClosedMonth(db, environment_id, month))!;
}

function isClosed(month: string) {
  return conflict('month', 'invalid_state', `month ${month} is closed already`);
}

/** Opens a closed month again, and returns it as it was; null if it is not closed. */
export async function openMonth(
  db: Db,
  environment_id: number,
  opening: { month: string; reason: string; by: string },
): Promise<ClosedMonth | null> {
  const closed = await findClosedMonth(db, environment_id, opening.month);
  return closed !== null && (await markOpened(db, environment_id, opening)) ? closed : null;
}
