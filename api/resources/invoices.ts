import { Type, type Static } from 'typebox';
import { finalizeInvoice } from '../../src/billing/close/draft.ts';
import { sumInvoices } from '../../src/db/invoicing/invoice-sums.ts';
import { boundsOfInvoices, type InvoiceFilter } from '../../src/db/invoicing/invoice-filter.ts';
import { findInvoice, listInvoices } from '../../src/db/invoicing/invoices.ts';
import { COLLECTION_STATUSES } from '../../src/domain/collection/schedule.ts';
import type { Caller } from '../http/deps.ts';
import { notFoundError } from '../http/errors.ts';
import * as examples from '../reference/examples/invoices.ts';
import { changedInvoice } from './changed-invoice.ts';
import { INVOICE_STATUSES } from '../../src/domain/lines/invoice-state.ts';
import { InvoiceObject, InvoiceSummary } from '../../src/objects/invoice.ts';
import { eInvoiceOf, fileNameOf, printedInvoice } from '../../src/documents/invoice-papers.ts';
import { pdfInThread } from '../../src/documents/pdf/pdf-thread.ts';
import { foundOr404 } from '../routing/found.ts';
import { listResponse } from '../routing/list.ts';
import { checkAlone, checkOrder } from '../schema/range.ts';
import { route } from '../routing/route.ts';
import { Bytes, Currency, Identifier, Instant, listOf, Month, PAGE } from '../schema/schemas.ts';
import { exactly, oneOf } from '../../src/objects/parts.ts';

const FILTERS = {
  customer_id: Type.Optional(Identifier),
  subscription_id: Type.Optional(Identifier),
  number: Type.Optional(Identifier),
  status: Type.Optional(oneOf(INVOICE_STATUSES)),
  overdue: Type.Optional(
    oneOf(['true', 'false'], { description: '`true`: only open invoices whose due date is over.' }),
  ),
  sent: Type.Optional(
    oneOf(['true', 'false'], {
      description: '`false`: only issued invoices that no mail server has taken yet.',
    }),
  ),
  collection: Type.Optional(
    oneOf(COLLECTION_STATUSES, { description: 'Only invoices whose `collection` has this status.' }),
  ),
  currency: Type.Optional(Currency),
  from: Type.Optional(Instant),
  to: Type.Optional(Instant),
  issued_from: Type.Optional(Instant),
  issued_to: Type.Optional(Instant),
  period_month: Type.Optional(
    Type.String({
      ...Month,
      description:
        'Instead of `from` and `to`: the month of the last day of the period, as the invoice prints it.',
    }),
  ),
  issued_month: Type.Optional(
    Type.String({
      ...Month,
      description:
        'Instead of `issued_from` and `issued_to`: the month of the day of issue, as the invoice prints it.',
    }),
  ),
};
export const AllFilters = exactly(FILTERS);
export type Filters = Static<typeof AllFilters>;

const list = route({
  method: 'get',
  path: '/v1/invoices',
  operation_id: 'listInvoices',
  tag: 'Invoices',
  summary: 'Invoices, newest first',
  description:
    '`from` and `to` filter by the end of the period, `issued_from` and `issued_to` by the time of issue, which drafts do not have. ' +
    '`from` values are inclusive, `to` values are exclusive. A month goes by the days that each invoice prints, in its own time zone: ' +
    'an invoice of October in Los Angeles is in `2026-10`, whatever the month in UTC.',
  query: exactly({ ...FILTERS, ...PAGE }),
  examples: examples.list,
  responses: { 200: listOf(InvoiceObject) },
  handle: (request) => {
    const { db, caller, query } = request;
    const filters = filterFor(caller, query);
    return listResponse(request, {
      name: 'invoices',
      filters,
      fetch: async (page) => {
        const bounds = await boundsOfInvoices(db, caller.environment_id, filters);
        return listInvoices(db, caller.environment_id, { ...bounds, ...page });
      },
      show: (invoice) => invoice,
    });
  },
});

const summary = route({
  method: 'get',
  path: '/v1/invoices/summary',
  operation_id: 'getInvoiceSummary',
  tag: 'Invoices',
  summary: 'Count and add up invoices by status and currency',
  description: 'Takes the filters of the list.',
  query: AllFilters,
  examples: examples.summary,
  responses: { 200: InvoiceSummary },
  handle: async ({ db, caller, query }) => {
    const bounds = await boundsOfInvoices(db, caller.environment_id, filterFor(caller, query));
    const data = await sumInvoices(db, caller.environment_id, bounds);
    return { status: 200, body: { object: 'invoice_summary', data } };
  },
});

/** A filter as filterOf makes it; of a payer, who sees no drafts. What is absent is not in the seal of cursors. */
function filterFor({ customer }: Caller, query: Filters): InvoiceFilter {
  return customer === null ? filterOf(query) : { ...filterOf(query), is_issued: true };
}

/** Throws invalid_request for a range that runs backwards, and for a month beside a range of its kind. */
export function filterOf(query: Filters): InvoiceFilter {
  const { customer_id = null, subscription_id = null, status = null, from = null, to = null } = query;
  const { issued_from, issued_to, period_month, issued_month, number, currency, overdue, sent, collection } =
    query;
  checkOrder(query);
  checkOrder({ from: issued_from, to: issued_to }, 'issued_');
  checkAlone(query, 'period_month', ['from', 'to']);
  checkAlone(query, 'issued_month', ['issued_from', 'issued_to']);
  const filters = { customer_id, subscription_id, status, from, to };
  // Cursors that were given out before these filters hold none: what is absent is not in the seal.
  const more = { issued_from, issued_to, period_month, issued_month, number, currency };
  return {
    ...filters,
    ...more,
    ...(overdue !== undefined && { overdue: overdue === 'true' }),
    ...(sent !== undefined && { sent: sent === 'true' }),
    ...(collection !== undefined && { collection }),
  };
}

const read = route({
  method: 'get',
  path: '/v1/invoices/{id}',
  operation_id: 'getInvoice',
  tag: 'Invoices',
  summary: 'Get an invoice with its line items, amounts, tax and payment status',
  examples: examples.read,
  responses: { 200: InvoiceObject },
  handle: async ({ db, caller, params }) => {
    return foundOr404(await findInvoice(db, caller.environment_id, params['id']!));
  },
});

const pdf = route({
  method: 'get',
  path: '/v1/invoices/{id}.pdf',
  operation_id: 'getInvoicePdf',
  tag: 'Invoices',
  summary: 'Get an invoice as a PDF document',
  media_type: 'application/pdf',
  responses: { 200: Bytes },
  handle: async ({ db, caller, params }) => {
    const { environment_id } = caller;
    const invoice = await findInvoice(db, environment_id, params['id']!);
    if (invoice === null) throw notFoundError();
    const printed = await printedInvoice(db, environment_id, invoice);
    return {
      status: 200,
      body: await pdfInThread(printed),
      headers: { 'Content-Disposition': `inline; filename="${fileNameOf(invoice)}.pdf"` },
    };
  },
});

const xml = route({
  method: 'get',
  path: '/v1/invoices/{id}.xml',
  operation_id: 'getInvoiceXml',
  tag: 'Invoices',
  summary: 'Get an issued invoice as an e-invoice: UBL 2.1 in the profile EN 16931',
  description:
    'The status is 409 for a draft, for a void invoice, and if seller, customer or currency lack what the profile requires: `details` ' +
    'then names each field, such as `seller.tax_ids`.',
  media_type: 'application/xml',
  responses: { 200: Bytes },
  refusals: ['conflict'],
  handle: async ({ db, caller, params }) => {
    const { environment_id } = caller;
    const invoice = await findInvoice(db, environment_id, params['id']!);
    if (invoice === null) throw notFoundError();
    return {
      status: 200,
      body: await eInvoiceOf(db, environment_id, invoice),
      headers: { 'Content-Disposition': `attachment; filename="${fileNameOf(invoice)}.xml"` },
    };
  },
});

const finalize = route({
  method: 'post',
  path: '/v1/invoices/{id}/finalize',
  operation_id: 'finalizeInvoice',
  tag: 'Invoices',
  summary: 'End the hold of a draft and issue the invoice now',
  body: exactly({}),
  body_may_be_absent: true,
  examples: examples.finalize,
  responses: { 200: InvoiceObject },
  handle: async ({ deps, db, caller, params }) => {
    const { environment_id } = caller;
    const invoice = await finalizeInvoice(db, environment_id, params['id']!, deps.config);
    return changedInvoice(deps, environment_id, invoice);
  },
});

export const invoiceRoutes = [list, summary, read, pdf, xml, finalize];
