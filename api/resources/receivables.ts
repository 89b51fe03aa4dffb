import { Type, type Static } from 'typebox';
import {
  findReceivables,
  type AskedReceivables,
  type FoundReceivables,
} from '../../src/billing/owed/receivables.ts';
import { findCustomerKey } from '../../src/db/customers/customers.ts';
import type { Db } from '../../src/db/connection/pool.ts';
import type { PlacedDebtor } from '../../src/db/invoicing/receivables.ts';
import { exactly } from '../../src/objects/parts.ts';
import { Debtor, Receivables } from '../../src/objects/receivables.ts';
import { flattened, pagesAfter } from '../csv/csv-pages.ts';
import { csvRoute } from '../csv/csv-route.ts';
import * as examples from '../reference/examples/receivables.ts';
import { listResponse } from '../routing/list.ts';
import { route } from '../routing/route.ts';
import { AccountDay, Currency, Identifier, PAGE } from '../schema/schemas.ts';

/** Rows of a file that are read at once: each page adds up everything again. */
const FILE_ROWS = 5000;

const FILTERS = {
  as_of: Type.Optional({
    ...AccountDay,
    description:
      'A day in the time zone of the account, not one to come; in test data any. Without it everything that is booked counts, at the today of ' +
      'each customer.',
  }),
  currency: Type.Optional(Currency),
  customer_id: Type.Optional(Identifier),
};
const AllFilters = exactly(FILTERS);
type Filters = Static<typeof AllFilters>;

const REPLAYED =
  'What was booked up to the end of the day: a payment counts from the day on which it was recorded, whatever its `paid_at`. The sums are the ' +
  'account `receivable` of the journal; balances are not taken off.';

const list = route({
  method: 'get',
  path: '/v1/receivables',
  operation_id: 'getReceivables',
  tag: 'Invoices',
  summary: 'Debtors, and sums by the days since they were due, now or on a day',
  description: REPLAYED,
  query: exactly({ ...FILTERS, ...PAGE }),
  examples: examples.receivables,
  responses: { 200: Receivables },
  may_take_long: true,
  handle: async (request) => {
    const { db, caller, query } = request;
    const { as_of = null, currency = null, customer_id = null } = query;
    const asked = await askedOf(db, caller.environment_id, query);
    let found: Omit<FoundReceivables, 'debtors'> = { timezone: '', sums: [] };
    const { status, body } = await listResponse(request, {
      name: 'receivables',
      filters: { as_of, currency, customer_id },
      fetch: async ({ before, limit }) => {
        const { debtors, ...rest } = await findReceivables(db, caller.environment_id, {
          ...asked,
          after: before,
          limit,
        });
        found = rest;
        return debtors;
      },
      show: ({ debtor }) => debtor,
    });
    return { status, body: { ...body, object: 'receivables', as_of, ...found } };
  },
});

const csv = csvRoute({
  path: '/v1/receivables.csv',
  operation_id: 'exportReceivables',
  tag: 'Invoices',
  summary: 'Debtors as a CSV file, the most overdue first',
  description: REPLAYED,
  query: AllFilters,
  row: Debtor,
  pages: async function* ({ db, caller: { environment_id }, query }) {
    const asked = await askedOf(db, environment_id, query);
    const pages = pagesAfter<PlacedDebtor>(FILE_ROWS, async (last) => {
      const place = { after: last?.id ?? null, limit: FILE_ROWS };
      return (await findReceivables(db, environment_id, { ...asked, ...place })).debtors;
    });
    yield* flattened(pages, ({ debtor }) => [debtor]);
  },
});

/** A customer that does not exist owes nothing. */
async function askedOf(
  db: Db,
  environment_id: number,
  filters: Filters,
): Promise<Omit<AskedReceivables, 'after' | 'limit'>> {
  const { as_of = null, currency = null, customer_id } = filters;
  if (customer_id === undefined) return { as_of, currency, customer_ids: null };
  const key = await findCustomerKey(db, environment_id, customer_id);
  return { as_of, currency, customer_ids: key === null ? [] : [key.id] };
}

export const receivableRoutes = [list, csv];
