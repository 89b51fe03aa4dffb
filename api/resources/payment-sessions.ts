import { Type } from 'typebox';
import { answered } from '../../src/collection/answered.ts';
import { readPageNow } from '../../src/collection/close-pages.ts';
import { openerOf } from '../../src/collection/opened.ts';
import { createPaymentPage } from '../../src/collection/payment-pages.ts';
import { findSession, listSessions } from '../../src/db/collection/payment-session-list.ts';
import { PAGES_MAX } from '../../src/domain/collection/payment-method.ts';
import { SESSION_STATUSES } from '../../src/domain/collection/payment-session.ts';
import { exactly, oneOf } from '../../src/objects/parts.ts';
import { PaymentSessionObject } from '../../src/objects/payment-session.ts';
import { dashboardUrlOf } from '../../src/settings/public-url.ts';
import { notFoundError } from '../http/errors.ts';
import * as examples from '../reference/examples/payment-sessions.ts';
import { foundOr404 } from '../routing/found.ts';
import { listResponse } from '../routing/list.ts';
import { route } from '../routing/route.ts';
import { Identifier, listOf, PAGE } from '../schema/schemas.ts';

const TAG = { tag: 'Payment sessions' } as const;
const PATH = '/v1/payment-sessions';

const create = route({
  ...TAG,
  method: 'post',
  path: '/v1/invoices/{id}/payment-sessions',
  operation_id: 'createPaymentSession',
  summary: 'Make a page of the payment provider on which what is due on an open invoice is paid',
  description:
    'Asked again, it is the same page while that is open, what is due is the same, and so is `save`; else another, once the one before is ' +
    `closed. At most ${PAGES_MAX} pages an hour for one customer, then 429. A portal link makes one for the invoices of its customer.`,
  transaction: false,
  body: exactly({
    save: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'Saves the method for later charges. The default is false.',
      }),
    ),
  }),
  body_may_be_absent: true,
  examples: examples.create,
  responses: { 201: PaymentSessionObject },
  handle: async ({ deps, caller, params, body, act }) => {
    const { environment_id, actor_id: by } = caller;
    const invoice_id = params['id']!;
    const portal = `${dashboardUrlOf(deps.config)}portal?invoice_id=${encodeURIComponent(invoice_id)}`;
    const id = await createPaymentPage(deps.collector, {
      environment_id,
      invoice_id,
      saves_method: body.save ?? false,
      returnUrlOf: (session_id) => `${portal}&payment_session_id=${session_id}`,
      act,
      by,
    });
    if (id === null) throw notFoundError();
    const made = (await findSession(deps.pool, environment_id, id))!;
    return { status: 201, body: made, headers: { Location: `${PATH}/${id}` } };
  },
});

const list = route({
  ...TAG,
  method: 'get',
  path: PATH,
  operation_id: 'listPaymentSessions',
  summary: 'Payment sessions, newest first',
  query: exactly({
    invoice_id: Type.Optional(Identifier),
    customer_id: Type.Optional(Identifier),
    status: Type.Optional(oneOf(SESSION_STATUSES)),
    ...PAGE,
  }),
  examples: examples.list,
  responses: { 200: listOf(PaymentSessionObject) },
  handle: (request) => {
    const { db, caller, query } = request;
    const { invoice_id = null, customer_id = null, status = null } = query;
    const filters = { invoice_id, customer_id, status };
    return listResponse(request, {
      name: 'payment-sessions',
      filters,
      fetch: (page) => listSessions(db, caller.environment_id, { ...filters, ...page }),
      show: (session) => session,
    });
  },
});

const read = route({
  ...TAG,
  method: 'get',
  path: `${PATH}/{id}`,
  operation_id: 'getPaymentSession',
  summary: 'Get a payment session',
  examples: examples.read,
  responses: { 200: PaymentSessionObject },
  handle: async ({ db, caller, params }) =>
    foundOr404(await findSession(db, caller.environment_id, params['id']!)),
});

const refresh = route({
  ...TAG,
  method: 'post',
  path: `${PATH}/{id}/refresh`,
  operation_id: 'refreshPaymentSession',
  summary: 'Read a payment session at the provider now',
  description:
    'One that was paid is recorded at once, as after an event of the provider. The portal does so when the payer comes back.',
  transaction: false,
  body: exactly({}),
  body_may_be_absent: true,
  examples: examples.refresh,
  responses: { 200: PaymentSessionObject },
  handle: async ({ deps, caller: { environment_id }, params }) => {
    const { pool, collector } = deps;
    const id = params['id']!;
    await answered(() => readPageNow({ pool, providerOf: openerOf(collector) }, environment_id, id));
    return { status: 200, body: foundOr404(await findSession(pool, environment_id, id)).body };
  },
});

export const paymentSessionRoutes = [create, list, read, refresh];
