import { Type, type Static } from 'typebox';
import { recordDeposit } from '../../src/billing/owed/deposit.ts';
import { recordPayment } from '../../src/billing/owed/pay.ts';
import { reversePayment } from '../../src/billing/owed/reverse.ts';
import { findInvoice } from '../../src/db/invoicing/invoices.ts';
import { findPayment, listNamedPayments, listPayments } from '../../src/db/invoicing/payments.ts';
import { invalid } from '../../src/domain/money/errors.ts';
import { pdfInThread } from '../../src/documents/pdf/pdf-thread.ts';
import { printedReceipt, receiptNameOf } from '../../src/documents/receipt-papers.ts';
import type { Payment } from '../../src/objects/payment.ts';
import type { Db } from '../../src/db/connection/pool.ts';
import { InvoiceObject } from '../../src/objects/invoice.ts';
import { exactly, oneOf } from '../../src/objects/parts.ts';
import { PaymentObject } from '../../src/objects/payment.ts';
import { BOOKED, BOOKED_DAY, dayOfAccount } from '../csv/booked.ts';
import { flattened, pagesById } from '../csv/csv-pages.ts';
import { csvRoute } from '../csv/csv-route.ts';
import { notFoundError } from '../http/errors.ts';
import * as examples from '../reference/examples/payments.ts';
import { foundOr404 } from '../routing/found.ts';
import { boundsOf, checkMonth } from '../routing/account-month.ts';
import { listResponse } from '../routing/list.ts';
import { route, type RouteResponse } from '../routing/route.ts';
import { AccountMonth, Amount, Bytes, Identifier, Instant, listOf, Name, PAGE } from '../schema/schemas.ts';

const PAID_AT =
  "`paid_at` must be between 366 days before the issue and the customer's current time. The default is the customer's current time.";

/** Members of a request about money that came in, beside its amount. */
export const RECORD = {
  reference: Type.Optional(Name),
  paid_at: Type.Optional(Instant),
  allow_duplicate: Type.Boolean({
    default: false,
    description:
      'Whether to record it although one with the same `reference`, amount and day (UTC) of `paid_at` stands; else 409 ' +
      '`duplicate_payment`, which names that one.',
  }),
};

const pay = route({
  method: 'post',
  path: '/v1/invoices/{id}/pay',
  operation_id: 'payInvoice',
  tag: 'Invoices',
  summary: 'Record that all that is due on an open invoice is paid',
  description: PAID_AT,
  body: exactly(RECORD),
  body_may_be_absent: true,
  examples: examples.pay,
  responses: { 200: InvoiceObject },
  handle: async ({ db, caller, params, body }) => {
    const { environment_id, actor_id: by } = caller;
    const { paid_at = null, reference = null, allow_duplicate } = body;
    const invoice_id = params['id']!;
    const paid = await recordPayment(db, environment_id, invoice_id, {
      amount: null,
      excess: 'refused',
      paid_at,
      reference,
      allow_duplicate,
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
  summary: 'Record a payment of an invoice, in full or in part',
  description:
    'The invoice is paid once nothing is due. A payment of an invoice that is paid needs an `amount` and `excess: "balance"`, and all of it ' +
    `goes to the balance. ${PAID_AT}`,
  body: exactly({
    amount: Type.Optional(Amount),
    ...RECORD,
    excess: oneOf(['refused', 'balance'], {
      default: 'refused',
      description: "What becomes of an amount above what is due: 409, or added to the customer's balance.",
    }),
  }),
  body_may_be_absent: true,
  examples: examples.create,
  responses: { 201: PaymentObject },
  handle: async ({ db, caller, params, body }) => {
    const { environment_id, actor_id: by } = caller;
    const { amount = null, paid_at = null, reference = null, ...rest } = body;
    const payment_request = { amount, paid_at, reference, ...rest, by };
    return created(
      db,
      environment_id,
      await recordPayment(db, environment_id, params['id']!, payment_request),
    );
  },
});

/** The response with a new payment. Throws not_found for null. */
async function created(
  db: Db,
  environment_id: number,
  id: string | null,
): Promise<RouteResponse<201, Payment>> {
  if (id === null) throw notFoundError();
  const payment = (await findPayment(db, environment_id, id))!;
  return { status: 201, body: payment, headers: { Location: `/v1/payments/${id}` } };
}

const REVERSAL =
  'For a payment that the bank took back, or that was recorded by mistake. What it gave to the balance is taken back from there. What the ' +
  'balance lacks is due again on the invoices that it covers, the one that it covered last first; 409 with the reason `paid_out` if they have ' +
  'too little, too.';

const reverse = route({
  method: 'post',
  path: '/v1/invoices/{id}/payments/{payment_id}/reverse',
  operation_id: 'reversePayment',
  tag: 'Invoices',
  summary: 'Reverse a payment of an invoice: its amount is due again',
  description: REVERSAL,
  body: exactly({ reason: Name }),
  examples: examples.reverse,
  responses: { 200: PaymentObject },
  handle: async ({ db, caller, params, body }) => {
    const { environment_id, actor_id: by } = caller;
    const reversal = { invoice_id: params['id']!, id: params['payment_id']!, reason: body.reason, by };
    return foundOr404(await reversePayment(db, environment_id, reversal));
  },
});

const FILTERS = {
  customer_id: Type.Optional(Identifier),
  invoice_id: Type.Optional(Identifier),
  reference: Type.Optional(Identifier),
  from: Type.Optional(Instant),
  to: Type.Optional(Instant),
  month: Type.Optional(AccountMonth),
};
const AllFilters = exactly(FILTERS);
const RANGE = '`from` and `to`, or `month`, bound `paid_at`.';

/** Throws invalid_request for a range that runs backwards, and for a month beside it. */
function filterOf(query: Static<typeof AllFilters>) {
  const { customer_id = null, invoice_id = null, reference = null, from = null, to = null } = query;
  checkMonth(query);
  return { customer_id, invoice_id, reference, from, to, month: query.month };
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
    // The filter would say of a text whether it is the one that payers do not read.
    if (caller.customer !== null && query.reference !== undefined)
      throw invalid('reference', 'not_allowed', 'reference is not for portal links, which do not read it');
    const filters = filterOf(query);
    return listResponse(request, {
      name: 'payments',
      filters,
      fetch: async (page) => {
        const bounds = await boundsOf(db, caller.environment_id, filters);
        return listPayments(db, caller.environment_id, { ...filters, ...bounds, ...page });
      },
      show: (payment) => payment,
    });
  },
});

const csv = csvRoute({
  path: '/v1/payments.csv',
  operation_id: 'exportPayments',
  tag: 'Invoices',
  summary: 'Payments as a CSV file, newest first',
  description: `${RANGE} ${BOOKED_DAY}`,
  query: AllFilters,
  row: exactly({ ...BOOKED, ...PaymentObject.properties }),
  pages: async function* ({ db, caller: { environment_id }, query }) {
    const filters = filterOf(query);
    const bounds = { ...filters, ...(await boundsOf(db, environment_id, filters)) };
    const dayOf = await dayOfAccount(db, environment_id);
    const pages = pagesById((page) => listNamedPayments(db, environment_id, { ...bounds, ...page }));
    yield* flattened(pages, (payment) => [{ day: dayOf(payment.created_at), ...payment }]);
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
    return foundOr404(await findPayment(db, caller.environment_id, params['id']!));
  },
});

const pdf = route({
  method: 'get',
  path: '/v1/payments/{id}.pdf',
  operation_id: 'getPaymentPdf',
  tag: 'Invoices',
  summary: 'Get the receipt of a payment as a PDF document',
  description: 'Of a reversed payment it says so in a band. It does not print `reference`.',
  media_type: 'application/pdf',
  responses: { 200: Bytes },
  handle: async ({ db, caller, params }) => {
    const id = params['id']!;
    const receipt = await printedReceipt(db, caller.environment_id, id);
    if (receipt === null) throw notFoundError();
    return {
      status: 200,
      body: await pdfInThread(receipt),
      headers: { 'Content-Disposition': `inline; filename="${receiptNameOf(id)}.pdf"` },
    };
  },
});

const deposit = route({
  method: 'post',
  path: '/v1/customers/{id}/payments',
  operation_id: 'createDeposit',
  tag: 'Balance',
  summary: 'Record a payment in advance: all of it goes to the balance of the customer',
  description:
    'It needs neither an invoice nor a subscription. The next invoice takes from the balance when it is issued. `paid_at` must be in the 366 ' +
    "days before the customer's current time, which is the default.",
  body: exactly({ amount: Amount, ...RECORD }),
  examples: examples.deposit,
  responses: { 201: PaymentObject },
  handle: async ({ db, caller, params, body }) => {
    const { environment_id, actor_id: by } = caller;
    const { paid_at = null, reference = null, ...rest } = body;
    const payment_request = { customer_id: params['id']!, paid_at, reference, ...rest, by };
    return created(db, environment_id, await recordDeposit(db, environment_id, payment_request));
  },
});

const reverseAny = route({
  method: 'post',
  path: '/v1/payments/{id}/reverse',
  operation_id: 'reversePaymentById',
  tag: 'Invoices',
  summary: 'Reverse a payment, of an invoice or in advance',
  description: REVERSAL,
  body: exactly({ reason: Name }),
  examples: examples.reverseAny,
  responses: { 200: PaymentObject },
  handle: async ({ db, caller, params, body }) => {
    const { environment_id, actor_id: by } = caller;
    const reversal = { invoice_id: null, id: params['id']!, reason: body.reason, by };
    return foundOr404(await reversePayment(db, environment_id, reversal));
  },
});

export const paymentRoutes = [pay, create, reverse, list, csv, read, pdf, deposit, reverseAny];
