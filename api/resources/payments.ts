import { Type, type Static } from 'typebox';
import { recordPayment, reversePayment } from '../../src/billing/pay.ts';
import { findInvoice } from '../../src/db/invoicing/invoices.ts';
import { findPayment, listPayments, type PaymentFilter } from '../../src/db/invoicing/payments.ts';
import { InvoiceObject } from '../../src/objects/invoice.ts';
import { exactly, oneOf } from '../../src/objects/parts.ts';
import { PaymentObject } from '../../src/objects/payment.ts';
import { pagesById } from '../csv/csv-pages.ts';
import { csvRoute } from '../csv/csv-route.ts';
import { notFoundError } from '../http/errors.ts';
import * as examples from '../reference/examples/payments.ts';
import { listResponse } from '../routing/list.ts';
import { route } from '../routing/route.ts';
import { checkOrder } from '../schema/range.ts';
import { Amount, Identifier, Instant, listOf, Name, PAGE } from '../schema/schemas.ts';

const PAID_AT =
  "`paid_at` must be between 366 days before the issue and the customer's current time. The default is the customer's current time.";

const pay = route({
  method: 'post',
  path: '/v1/invoices/{id}/pay',
  operation_id: 'payInvoice',
  tag: 'Invoices',
  summary: 'Record that all that is due on an open invoice is paid',
  description: PAID_AT,
  body: exactly({ reference: Type.Optional(Name), paid_at: Type.Optional(Instant) }),
  body_may_be_absent: true,
  examples: examples.pay,
  responses: { 200: InvoiceObject },
  handle: async ({ db, caller, params, body }) => {
    const { environment_id, key_id: by } = caller;
    const { paid_at = null, reference = null } = body;
    const invoice_id = params['id']!;
    const paid = await recordPayment(db, environment_id, invoice_id, {
      ...{ amount: null, excess: 'refused' },
      paid_at,
      reference,
      by,
    });
    if (paid === null) throw notFoundError();
    return { status: 200, body: (await findInvoice(db, environment_id, invoice_id))! };
  },
});

const create = route({
  method: 'post',
  path: '/v1/invoices/{id}/payments',
  operation_id: 'createPayment',
  tag: 'Invoices',
  summary: 'Record a payment of an open invoice, in full or in part',
  description: `The invoice is paid once nothing is due. ${PAID_AT}`,
  body: exactly({
    amount: Type.Optional(Amount),
    reference: Type.Optional(Name),
    paid_at: Type.Optional(Instant),
    excess: oneOf(['refused', 'balance'], {
      default: 'refused',
      description: "What becomes of an amount above what is due: 409, or added to the customer's balance.",
    }),
  }),
  body_may_be_absent: true,
  examples: examples.create,
  responses: { 201: PaymentObject },
  handle: async ({ db, caller, params, body }) => {
    const { environment_id, key_id: by } = caller;
    const { amount = null, paid_at = null, reference = null, excess } = body;
    const payment_request = { amount, paid_at, reference, excess, by };
    const id = await recordPayment(db, environment_id, params['id']!, payment_request);
    if (id === null) throw notFoundError();
    const payment = (await findPayment(db, environment_id, id))!;
    return { status: 201, body: payment, headers: { Location: `/v1/payments/${id}` } };
  },
});

const reverse = route({
  method: 'post',
  path: '/v1/invoices/{id}/payments/{payment_id}/reverse',
  operation_id: 'reversePayment',
  tag: 'Invoices',
  summary: 'Reverse a payment that was recorded by mistake: its amount is due again',
  body: exactly({ reason: Name }),
  examples: examples.reverse,
  responses: { 200: PaymentObject },
  handle: async ({ db, caller, params, body }) => {
    const { environment_id, key_id: by } = caller;
    const reversal = { invoice_id: params['id']!, id: params['payment_id']!, reason: body.reason, by };
    const payment = await reversePayment(db, environment_id, reversal);
    if (payment === null) throw notFoundError();
    return { status: 200, body: payment };
  },
});

const FILTERS = {
  customer_id: Type.Optional(Identifier),
  invoice_id: Type.Optional(Identifier),
  reference: Type.Optional(Identifier),
  from: Type.Optional(Instant),
  to: Type.Optional(Instant),
};
const AllFilters = exactly(FILTERS);
const RANGE = '`from` and `to` bound `paid_at`.';

/** Throws invalid_request for a range that runs backwards. */
function filterOf(query: Static<typeof AllFilters>): PaymentFilter {
  const { customer_id = null, invoice_id = null, reference = null, from = null, to = null } = query;
  checkOrder(query);
  return { customer_id, invoice_id, reference, from, to };
}

const list = route({
  method: 'get',
  path: '/v1/payments',
  operation_id: 'listPayments',
  tag: 'Invoices',
  summary: 'Payments, newest first',
  query: exactly({ ...FILTERS, ...PAGE }),
  description: RANGE,
  examples: examples.list,
  responses: { 200: listOf(PaymentObject) },
  handle: (request) => {
    const { db, caller, query } = request;
    const filters = filterOf(query);
    return listResponse(request, {
      name: 'payments',
      filters,
      fetch: (page) => listPayments(db, caller.environment_id, { ...filters, ...page }),
      show: (payment) => payment,
    });
  },
});

const csv = csvRoute({
  path: '/v1/payments.csv',
  operation_id: 'exportPayments',
  tag: 'Invoices',
  summary: 'Payments as a CSV file, newest first',
  description: RANGE,
  query: AllFilters,
  row: PaymentObject,
  pages: ({ db, caller, query }) => {
    const filters = filterOf(query);
    return pagesById((page) => listPayments(db, caller.environment_id, { ...filters, ...page }));
  },
});

const read = route({
  method: 'get',
  path: '/v1/payments/{id}',
  operation_id: 'getPayment',
  tag: 'Invoices',
  summary: 'Get a payment',
  examples: examples.read,
  responses: { 200: PaymentObject },
  handle: async ({ db, caller, params }) => {
    const payment = await findPayment(db, caller.environment_id, params['id']!);
    if (payment === null) throw notFoundError();
    return { status: 200, body: payment };
  },
});

export const paymentRoutes = [pay, create, reverse, list, csv, read];
