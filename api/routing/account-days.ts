import { Type, type Static } from 'typebox';
import { findAccount } from '../../src/db/account/accounts.ts';
import type { Db } from '../../src/db/connection/pool.ts';
import { latestNow } from '../../src/db/customers/customer-now.ts';
import {
  bucketDays,
  firstOfNextMonth,
  firstOfTwelveMonths,
  type BucketLength,
} from '../../src/domain/time/buckets.ts';
import { dayOf, startOfDay } from '../../src/domain/time/local-time.ts';
import { invalid } from '../../src/domain/money/errors.ts';
import { checkOrder } from '../schema/range.ts';
import { AccountDay, Currency } from '../schema/schemas.ts';

/** Limit of months, weeks or days of a report. */
const PARTS_MAX = 400;

const description = 'A day in the time zone of the account';

/** Query parameters of reports in money by days of the account. */
export const ACCOUNT_DAYS = {
  from: Type.Optional({
    ...AccountDay,
    description: `${description}. By default twelve months before \`to\`.`,
  }),
  to: Type.Optional({
    ...AccountDay,
    description: `${description}, not included. By default the end of this month, in test data of the last one that a test clock has reached.`,
  }),
  currency: Type.Optional({ ...Currency, description: 'By default that of the account.' }),
};

/** Such a query. */
export type DaysQuery = {
  [name in keyof typeof ACCOUNT_DAYS]?: Static<(typeof ACCOUNT_DAYS)[name]> | undefined;
};

/** A range of days of the account, in parts. */
export type AccountRange = {
  currency: string;
  timezone: string;
  livemode: boolean;
  latest_now: string;
  /** Days, half open, and the first days of the parts. */
  from: string;
  to: string;
  days: readonly string[];
  /** The instants at which the parts begin. */
  starts: readonly string[];
  ends_at: string;
};

/** The range of a query. Throws invalid_request for one that runs backwards, and `too_large` for too many parts. */
export async function accountRange(
  db: Db,
  environment_id: number,
  query: DaysQuery,
  by: BucketLength,
): Promise<AccountRange> {
  const account = await findAccount(db, environment_id);
  const { timezone } = account;
  const { livemode, latest_now } = await latestNow(db, environment_id);
  const to = query.to ?? firstOfNextMonth(dayOf(latest_now, timezone));
  const from = query.from ?? firstOfTwelveMonths(to);
  const [starts_at, ends_at] = [from, to].map((day) => startOfDay(day, timezone));
  checkOrder({ from: starts_at, to: ends_at });
  const days = bucketDays({ from, to }, by, PARTS_MAX);
  if (days === null) throw invalid('to', 'too_large', `to must be at most ${PARTS_MAX} ${by}s after from`);
  return {
    currency: query.currency ?? account.currency,
    timezone,
    livemode,
    latest_now,
    from,
    to,
    days,
    starts: days.map((day) => startOfDay(day, timezone)),
    ends_at: ends_at!,
  };
}
