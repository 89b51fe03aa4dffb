import { textIn, textsIn, type Form } from './stripe-form.ts';
import { cancelIntent, confirmIntent, createIntent, listIntents, updateIntent } from './stripe-intents.ts';
import { Refused, type CustomerAt, type EndpointAt } from './stripe-objects.ts';
import { createPage, expirePage, readPage } from './stripe-pages.ts';
import { createRefund, listOf, listRefunds } from './stripe-refunds.ts';
import type { StripeState } from './stripe-state.ts';

/** A request that the stand-in has read. `path` has no query, which is in the form. */
export type Asked = {
  method: string;
  path: string;
  form: Form;
  idempotency_key: string | null;
  version: string | null;
};

type From = { state: StripeState; form: Form; livemode: boolean; account: string; id: string };

const ROUTES: readonly [method: string, path: RegExp, answer: (from: From) => object][] = [
  ['GET', /^\/v1\/account$/, ({ account }) => ({ id: account, object: 'account', charges_enabled: true })],
  ['GET', /^\/v1\/customers\/search$/, searchCustomers],
  ['POST', /^\/v1\/customers$/, createCustomer],
  ['POST', /^\/v1\/customers\/(\w+)$/, updateCustomer],
  ['POST', /^\/v1\/checkout\/sessions$/, ({ state, form, livemode }) => createPage(state, form, livemode)],
  ['GET', /^\/v1\/checkout\/sessions\/(\w+)$/, ({ state, form, id }) => readPage(state, form, id)],
  ['POST', /^\/v1\/checkout\/sessions\/(\w+)\/expire$/, ({ state, id }) => expirePage(state, id)],
  ['GET', /^\/v1\/setup_intents\/(\w+)$/, ({ state, id }) => state.get('setup_intent', id)],
  ['GET', /^\/v1\/payment_methods\/(\w+)$/, ({ state, id }) => state.get('payment_method', id)],
  ['POST', /^\/v1\/payment_methods\/(\w+)\/detach$/, detachMethod],
  ['POST', /^\/v1\/payment_intents$/, ({ state, form, livemode }) => createIntent(state, form, livemode)],
  ['GET', /^\/v1\/payment_intents$/, ({ state, form }) => listIntents(state, form)],
  ['GET', /^\/v1\/payment_intents\/(\w+)$/, ({ state, id }) => state.get('payment_intent', id)],
  ['POST', /^\/v1\/payment_intents\/(\w+)$/, (from) => updateIntent(intentIn(from), from.form)],
  [
    'POST',
    /^\/v1\/payment_intents\/(\w+)\/confirm$/,
    (from) => confirmIntent(from.state, intentIn(from), from.form),
  ],
  ['POST', /^\/v1\/payment_intents\/(\w+)\/cancel$/, (from) => cancelIntent(from.state, intentIn(from))],
  ['POST', /^\/v1\/refunds$/, ({ state, form }) => createRefund(state, form)],
  ['GET', /^\/v1\/refunds$/, ({ state, form }) => listRefunds(state, form)],
  ['GET', /^\/v1\/refunds\/(\w+)$/, ({ state, id }) => state.get('refund', id)],
  ['GET', /^\/v1\/disputes$/, ({ state, form }) => listOf(state.all('dispute'), form, '/v1/disputes')],
  ['GET', /^\/v1\/disputes\/(\w+)$/, ({ state, id }) => state.get('dispute', id)],
  ['POST', /^\/v1\/webhook_endpoints$/, createEndpoint],
  ['DELETE', /^\/v1\/webhook_endpoints\/(\w+)$/, removeEndpoint],
];

/** The answer to a request. Throws Refused. */
export function answerTo(asked: Asked, from: Omit<From, 'id' | 'form'>): object {
  for (const [method, path, answer] of ROUTES) {
    const match = path.exec(asked.path);
    if (method === asked.method && match !== null)
      return answer({ ...from, form: asked.form, id: match[1] ?? '' });
  }
  const message = `Unrecognized request URL (${asked.method}: ${asked.path}).`;
  throw new Refused(404, { type: 'invalid_request_error', message });
}

function intentIn({ state, id }: From) {
  return state.get('payment_intent', id);
}

function searchCustomers({ state, form }: From) {
  const [, member = '', value = ''] =
    /^metadata\['(\w+)'\]:'([^']*)'$/.exec(textIn(form, 'query') ?? '') ?? [];
  const data = state
    .all('customer')
    .filter(({ id, metadata }) => state.searchable.has(id) && metadata[member] === value);
  return { object: 'search_result', url: '/v1/customers/search', has_more: false, next_page: null, data };
}

function createCustomer({ state, form, livemode }: From): CustomerAt {
  const [name, email, metadata] = [textIn(form, 'name'), textIn(form, 'email'), textsIn(form, 'metadata')];
  return state.add<CustomerAt>({ object: 'customer', livemode, name, email, metadata }, 'cus');
}

function updateCustomer({ state, form, id }: From): CustomerAt {
  const customer = state.get('customer', id);
  const [name, email] = [textIn(form, 'name'), textIn(form, 'email')];
  if (name !== null) customer.name = name === '' ? null : name;
  if (email !== null) customer.email = email === '' ? null : email;
  return customer;
}

function detachMethod({ state, id }: From): object {
  const method = state.get('payment_method', id);
  state.detach(method);
  return method;
}

function createEndpoint({ state, form, livemode }: From): EndpointAt {
  return state.add<EndpointAt>(
    {
      ...{ object: 'webhook_endpoint', livemode, status: 'enabled' },
      url: textIn(form, 'url') ?? '',
      enabled_events: Object.values(textsIn(form, 'enabled_events')),
      secret: `whsec_${Math.random().toString(36).slice(2)}${Math.random().toString(36).slice(2)}`,
    },
    'we',
  );
}

function removeEndpoint({ state, id }: From): object {
  state.get('webhook_endpoint', id);
  state.objects.delete(id);
  return { id, object: 'webhook_endpoint', deleted: true };
}
