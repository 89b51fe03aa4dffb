import type { Examples } from '../../routing/route.ts';
import { METHOD } from './ids.ts';
import { page } from './list.ts';

const method = {
  id: METHOD,
  object: 'payment_method',
  livemode: false,
  created_at: '2026-02-01T09:05:00.000Z',
  customer_id: 'acme',
  type: 'card',
  label: 'Visa 4242',
  expires: '2028-04',
  status: 'active',
  is_default: true,
};

export const createSession: Examples = {
  'A page on which a card is saved': {
    path: { id: 'acme' },
    body: { return_url: 'https://shop.example.com/account' },
    status: 201,
    response: {
      object: 'payment_method_session',
      url: 'https://checkout.stripe.com/c/pay/cs_test_a1B2c3D4e5F6g7H8',
      expires_at: '2026-02-02T09:00:00.000Z',
    },
  },
};

export const list: Examples = {
  'Of a customer': { query: { customer_id: 'acme' }, status: 200, response: page(method) },
};

export const read: Examples = {
  'A card': { path: { id: METHOD }, status: 200, response: method },
};

export const setDefault: Examples = {
  'A card': { path: { id: METHOD }, status: 200, response: method },
};

export const remove: Examples = {
  'A card that is lost': {
    path: { id: METHOD },
    status: 200,
    response: { ...method, status: 'removed', is_default: false },
  },
};
