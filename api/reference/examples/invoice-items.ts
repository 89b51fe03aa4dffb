import type { Examples } from '../../routing/route.ts';
import { ITEM, KEY, SUBSCRIPTION } from './ids.ts';
import { page } from './list.ts';

const item = {
  id: ITEM,
  object: 'invoice_item',
  livemode: false,
  created_at: '2026-03-01T00:00:00.000Z',
  status: 'pending',
  customer_id: 'acme',
  subscription_id: SUBSCRIPTION,
  currency: 'USD',
  description: 'Import of your data, per hour',
  quantity: '2.5',
  unit_amount: '80',
  amount: '200.00',
  invoice_id: null,
  created_by: KEY,
  split_from: null,
};

export const create: Examples = {
  'Hours of work': {
    body: {
      customer_id: 'acme',
      description: 'Import of your data, per hour',
      quantity: '2.5',
      unit_amount: '80',
    },
    status: 201,
    response: item,
  },
};

export const list: Examples = {
  'Pending items of a customer': {
    query: { customer_id: 'acme', status: 'pending' },
    status: 200,
    response: page(item),
  },
};

export const read: Examples = {
  'A pending item': { path: { id: ITEM }, status: 200, response: item },
};

export const remove: Examples = {
  'Posted by mistake': {
    path: { id: ITEM },
    status: 200,
    response: { id: ITEM, object: 'invoice_item', deleted: true },
  },
};
