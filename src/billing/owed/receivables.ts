import { findAccount } from '../../db/account/accounts.ts';
import {
  readClocks,
  readReceivables,
  type PlacedDebtor,
  type ReceivablesQuery,
} from '../../db/invoicing/receivables.ts';
import type { Db } from '../../db/connection/pool.ts';
import { invalid } from '../../domain/money/errors.ts';
import { dayAfter, dayOf, startOfDay } from '../../domain/time/local-time.ts';
import type { ReceivableSum } from '../../objects/receivables.ts';

/** `as_of` is a day of the account's time zone; null: all that is booked, at the today of each customer. */
export type AskedReceivables = Pick<ReceivablesQuery, 'customer_ids' | 'currency' | 'after' | 'limit'> & {
  as_of: string | null;
};

export type FoundReceivables = { timezone: string; sums: ReceivableSum[]; debtors: PlacedDebtor[] };

/**
 * Reads the amounts that customers owe, by the days since they were due (billing.md 7). Throws invalid_request
 * `out_of_range` for a day to come, but in test data, where clocks are ahead.
 */
export async function findReceivables(
  db: Db,
  environment_id: number,
  { as_of, ...asked }: AskedReceivables,
): Promise<FoundReceivables> {
  const { timezone } = await findAccount(db, environment_id);
  const { now, livemode, test_clocks } = await readClocks(db, environment_id, asked.customer_ids);
  const today = dayOf(now, timezone);
  if (livemode && as_of !== null && as_of > today)
    throw invalid('as_of', 'out_of_range', `as_of must not be after ${today}, today in ${timezone}`);
  const time =
    as_of === null
      ? { before: null, day: today, days: daysOf(test_clocks, timezone) }
      : { before: startOfDay(dayAfter(as_of), timezone), day: as_of, days: {} };
  return { timezone, ...(await readReceivables(db, environment_id, { ...asked, ...time })) };
}

function daysOf(clocks: Readonly<Record<string, string>>, timezone: string): Record<string, string> {
  const days = new Map([...new Set(Object.values(clocks))].map((now) => [now, dayOf(now, timezone)]));
  return Object.fromEntries(Object.entries(clocks).map(([id, now]) => [id, days.get(now)!]));
}
