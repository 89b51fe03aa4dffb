import { findAccount } from '../../src/db/account/accounts.ts';
import type { Db } from '../../src/db/connection/pool.ts';
import { monthIn } from '../../src/domain/time/local-time.ts';
import { checkAlone, checkOrder } from '../schema/range.ts';

/** Throws invalid_request for a range that runs backwards, and for a month beside one of its bounds. */
export function checkMonth(query: { from?: string; to?: string; month?: string }): void {
  checkOrder(query);
  checkAlone(query, 'month', ['from', 'to']);
}

/** The bounds of a query; those of a month are by the time zone of the account. */
export async function boundsOf<Bound>(
  db: Db,
  environment_id: number,
  { from, to, month }: { from: Bound; to: Bound; month?: string | undefined },
): Promise<{ from: Bound | string; to: Bound | string }> {
  if (month === undefined) return { from, to };
  const { timezone } = await findAccount(db, environment_id);
  return monthIn(month, timezone);
}
