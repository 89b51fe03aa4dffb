import { Type } from 'typebox';
import { compareInvoice, compareUpcoming } from '../../src/billing/previews/comparison.ts';
import { InvoiceComparison } from '../../src/objects/invoice-comparison.ts';
import { exactly } from '../../src/objects/parts.ts';
import type { Caller } from '../http/deps.ts';
import * as examples from '../reference/examples/comparisons.ts';
import { foundOr404 } from '../routing/found.ts';
import { route } from '../routing/route.ts';
import { Identifier } from '../schema/schemas.ts';

const Query = exactly({
  with: Type.Optional({
    ...Identifier,
    description:
      'The id of an issued invoice of the same customer; by default the one before, of the same subscription and `kind`.',
  }),
});

const description =
  'A line is all that is billed for one event name, aggregation, filters, price and group, late usage too, whatever the plan. ' +
  'Its causes say how much of the difference comes from usage, price, credit, parts of periods and late usage.';

const ofInvoice = route({
  method: 'get',
  path: '/v1/invoices/{id}/comparison',
  operation_id: 'getInvoiceComparison',
  tag: 'Invoices',
  summary: 'Compare an invoice with an earlier one, line by line',
  description,
  query: Query,
  examples: examples.ofInvoice,
  refusals: ['conflict'],
  responses: { 200: InvoiceComparison },
  handle: async ({ db, caller, params, query }) => {
    const how = { with_id: query.with ?? null, shows_drafts: showsDrafts(caller) };
    return foundOr404(await compareInvoice(db, caller.environment_id, params['id']!, how));
  },
});

const ofUpcoming = route({
  method: 'get',
  path: '/v1/subscriptions/{id}/upcoming-invoice/comparison',
  operation_id: 'getUpcomingInvoiceComparison',
  tag: 'Subscriptions',
  summary: 'Compare the next invoice, as it would be now, with an earlier one',
  description,
  query: Query,
  examples: examples.ofUpcoming,
  refusals: ['conflict'],
  responses: { 200: InvoiceComparison },
  may_take_long: true,
  handle: async ({ deps, db, caller, params, query }) => {
    const { config: settings } = deps;
    const how = { with_id: query.with ?? null, shows_drafts: showsDrafts(caller), settings };
    return foundOr404(await compareUpcoming(db, caller.environment_id, params['id']!, how));
  },
});

function showsDrafts({ customer }: Caller): boolean {
  return customer === null;
}

export const invoiceComparisonRoutes = [ofInvoice, ofUpcoming];
