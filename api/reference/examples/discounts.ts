import type { Examples } from '../../routing/route.ts';
import { AMOUNT_DISCOUNT, DISCOUNT } from './ids.ts';
import { page } from './list.ts';

const discount = {
  id: DISCOUNT,
  object: 'discount',
  livemode: false,
  created_at: '2026-03-01T00:00:00.000Z',
  status: 'active',
  customer_id: 'acme',
  subscription_id: null,
  currency: 'USD',
  name: 'Loyalty',
  percent: '10',
  amount: null,
  event_names: ['api_call'],
  from: '2027-01-01T00:00:00.000Z',
  until: '2028-01-01T00:00:00.000Z',
};

export const create: Examples = {
  '10 percent off the calls of a year': {
    body: {
      customer_id: 'acme',
      name: 'Loyalty',
      percent: '10',
      event_names: ['api_call'],
      from: '2027-01-01',
      until: '2028-01-01',
    },
    status: 201,
    response: discount,
  },
  '25.00 off each month of a quarter': {
    body: { customer_id: 'acme', name: 'Launch', amount: '25', from: '2028-01-01', until: '2028-04-01' },
    status: 201,
    response: {
      ...discount,
      id: AMOUNT_DISCOUNT,
      name: 'Launch',
      percent: null,
      amount: '25.00',
      event_names: null,
      from: '2028-01-01T00:00:00.000Z',
      until: '2028-04-01T00:00:00.000Z',
    },
  },
};

export const list: Examples = {
  'Discounts of a customer that have not ended': {
    query: { customer_id: 'acme', status: 'active' },
    status: 200,
    response: page(discount),
  },
};

export const read: Examples = {
  'A discount of all subscriptions': { path: { id: DISCOUNT }, status: 200, response: discount },
};

export const end: Examples = {
  'Half a year earlier': {
    path: { id: DISCOUNT },
    body: { until: '2027-07-01' },
    status: 200,
    response: { ...discount, until: '2027-07-01T00:00:00.000Z' },
  },
};
