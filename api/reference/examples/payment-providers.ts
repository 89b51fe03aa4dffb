import type { Examples } from '../../routing/route.ts';
import { PROVIDER } from './ids.ts';
import { page } from './list.ts';

const provider = {
  id: PROVIDER,
  object: 'payment_provider',
  livemode: false,
  created_at: '2026-02-01T09:00:00.000Z',
  kind: 'stripe',
  account: 'acct_acme',
  status: 'active',
  status_reason: null,
  key_last_four: '0000',
  webhook_url: `https://billing.example.com/provider-webhooks/${PROVIDER}`,
};

export const create: Examples = {
  'A test key of Stripe': {
    body: { kind: 'stripe', secret_key: 'sk_test_acme0000000000000000' },
    status: 201,
    response: provider,
  },
};

export const list: Examples = {
  'The provider': { status: 200, response: page(provider) },
};

export const read: Examples = {
  'One that takes the key': { path: { id: PROVIDER }, status: 200, response: provider },
};

export const patch: Examples = {
  'The secret of an endpoint that a person made': {
    path: { id: PROVIDER },
    body: { webhook_secret: 'whsec_3f7dNwqVkWQ0hQKfdrCrYyJc' },
    status: 200,
    response: provider,
  },
};

export const remove: Examples = {
  'A provider': {
    path: { id: PROVIDER },
    status: 200,
    response: { id: PROVIDER, object: 'payment_provider', deleted: true },
  },
};
