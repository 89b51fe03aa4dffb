import { Type } from 'typebox';
import type { Db } from '../../src/db/connection/pool.ts';
import {
  firstBillingStart,
  listMovements,
  sumMovements,
  type MovementRow,
  type RecurringSum,
} from '../../src/db/reports/recurring-revenue.ts';
import { inReportTime } from '../../src/db/reports/report-time.ts';
import { decimal, sum, type Decimal } from '../../src/domain/money/decimal.ts';
import { invalid } from '../../src/domain/money/errors.ts';
import { toAmount } from '../../src/domain/money/money.ts';
import { firstOfNextMonth, isFirstOfMonth, monthsUpTo } from '../../src/domain/time/buckets.ts';
import { dayOf, startOfDay } from '../../src/domain/time/local-time.ts';
import { earliest } from '../../src/domain/time/period.ts';
import { exactly, oneOf } from '../../src/objects/parts.ts';
import {
  RECURRING_MOVEMENTS,
  RecurringRevenue,
  RecurringRevenueLine,
  RecurringRevenueMovement,
  type RecurringMovementType,
  type RecurringRevenueMonth,
} from '../../src/objects/recurring-revenue.ts';
import { csvRoute } from '../csv/csv-route.ts';
import * as examples from '../reference/examples/revenue.ts';
import { ACCOUNT_DAYS, accountRange, type AccountRange, type DaysQuery } from '../routing/account-days.ts';
import { listResponse } from '../routing/list.ts';
import { readReport } from '../routing/report.ts';
import { route } from '../routing/route.ts';
import { Identifier, listOf, Month, PAGE } from '../schema/schemas.ts';

const Query = exactly({ ...ACCOUNT_DAYS, customer_id: Type.Optional(Identifier) });

const RULE =
  'The flat charges of the plan of each subscription, as an amount a month: of a year a twelfth, of weeks and days by a year of 365 days. ' +
  'Nothing before billing begins and after the end; no usage, items or tax. A correction into the past moves past months.';

const MONTHS = '`from` and `to` are first days of months; months to come exist only in test data.';

const read = route({
  method: 'get',
  path: '/v1/recurring-revenue',
  operation_id: 'getRecurringRevenue',
  tag: 'Invoices',
  summary: 'Recurring revenue at the end of each month, and how it moved',
  description: `${RULE} ${MONTHS}`,
  query: Query,
  examples: examples.recurringRevenue,
  responses: { 200: RecurringRevenue },
  transaction: false,
  may_take_long: true,
  handle: async ({ deps, caller: { environment_id }, query }) => {
    const body = await readReport(deps, (db) => recurringRevenue(db, environment_id, query));
    return { status: 200, body };
  },
});

type Asked = DaysQuery & { customer_id?: string };

async function recurringRevenue(db: Db, environment_id: number, query: Asked): Promise<RecurringRevenue> {
  const range = await monthRange(db, environment_id, query);
  const { customer_id = null } = query;
  const of = { environment_id, customer_id };
  const { ends, earlier } = await endsOf(db, of, range);
  const sums = await inReportTime(db, null, (limited) => sumMovements(limited, { ...of, ends }));
  const { currency, timezone } = range;
  return {
    object: 'recurring_revenue',
    currency,
    currencies: [...new Set(sums.map((found) => found.currency))].sort(),
    timezone,
    data: monthsOf(
      range,
      sums
        .filter((found) => found.currency === currency)
        .map((found) => ({ ...found, at_end: found.at_end - earlier })),
    ),
  };
}

/** Throws invalid_request `out_of_range` for days that are no firsts of months, and for live months to come. */
async function monthRange(db: Db, environment_id: number, query: DaysQuery): Promise<AccountRange> {
  const range = await accountRange(db, environment_id, query, 'month');
  for (const bound of ['from', 'to'] as const)
    if (!isFirstOfMonth(range[bound]))
      throw invalid(bound, 'out_of_range', `${bound} must be the first day of a month`);
  refuseMonthsToCome(range, 'to');
  return range;
}

function refuseMonthsToCome(
  { livemode, latest_now, timezone, ends_at }: AccountRange,
  param: 'to' | 'month',
): void {
  const last = firstOfNextMonth(dayOf(latest_now, timezone));
  if (!livemode || ends_at <= startOfDay(last, timezone)) return;
  const limit = param === 'to' ? `must not be after ${last}` : `must be before ${last.slice(0, 7)}`;
  throw invalid(param, 'out_of_range', `${param} ${limit}`);
}

/**
 * The ends of the months of a range, and before them those of all `earlier` months since the first subscription, which
 * say where the range begins, and whose first time it is.
 */
async function endsOf(
  db: Db,
  of: { environment_id: number; customer_id: string | null },
  { from, starts, ends_at, timezone, latest_now }: AccountRange,
): Promise<{ ends: string[]; earlier: number }> {
  const first = await firstBillingStart(db, of);
  // No customer has come further, so that nothing moves between here and the range.
  const until = earliest(from, firstOfNextMonth(dayOf(latest_now, timezone)));
  const months = first === null ? [] : monthsUpTo(dayOf(first, timezone), until);
  const ends = [...months.slice(1), ...(months.length === 0 ? [] : [until])].map((day) =>
    startOfDay(day, timezone),
  );
  return { ends: [...ends, ...starts.slice(1), ends_at], earlier: months.length };
}

/** Each month of a range with what its movements are. Those of earlier months are what the first one begins with. */
function monthsOf({ days, currency }: AccountRange, sums: readonly RecurringSum[]): RecurringRevenueMonth[] {
  const amount = (value: Decimal) => toAmount(value, currency);
  const addedOf = (found: readonly RecurringSum[]) => sum(found.map((of_type) => decimal(of_type.amount)));
  const gainedOf = (found: readonly RecurringSum[]) =>
    found.reduce((total, { type, customers }) => total + (GAINED[type] ?? 0) * customers, 0);
  const earlier = sums.filter(({ at_end }) => at_end < 0);
  let [recurring, customers] = [addedOf(earlier), gainedOf(earlier)];
  return days.map((day, place) => {
    const moved = sums.filter(({ at_end }) => at_end === place);
    const before = amount(recurring);
    recurring = recurring.plus(addedOf(moved));
    customers += gainedOf(moved);
    const ofType = (name: RecurringSum['type']) => amount(addedOf(moved.filter(({ type }) => type === name)));
    return {
      month: day.slice(0, 7),
      before,
      new: ofType('new'),
      expansion: ofType('expansion'),
      contraction: ofType('contraction'),
      churn: ofType('churn'),
      reactivation: ofType('reactivation'),
      recurring: amount(recurring),
      customers,
    };
  });
}

/** Movements that change how many customers have recurring revenue. */
const GAINED: { readonly [type in RecurringSum['type']]?: number } = { new: 1, reactivation: 1, churn: -1 };

const csv = csvRoute({
  path: '/v1/recurring-revenue.csv',
  operation_id: 'exportRecurringRevenue',
  tag: 'Invoices',
  summary: 'Recurring revenue of each month as a CSV file',
  description: `${RULE} ${MONTHS}`,
  query: Query,
  row: RecurringRevenueLine,
  pages: async function* ({ deps, caller: { environment_id }, query }) {
    const { currency, data } = await readReport(deps, (db) => recurringRevenue(db, environment_id, query));
    yield data.map((month) => ({ currency, ...month }));
  },
});

const movements = route({
  method: 'get',
  path: '/v1/recurring-revenue/movements',
  operation_id: 'listRecurringRevenueMovements',
  tag: 'Invoices',
  summary: 'Customers whose recurring revenue moved in a month, the greatest movement first',
  description:
    'A movement is from the end of the month before to the end of the month; what happens in between is none.',
  query: exactly({
    month: { ...Month, description: 'A month by the time zone of the account.' },
    type: Type.Optional(oneOf(RECURRING_MOVEMENTS)),
    currency: ACCOUNT_DAYS.currency,
    ...PAGE,
  }),
  examples: examples.movements,
  responses: { 200: listOf(RecurringRevenueMovement) },
  transaction: false,
  may_take_long: true,
  handle: (request) => {
    const { deps, caller, query } = request;
    const { month, type, currency } = query;
    return listResponse(request, {
      name: 'recurring_revenue_movements',
      filters: { month, type, currency },
      fetch: (page) =>
        readReport(deps, (db) => movementsOf(db, caller.environment_id, { ...query, ...page })),
      show: ({ id: _, ...movement }) => movement,
    });
  },
});

type Page = {
  month: string;
  type?: RecurringMovementType;
  currency?: string;
  before: string | null;
  limit: number;
};

async function movementsOf(
  db: Db,
  environment_id: number,
  { month, type, currency, before, limit }: Page,
): Promise<MovementRow[]> {
  const from = `${month}-01`;
  const range = await accountRange(
    db,
    environment_id,
    { from, to: firstOfNextMonth(from), currency },
    'month',
  );
  refuseMonthsToCome(range, 'month');
  const of = { environment_id, customer_id: null };
  const { ends } = await endsOf(db, of, range);
  const asked = { ...of, ends, currency: range.currency, type: type ?? null, before, limit };
  const rows = await inReportTime(db, null, (limited) => listMovements(limited, asked));
  const amount = (text: string) => toAmount(decimal(text), range.currency);
  return rows.map((row) => ({ ...row, before: amount(row.before), after: amount(row.after) }));
}

export const recurringRevenueRoutes = [read, csv, movements];
