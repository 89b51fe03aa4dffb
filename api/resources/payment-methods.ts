import { Type } from 'typebox';
import { createMethodPage } from '../../src/collection/method-pages.ts';
import { makeDefault, removeMethod } from '../../src/collection/methods.ts';
import { findMethod, listMethods } from '../../src/db/collection/methods.ts';
import { PAGES_MAX } from '../../src/domain/collection/payment-method.ts';
import { invalid } from '../../src/domain/money/errors.ts';
import { exactly } from '../../src/objects/parts.ts';
import { PaymentMethodObject, PaymentMethodSessionObject } from '../../src/objects/payment-method.ts';
import { dashboardUrlOf } from '../../src/settings/public-url.ts';
import { notFoundError } from '../http/errors.ts';
import * as examples from '../reference/examples/payment-methods.ts';
import { foundOr404 } from '../routing/found.ts';
import { listResponse } from '../routing/list.ts';
import { route } from '../routing/route.ts';
import { Identifier, listOf, PAGE } from '../schema/schemas.ts';

const TAG = { tag: 'Payment methods' } as const;
const PATH = '/v1/payment-methods';
const ACT = { method: 'post', body: exactly({}), body_may_be_absent: true } as const;

const createSession = route({
  ...TAG,
  method: 'post',
  path: '/v1/customers/{id}/payment-method-sessions',
  operation_id: 'createPaymentMethodSession',
  summary: 'Make a page of the payment provider on which a customer saves a payment method',
  description:
    'A portal link makes one for its customer: `id` is then `self`. The method appears once the provider says that it is saved. ' +
    `At most ${PAGES_MAX} an hour for one customer, then 429.`,
  transaction: false,
  body: exactly({
    return_url: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 2048,
        description: 'Where the page leads back to. The default is the portal.',
        examples: ['https://shop.example.com/account'],
      }),
    ),
  }),
  body_may_be_absent: true,
  examples: examples.createSession,
  responses: { 201: PaymentMethodSessionObject },
  handle: async ({ deps, caller, params, body, act }) => {
    const { environment_id, actor_id: by } = caller;
    const return_url = returnUrlOf(body.return_url ?? `${dashboardUrlOf(deps.config)}portal`);
    const asked = { environment_id, customer_id: params['id']!, return_url, act, by };
    const made = await createMethodPage(deps.collector, asked);
    if (made === null) throw notFoundError();
    return { status: 201, body: { object: 'payment_method_session', ...made } };
  },
});

const list = route({
  ...TAG,
  method: 'get',
  path: PATH,
  operation_id: 'listPaymentMethods',
  summary: 'Payment methods, newest first',
  query: exactly({ customer_id: Type.Optional(Identifier), ...PAGE }),
  examples: examples.list,
  responses: { 200: listOf(PaymentMethodObject) },
  handle: (request) => {
    const { db, caller, query } = request;
    const { customer_id = null } = query;
    return listResponse(request, {
      name: 'payment-methods',
      filters: { customer_id },
      fetch: (page) => listMethods(db, caller.environment_id, { customer_id, ...page }),
      show: (method) => method,
    });
  },
});

const read = route({
  ...TAG,
  method: 'get',
  path: `${PATH}/{id}`,
  operation_id: 'getPaymentMethod',
  summary: 'Get a payment method',
  examples: examples.read,
  responses: { 200: PaymentMethodObject },
  handle: async ({ db, caller, params }) =>
    foundOr404(await findMethod(db, caller.environment_id, params['id']!)),
});

const setDefault = route({
  ...TAG,
  ...ACT,
  path: `${PATH}/{id}/default`,
  operation_id: 'setDefaultPaymentMethod',
  summary: 'Charge a customer with this payment method from now on',
  examples: examples.setDefault,
  responses: { 200: PaymentMethodObject },
  handle: async ({ db, caller, params }) =>
    foundOr404(await makeDefault(db, caller.environment_id, params['id']!)),
});

const remove = route({
  ...TAG,
  ...ACT,
  path: `${PATH}/{id}/remove`,
  operation_id: 'removePaymentMethod',
  summary: 'End a payment method, here and at the provider',
  description: 'The customer has no default then, if it was that one.',
  examples: examples.remove,
  responses: { 200: PaymentMethodObject },
  handle: async ({ db, caller, params }) =>
    foundOr404(await removeMethod(db, caller.environment_id, params['id']!)),
});

export const paymentMethodRoutes = [createSession, list, setDefault, remove, read];

/** Throws invalid_request `malformed` for anything but an address of the web. */
function returnUrlOf(text: string): string {
  if (URL.canParse(text) && ['http:', 'https:'].includes(new URL(text).protocol)) return text;
  throw invalid(
    'return_url',
    'malformed',
    'return_url must be an address such as https://shop.example.com/account',
  );
}
