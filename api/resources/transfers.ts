import { Type } from 'typebox';
import { matchTransfers } from '../../src/billing/owed/match-transfers.ts';
import { reverseTransfer } from '../../src/billing/owed/reverse.ts';
import { recordTransfer } from '../../src/billing/owed/transfer.ts';
import { findTransfer, listTransfers } from '../../src/db/invoicing/transfers.ts';
import { exactly } from '../../src/objects/parts.ts';
import { TransferMatch, TransferObject } from '../../src/objects/transfer.ts';
import * as examples from '../reference/examples/transfers.ts';
import { foundOr404 } from '../routing/found.ts';
import { listResponse } from '../routing/list.ts';
import { route } from '../routing/route.ts';
import { Amount, Currency, decimalText, Identifier, Instant, listOf, Name, PAGE } from '../schema/schemas.ts';
import { RECORD } from './payments.ts';

/** Limit of the invoices of a transfer. */
const INVOICES_MAX = 100;
/** Limit of the rows of a request. */
const ROWS_MAX = 1000;

const create = route({
  method: 'post',
  path: '/v1/transfers',
  operation_id: 'createTransfer',
  tag: 'Transfers',
  summary: 'Record what a customer paid at once for several invoices',
  description:
    'All or nothing: a payment of each invoice, by default of all that is due, and one in advance of what is left. The payments have ' +
    "`transfer_id`. `paid_at` must be between 366 days before the issue of each invoice and the customer's current time, which is the default.",
  body: exactly({
    customer_id: Identifier,
    amount: Amount,
    invoices: Type.Array(exactly({ id: Identifier, amount: Type.Optional(Amount) }), {
      minItems: 1,
      maxItems: INVOICES_MAX,
    }),
    ...RECORD,
  }),
  examples: examples.create,
  refusals: ['not_found'],
  responses: { 201: TransferObject },
  handle: async ({ db, caller, body }) => {
    const { environment_id, actor_id: by } = caller;
    const { reference = null, paid_at = null, ...rest } = body;
    const transfer = await recordTransfer(db, environment_id, { ...rest, reference, paid_at, by });
    return { status: 201, body: transfer, headers: { Location: `/v1/transfers/${transfer.id}` } };
  },
});

const list = route({
  method: 'get',
  path: '/v1/transfers',
  operation_id: 'listTransfers',
  tag: 'Transfers',
  summary: 'Transfers, newest first',
  query: exactly({ customer_id: Type.Optional(Identifier), ...PAGE }),
  examples: examples.list,
  responses: { 200: listOf(TransferObject) },
  handle: (request) => {
    const { db, caller, query } = request;
    const filters = { customer_id: query.customer_id ?? null };
    return listResponse(request, {
      name: 'transfers',
      filters,
      fetch: (page) => listTransfers(db, caller.environment_id, { ...filters, ...page }),
      show: (transfer) => transfer,
    });
  },
});

const read = route({
  method: 'get',
  path: '/v1/transfers/{id}',
  operation_id: 'getTransfer',
  tag: 'Transfers',
  summary: 'Get a transfer',
  examples: examples.read,
  responses: { 200: TransferObject },
  handle: async ({ db, caller, params }) => {
    return foundOr404(await findTransfer(db, caller.environment_id, params['id']!));
  },
});

const reverse = route({
  method: 'post',
  path: '/v1/transfers/{id}/reverse',
  operation_id: 'reverseTransfer',
  tag: 'Transfers',
  summary: 'Reverse a transfer: all its payments that stand, or none',
  description:
    'What it paid is due again, and what it gave to the balance is taken back, as for the reversal of a payment: 409 with the reason ' +
    '`paid_out` where that is gone.',
  body: exactly({ reason: Name }),
  examples: examples.reverse,
  responses: { 200: TransferObject },
  handle: async ({ db, caller, params, body }) => {
    const { environment_id, actor_id: by } = caller;
    const reversal = { id: params['id']!, reason: body.reason, by };
    return foundOr404(await reverseTransfer(db, environment_id, reversal));
  },
});

const match = route({
  method: 'post',
  path: '/v1/transfers/match',
  operation_id: 'matchTransfers',
  tag: 'Transfers',
  summary: "Find the invoices that rows of a bank's file pay; nothing is stored",
  description:
    'A row is `ignored` unless it is above 0, `booked` if its reference, amount and day stand, and `matched` if its reference has the numbers ' +
    'of open invoices of one customer, all of which it pays. `partial`: one invoice, of which more is due. `ambiguous`: the numbers are of two ' +
    'customers, or of several invoices for which the amount is too little: `candidates` has them. Else `unmatched`: `candidates` has up to five ' +
    'open invoices of that amount, first those of customers with that name.',
  body: exactly({
    rows: Type.Array(
      exactly({
        paid_at: Instant,
        amount: decimalText({ whole_max: 25, scale_max: 4 }, 'With at most the decimals of the currency.'),
        currency: Currency,
        reference: Name,
        name: Type.Optional(Type.String({ ...Name, description: 'The name of the payer.' })),
      }),
      { minItems: 1, maxItems: ROWS_MAX },
    ),
  }),
  examples: examples.match,
  responses: { 200: TransferMatch },
  handle: async ({ db, caller, body }) => ({
    status: 200,
    body: { object: 'transfer_match', data: await matchTransfers(db, caller.environment_id, body.rows) },
  }),
});

export const transferRoutes = [create, list, read, reverse, match];
