import { Type } from 'typebox';
import { answered } from '../../src/collection/answered.ts';
import { chargeByHand } from '../../src/collection/charge.ts';
import { openerOf } from '../../src/collection/opened.ts';
import { findAttempt, listAttempts } from '../../src/db/collection/attempt-list.ts';
import { ATTEMPT_STATUSES } from '../../src/domain/collection/attempt.ts';
import { PaymentAttemptObject, type PaymentAttempt } from '../../src/objects/payment-attempt.ts';
import { exactly, oneOf } from '../../src/objects/parts.ts';
import type { Caller, Deps } from '../http/deps.ts';
import { notFoundError } from '../http/errors.ts';
import * as examples from '../reference/examples/payment-attempts.ts';
import { foundOr404 } from '../routing/found.ts';
import { listResponse } from '../routing/list.ts';
import { route } from '../routing/route.ts';
import { Identifier, listOf, PAGE } from '../schema/schemas.ts';
import { createPauses } from './pauses.ts';

const TAG = { tag: 'Charges' } as const;
const PATH = '/v1/payment-attempts';

/** How long a request takes at most while it waits for the end of its attempt. */
const WAIT_MAX_MS = 9000;

const charge = route({
  ...TAG,
  method: 'post',
  path: '/v1/invoices/{id}/charge',
  operation_id: 'chargeInvoice',
  summary: 'Charge what is due on an open invoice, at any hour',
  description:
    'The default of `payment_method_id` is the default method of the customer. A page on which the invoice is paid is closed first. The response waits up to nine seconds for the end of the ' +
    'attempt; one that is still `pending` or `processing` goes on by itself.',
  body: exactly({ payment_method_id: Type.Optional(Identifier) }),
  body_may_be_absent: true,
  examples: examples.charge,
  responses: { 201: PaymentAttemptObject },
  // The attempt is committed first, because its workflow must see it.
  transaction: false,
  handle: async ({ deps, caller, params, body, act, idempotency_key: key }) => {
    const { environment_id, actor_id: by } = caller;
    const invoice_id = params['id']!;
    const { payment_method_id = null } = body;
    const deadline_ms = performance.now() + WAIT_MAX_MS;
    const request_key = key === null ? null : `${invoice_id}/${key}`;
    const request = { invoice_id, payment_method_id, by, request_key };
    const { pool, collector } = deps;
    const id = await answered(() =>
      chargeByHand({ pool, providerOf: openerOf(collector), act }, environment_id, request),
    );
    if (id === null) throw notFoundError();
    void deps.wakeCollections([{ environment_id, invoice_id }]);
    return {
      status: 201,
      body: await onceEnded(deps, caller, { id, deadline_ms }),
      headers: { Location: `${PATH}/${id}` },
    };
  },
});

/** An attempt once it has ended, or as it is at a time by `performance.now()`. */
async function onceEnded(
  { pool }: Deps,
  { environment_id }: Caller,
  { id, deadline_ms }: { id: string; deadline_ms: number },
): Promise<PaymentAttempt> {
  const pause = createPauses();
  for (;;) {
    const attempt = (await findAttempt(pool, environment_id, id))!;
    if (attempt.status !== 'pending' || performance.now() > deadline_ms) return attempt;
    await pause();
  }
}

const list = route({
  ...TAG,
  method: 'get',
  path: PATH,
  operation_id: 'listPaymentAttempts',
  summary: 'Attempts to charge invoices, newest first',
  query: exactly({
    invoice_id: Type.Optional(Identifier),
    customer_id: Type.Optional(Identifier),
    status: Type.Optional(oneOf(ATTEMPT_STATUSES)),
    ...PAGE,
  }),
  examples: examples.list,
  responses: { 200: listOf(PaymentAttemptObject) },
  handle: (request) => {
    const { db, caller, query } = request;
    const { invoice_id = null, customer_id = null, status = null } = query;
    const filters = { invoice_id, customer_id, status };
    return listResponse(request, {
      name: 'payment-attempts',
      filters,
      fetch: (page) => listAttempts(db, caller.environment_id, { ...filters, ...page }),
      show: (attempt) => attempt,
    });
  },
});

const read = route({
  ...TAG,
  method: 'get',
  path: `${PATH}/{id}`,
  operation_id: 'getPaymentAttempt',
  summary: 'Get an attempt to charge an invoice',
  examples: examples.read,
  responses: { 200: PaymentAttemptObject },
  handle: async ({ db, caller, params }) => {
    return foundOr404(await findAttempt(db, caller.environment_id, params['id']!));
  },
});

export const paymentAttemptRoutes = [charge, list, read];
