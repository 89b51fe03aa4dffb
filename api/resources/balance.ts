import { Type } from 'typebox';
import { adjustBalance, payFromBalance } from '../../src/billing/owed/balance.ts';
import { findBalanceEntry, listBalanceEntries } from '../../src/db/invoicing/balance.ts';
import { findCustomer } from '../../src/db/customers/customers.ts';
import type { Db } from '../../src/db/connection/pool.ts';
import { BalanceEntryObject } from '../../src/objects/balance-entry.ts';
import { InvoiceObject } from '../../src/objects/invoice.ts';
import { exactly } from '../../src/objects/parts.ts';
import { pagesById } from '../csv/csv-pages.ts';
import { csvRoute } from '../csv/csv-route.ts';
import { notFoundError } from '../http/errors.ts';
import * as examples from '../reference/examples/balance.ts';
import { foundOr404 } from '../routing/found.ts';
import { listResponse } from '../routing/list.ts';
import { route } from '../routing/route.ts';
import { Amount, listOf, Name, PAGE, SignedAmount } from '../schema/schemas.ts';

const adjust = route({
  method: 'post',
  path: '/v1/customers/{id}/balance-adjustments',
  operation_id: 'createBalanceAdjustment',
  tag: 'Balance',
  summary: "Add to a customer's balance, or take from it by a negative amount",
  description: 'A payout to the customer is a negative adjustment. The balance is never below 0.',
  body: exactly({ amount: SignedAmount, reason: Name }),
  examples: examples.adjust,
  responses: { 201: BalanceEntryObject },
  handle: async ({ db, caller, params, body }) => {
    const { environment_id, actor_id: by } = caller;
    const entry = await adjustBalance(db, environment_id, { customer_id: params['id']!, ...body, by });
    if (entry === null) throw notFoundError();
    return { status: 201, body: entry, headers: { Location: `/v1/balance-entries/${entry.id}` } };
  },
});

const list = route({
  method: 'get',
  path: '/v1/customers/{id}/balance-entries',
  operation_id: 'listBalanceEntries',
  tag: 'Balance',
  summary: "The movements of a customer's balance, newest first",
  query: exactly(PAGE),
  examples: examples.list,
  responses: { 200: listOf(BalanceEntryObject) },
  handle: async (request) => {
    const { db, caller, params } = request;
    const { environment_id } = caller;
    const customer = await findCustomer(db, environment_id, params['id']!);
    if (customer === null) throw notFoundError();
    const filters = { customer_id: customer.id };
    return listResponse(request, {
      name: 'balance-entries',
      filters,
      fetch: (page) => listBalanceEntries(db, environment_id, { ...filters, ...page }),
      show: (entry) => entry,
    });
  },
});

const csv = csvRoute({
  path: '/v1/customers/{id}/balance-entries.csv',
  operation_id: 'exportBalanceEntries',
  tag: 'Balance',
  summary: "The movements of a customer's balance as a CSV file, newest first",
  query: exactly({}),
  row: BalanceEntryObject,
  pages: ({ db, caller, params }) => entriesOf(db, caller.environment_id, params['id']!),
});

async function* entriesOf(db: Db, environment_id: number, id: string) {
  const customer = await findCustomer(db, environment_id, id);
  if (customer === null) throw notFoundError();
  const filters = { customer_id: customer.id };
  yield* pagesById((page) => listBalanceEntries(db, environment_id, { ...filters, ...page }));
}

const read = route({
  method: 'get',
  path: '/v1/balance-entries/{id}',
  operation_id: 'getBalanceEntry',
  tag: 'Balance',
  summary: "Get a movement of a customer's balance",
  examples: examples.read,
  responses: { 200: BalanceEntryObject },
  handle: async ({ db, caller, params }) => {
    return foundOr404(await findBalanceEntry(db, caller.environment_id, params['id']!));
  },
});

const apply = route({
  method: 'post',
  path: '/v1/invoices/{id}/apply-balance',
  operation_id: 'applyBalance',
  tag: 'Balance',
  summary: "Cover an open invoice from the customer's balance",
  description:
    'A new invoice takes from the balance when it is issued. This is for invoices that were open before.',
  body: exactly({
    amount: Type.Optional({ ...Amount, description: 'The default is as much as is due and there.' }),
  }),
  body_may_be_absent: true,
  examples: examples.apply,
  responses: { 200: InvoiceObject },
  handle: async ({ db, caller, params, body }) => {
    const { environment_id, actor_id: by } = caller;
    return foundOr404(
      await payFromBalance(db, environment_id, params['id']!, {
        amount: body.amount ?? null,
        by,
      }),
    );
  },
});

export const balanceRoutes = [adjust, list, csv, read, apply];
