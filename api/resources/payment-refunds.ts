import { Type, type TSchema } from 'typebox';
import { refundPayment } from '../../src/collection/refund.ts';
import { listDisputes, listRefunds, readDisputes, readRefunds } from '../../src/db/collection/refund-list.ts';
import { DISPUTE_STATUSES, REFUND_STATUSES } from '../../src/domain/collection/refund.ts';
import { exactly, oneOf } from '../../src/objects/parts.ts';
import { PaymentDisputeObject } from '../../src/objects/payment-dispute.ts';
import { PaymentObject } from '../../src/objects/payment.ts';
import { PaymentRefundObject } from '../../src/objects/payment-refund.ts';
import * as examples from '../reference/examples/payment-refunds.ts';
import { foundOr404 } from '../routing/found.ts';
import { listResponse } from '../routing/list.ts';
import { route } from '../routing/route.ts';
import { Amount, Identifier, listOf, Name, PAGE } from '../schema/schemas.ts';

const TAG = { tag: 'Charges' } as const;
const REFUNDS = '/v1/payment-refunds';
const DISPUTES = '/v1/payment-disputes';

const refund = route({
  ...TAG,
  method: 'post',
  path: '/v1/payments/{id}/refund',
  operation_id: 'refundPayment',
  summary: 'Give money of a payment back that the payment provider made',
  description:
    'The default of `amount` is all that is left, `refundable`. The payment is reversed, and a new one is of the rest. Something that is ' +
    'due then is not charged by itself: the invoice is paused. A refund at the provider that is unknown here is recorded in place of a new one.',
  body: exactly({ amount: Type.Optional(Amount), reason: Name }),
  examples: examples.refund,
  responses: { 200: PaymentObject },
  // The refund is committed before the provider is asked.
  transaction: false,
  handle: async ({ deps, caller, params, body, act, idempotency_key: key }) => {
    const { environment_id, actor_id: by } = caller;
    const payment_id = params['id']!;
    const { amount = null, reason } = body;
    const request_key = key === null ? null : `${payment_id}/${key}`;
    const request = { payment_id, amount, reason, request_key };
    return foundOr404(await refundPayment(deps.collector, { environment_id, act, by }, request));
  },
});

const filtersWith = <Status extends TSchema>(status: Status) => ({
  payment_id: Type.Optional(Identifier),
  invoice_id: Type.Optional(Identifier),
  customer_id: Type.Optional(Identifier),
  status: Type.Optional(status),
  ...PAGE,
});

const listOfRefunds = route({
  ...TAG,
  method: 'get',
  path: REFUNDS,
  operation_id: 'listPaymentRefunds',
  summary: 'Refunds of charges, newest first',
  query: exactly(filtersWith(oneOf(REFUND_STATUSES))),
  examples: examples.list,
  responses: { 200: listOf(PaymentRefundObject) },
  handle: (request) => {
    const { db, caller, query } = request;
    const { payment_id = null, invoice_id = null, customer_id = null, status = null } = query;
    const filters = { payment_id, invoice_id, customer_id, status };
    return listResponse(request, {
      name: 'payment-refunds',
      filters,
      fetch: (page) => listRefunds(db, caller.environment_id, { ...filters, ...page }),
      show: (shown) => shown,
    });
  },
});

const read = route({
  ...TAG,
  method: 'get',
  path: `${REFUNDS}/{id}`,
  operation_id: 'getPaymentRefund',
  summary: 'Get a refund of a charge',
  examples: examples.read,
  responses: { 200: PaymentRefundObject },
  handle: async ({ db, caller, params }) => {
    const [found] = await readRefunds(db, caller.environment_id, [params['id']!]);
    return foundOr404(found ?? null);
  },
});

const listOfDisputes = route({
  ...TAG,
  method: 'get',
  path: DISPUTES,
  operation_id: 'listPaymentDisputes',
  summary: 'Disputes of charges, newest first',
  query: exactly(filtersWith(oneOf(DISPUTE_STATUSES))),
  examples: examples.listOfDisputes,
  responses: { 200: listOf(PaymentDisputeObject) },
  handle: (request) => {
    const { db, caller, query } = request;
    const { payment_id = null, invoice_id = null, customer_id = null, status = null } = query;
    const filters = { payment_id, invoice_id, customer_id, status };
    return listResponse(request, {
      name: 'payment-disputes',
      filters,
      fetch: (page) => listDisputes(db, caller.environment_id, { ...filters, ...page }),
      show: (shown) => shown,
    });
  },
});

const readDispute = route({
  ...TAG,
  method: 'get',
  path: `${DISPUTES}/{id}`,
  operation_id: 'getPaymentDispute',
  summary: 'Get a dispute of a charge',
  examples: examples.readDispute,
  responses: { 200: PaymentDisputeObject },
  handle: async ({ db, caller, params }) => {
    const [found] = await readDisputes(db, caller.environment_id, [params['id']!]);
    return foundOr404(found ?? null);
  },
});

export const paymentRefundRoutes = [refund, listOfRefunds, read, listOfDisputes, readDispute];
