import { Type } from 'typebox';
import { findProvider, listProviders } from '../../src/db/collection/providers.ts';
import { PROVIDER_KINDS } from '../../src/domain/collection/payment-method.ts';
import { changeProvider, createProvider, deleteProvider } from '../../src/collection/providers.ts';
import { exactly, oneOf } from '../../src/objects/parts.ts';
import { DeletedPaymentProvider, PaymentProviderObject } from '../../src/objects/payment-provider.ts';
import { dashboardUrlOf } from '../../src/settings/public-url.ts';
import { notFoundError } from '../http/errors.ts';
import * as examples from '../reference/examples/payment-providers.ts';
import { foundOr404 } from '../routing/found.ts';
import { listResponse } from '../routing/list.ts';
import { route, type Request } from '../routing/route.ts';
import { listOf, PAGE } from '../schema/schemas.ts';

const TAG = { tag: 'Payment providers' } as const;
const PATH = '/v1/payment-providers';

const Secret = Type.String({ minLength: 8, maxLength: 255, pattern: String.raw`^[\x21-\x7e]+$` });
const SECRETS = {
  secret_key: {
    ...Secret,
    description: 'The secret key, or a restricted one. It is tried, stored encrypted, and shown nowhere.',
    examples: ['sk_test_4eC39HqLyjWDarjtT1zdp7dc'],
  },
  webhook_secret: {
    ...Secret,
    description: 'Signs the events that the provider posts to `webhook_url`.',
    examples: ['whsec_3f7dNwqVkWQ0hQKfdrCrYyJc'],
  },
};

const create = route({
  ...TAG,
  method: 'post',
  path: PATH,
  operation_id: 'createPaymentProvider',
  summary: 'Connect the account at a payment provider with which customers are charged',
  description:
    'The key is tried before anything is stored; one of the other mode is refused. Where clients reach the API by https and no `webhook_secret` ' +
    'is sent, the provider is asked to post its events to `webhook_url`; else a person makes that endpoint. One for each environment.',
  transaction: false,
  body: exactly({
    kind: oneOf(PROVIDER_KINDS),
    secret_key: SECRETS.secret_key,
    webhook_secret: Type.Optional(SECRETS.webhook_secret),
  }),
  examples: examples.create,
  responses: { 201: PaymentProviderObject },
  handle: async (request) => {
    const { deps, body } = request;
    const { secret_key, webhook_secret } = body;
    const public_url = dashboardUrlOf(deps.config);
    const new_secrets = { secret_key, webhook_secret, public_url };
    const provider = await createProvider(deps.collector, askingOf(request), new_secrets);
    return { status: 201, body: provider, headers: { Location: `${PATH}/${provider.id}` } };
  },
});

const list = route({
  ...TAG,
  method: 'get',
  path: PATH,
  operation_id: 'listPaymentProviders',
  summary: 'Payment providers: one at most',
  query: exactly(PAGE),
  examples: examples.list,
  responses: { 200: listOf(PaymentProviderObject) },
  handle: (request) =>
    listResponse(request, {
      name: 'payment-providers',
      filters: {},
      fetch: (page) => listProviders(request.db, request.caller.environment_id, page),
      show: (provider) => provider,
    }),
});

const read = route({
  ...TAG,
  method: 'get',
  path: `${PATH}/{id}`,
  operation_id: 'getPaymentProvider',
  summary: 'Get a payment provider',
  examples: examples.read,
  responses: { 200: PaymentProviderObject },
  handle: async ({ db, caller, params }) => {
    return foundOr404(await findProvider(db, caller.environment_id, params['id']!));
  },
});

const patch = route({
  ...TAG,
  method: 'patch',
  path: `${PATH}/{id}`,
  operation_id: 'updatePaymentProvider',
  summary: 'Replace the secrets of a payment provider',
  description:
    'A key is tried, and must be of the same account. The present `webhook_secret` stays valid beside the new one, until the next.',
  transaction: false,
  body: exactly({
    secret_key: Type.Optional(SECRETS.secret_key),
    webhook_secret: Type.Optional(SECRETS.webhook_secret),
  }),
  examples: examples.patch,
  responses: { 200: PaymentProviderObject },
  handle: async (request) => {
    const { deps, params, body } = request;
    const changed = { id: params['id']!, ...body };
    return foundOr404(await changeProvider(deps.collector, askingOf(request), changed));
  },
});

const remove = route({
  ...TAG,
  method: 'delete',
  path: `${PATH}/{id}`,
  operation_id: 'deletePaymentProvider',
  summary: 'Disconnect a payment provider',
  description:
    'Its methods are `removed` then, for good. 409 `charge_in_progress` while a charge is under way.',
  transaction: false,
  examples: examples.remove,
  responses: { 200: DeletedPaymentProvider },
  handle: async (request) => {
    const id = request.params['id']!;
    if (!(await deleteProvider(request.deps.collector, askingOf(request), id))) throw notFoundError();
    return { status: 200, body: { id, object: 'payment_provider', deleted: true } };
  },
});

export const paymentProviderRoutes = [create, list, read, patch, remove];

/** Who asks, in which environment. */
function askingOf({ caller, act }: Pick<Request<unknown, unknown>, 'caller' | 'act'>) {
  const { environment_id, livemode, actor_id: by } = caller;
  return { environment_id, livemode, act, by };
}
