import { Type, type Static } from 'typebox';
import type { Db } from '../../src/db/connection/pool.ts';
import { inReportTime } from '../../src/db/reports/report-time.ts';
import {
  listRevenueGroups,
  namesOfGroups,
  readRevenue,
  type RevenueQuery,
  type RevenueRow,
} from '../../src/db/reports/revenue.ts';
import { decimal, sum } from '../../src/domain/money/decimal.ts';
import { toAmount } from '../../src/domain/money/money.ts';
import { BUCKET_LENGTHS } from '../../src/domain/time/buckets.ts';
import { startOfDay } from '../../src/domain/time/local-time.ts';
import { exactly, oneOf } from '../../src/objects/parts.ts';
import { Revenue, REVENUE_GROUPS, RevenueLine, type RevenueBucket } from '../../src/objects/revenue.ts';
import { pagesAfter } from '../csv/csv-pages.ts';
import { csvRoute } from '../csv/csv-route.ts';
import * as examples from '../reference/examples/revenue.ts';
import { ACCOUNT_DAYS, accountRange, type AccountRange } from '../routing/account-days.ts';
import { readReport } from '../routing/report.ts';
import { route } from '../routing/route.ts';
import { Identifier } from '../schema/schemas.ts';

/** Groups that a page of a file has. */
const PAGE_ROWS = 1000;

const QUERY = {
  ...ACCOUNT_DAYS,
  by: Type.Optional(oneOf(BUCKET_LENGTHS, { default: 'month', description: 'Weeks begin on Monday.' })),
  group_by: Type.Optional(
    oneOf(REVENUE_GROUPS, { description: 'A plan is that of the invoice, by its key.' }),
  ),
  customer_id: Type.Optional(Identifier),
};

const FileQuery = exactly(QUERY);

const description =
  'Everything is in the part of the range in which it was booked (`/v1/journal/summary`), by the day in the time zone of the account: an ' +
  'invoice at its issue, a void invoice below 0 when it was voided. At most 400 parts.';

const read = route({
  method: 'get',
  path: '/v1/revenue',
  operation_id: 'getRevenue',
  tag: 'Invoices',
  summary: 'Add up revenue by month, week or day, and by customer or plan',
  description,
  query: exactly({
    ...QUERY,
    limit: Type.Integer({
      minimum: 1,
      maximum: 100,
      default: 20,
      description: 'Number of groups; all others are one whose id is null.',
    }),
  }),
  examples: examples.revenue,
  responses: { 200: Revenue },
  transaction: false,
  may_take_long: true,
  handle: async ({ deps, caller: { environment_id }, query }) => {
    const body = await readReport(deps, (db) => revenueOf(db, environment_id, query));
    return { status: 200, body };
  },
});

type Query = Static<typeof FileQuery>;

async function revenueOf(
  db: Db,
  environment_id: number,
  { limit, ...query }: Query & { limit: number },
): Promise<Revenue> {
  const { by = 'month', group_by = null } = query;
  const range = await accountRange(db, environment_id, query, by);
  const { currency, timezone, ends_at } = range;
  const groups = group_by === null ? 0 : limit;
  const asked = { ...queryOf(environment_id, query, range), currency, groups };
  const rows = await inReportTime(db, null, (limited) => readRevenue(limited, asked));
  const found = rows.filter((row) => row.currency === currency);
  return {
    object: 'revenue',
    currency,
    currencies: [...new Set(rows.map((row) => row.currency))].sort(),
    timezone,
    from: startOfDay(range.from, timezone),
    to: ends_at,
    by,
    group_by,
    data:
      group_by === null ? ungrouped(range, found) : await grouped(db, { ...asked, group_by }, range, found),
  };
}

function queryOf(environment_id: number, query: Query, { starts, ends_at }: AccountRange): RevenueQuery {
  const { customer_id = null, group_by = null } = query;
  return { environment_id, customer_id, group_by, starts, to: ends_at };
}

/** Every part of the range, also those in which nothing was booked. */
function ungrouped(range: AccountRange, rows: readonly RevenueRow[]): RevenueBucket[] {
  const found = new Map(rows.map((row) => [row.bucket, row]));
  return range.starts.map((_, bucket) => bucketOf(range, found.get(bucket) ?? { ...NOTHING, bucket }, null));
}

const NOTHING = {
  fees: '0',
  usage: '0',
  late_usage: '0',
  items: '0',
  discounts: '0',
  minimums: '0',
  voided: '0',
  credited: '0',
  tax: '0',
  invoices: 0,
  credit_notes: 0,
};

/** The group of all that have no row of their own. */
const OTHERS = { id: null, name: null };

async function grouped(
  db: Db,
  { environment_id, group_by }: { environment_id: number; group_by: (typeof REVENUE_GROUPS)[number] },
  range: AccountRange,
  rows: readonly RevenueRow[],
): Promise<RevenueBucket[]> {
  const ids = [...new Set(rows.flatMap(({ group_id }) => group_id ?? []))];
  const names = await namesOfGroups(db, environment_id, group_by, ids);
  return rows.map((row) => {
    const group = row.group_id === null ? OTHERS : names.get(row.group_id)!;
    return bucketOf(range, row, group);
  });
}

function bucketOf(
  { starts, ends_at, currency }: AccountRange,
  { bucket, invoices, credit_notes, ...row }: typeof NOTHING & { bucket: number },
  group: RevenueBucket['group'],
): RevenueBucket {
  const amount = (text: string) => toAmount(decimal(text), currency);
  const { fees, usage, late_usage, items, discounts, minimums, voided, credited, tax } = row;
  const total = sum([fees, usage, late_usage, items, discounts, minimums, voided, credited].map(decimal));
  return {
    from: starts[bucket]!,
    to: starts[bucket + 1] ?? ends_at,
    group,
    fees: amount(fees),
    usage: amount(usage),
    late_usage: amount(late_usage),
    items: amount(items),
    discounts: amount(discounts),
    minimums: amount(minimums),
    voided: amount(voided),
    credited: amount(credited),
    total: toAmount(total, currency),
    tax: amount(tax),
    invoices,
    credit_notes,
  };
}

const csv = csvRoute({
  path: '/v1/revenue.csv',
  operation_id: 'exportRevenue',
  tag: 'Invoices',
  summary: 'Revenue by month, week or day as a CSV file',
  description: `${description} With \`group_by\`, all groups of a part are in the order of their ids.`,
  query: FileQuery,
  row: RevenueLine,
  pages: async function* ({ db, caller: { environment_id }, query }) {
    const { by = 'month', group_by = null } = query;
    const range = await accountRange(db, environment_id, query, by);
    const { currency } = range;
    const lines = (buckets: readonly RevenueBucket[]) => buckets.map((bucket) => ({ currency, ...bucket }));
    const asked = { ...queryOf(environment_id, query, range), currency };
    if (group_by === null) {
      const rows = await readRevenue(db, { ...asked, groups: 0 });
      yield lines(
        ungrouped(
          range,
          rows.filter((row) => row.currency === currency),
        ),
      );
      return;
    }
    for (const [bucket, start] of range.starts.entries()) {
      const of_bucket = { ...asked, starts: [start], to: range.starts[bucket + 1] ?? range.ends_at };
      const pages = pagesAfter<RevenueRow>(PAGE_ROWS, (last) =>
        listRevenueGroups(db, { ...of_bucket, group_by, after: last?.group_id ?? null, limit: PAGE_ROWS }),
      );
      for await (const rows of pages) {
        const in_bucket = rows.map((row) => ({ ...row, bucket }));
        yield lines(await grouped(db, { environment_id, group_by }, range, in_bucket));
      }
    }
  },
});

export const revenueRoutes = [read, csv];
