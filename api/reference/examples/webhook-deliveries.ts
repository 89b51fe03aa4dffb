import type { Examples } from '../../routing/route.ts';
import { change } from './changes.ts';
import { CHANGE, DELIVERY, ENDPOINT, GRANT, TEST_CHANGE, TEST_DELIVERY } from './ids.ts';
import { page } from './list.ts';

const delivery = {
  id: DELIVERY,
  object: 'webhook_delivery',
  livemode: false,
  created_at: '2026-01-01T00:00:00.500Z',
  endpoint_id: ENDPOINT,
  change_id: CHANGE,
  sequence: 9,
  type: 'credit_grant.created',
  object_id: GRANT,
  status: 'delivered',
  attempts: 1,
  response_status: 200,
  response_body: 'received',
  error: null,
  duration_ms: 38,
  first_attempt_at: '2026-01-01T00:00:00.510Z',
  last_attempt_at: '2026-01-01T00:00:00.510Z',
  next_attempt_at: null,
};

export const list: Examples = {
  'What was delivered': {
    path: { id: ENDPOINT },
    query: { status: 'delivered' },
    status: 200,
    response: page(delivery),
  },
};

export const get: Examples = {
  'What was sent, and what the receiver answered': {
    path: { id: ENDPOINT, delivery_id: DELIVERY },
    status: 200,
    response: {
      ...delivery,
      body: JSON.stringify({ ...change, timestamp: change.created_at }),
      tries: [
        {
          at: '2026-01-01T00:00:00.510Z',
          url: 'https://example.com/tidemark',
          payload: 'full',
          headers: {
            'content-type': 'application/json',
            'user-agent': 'Tidemark',
            'ce-specversion': '1.0',
            'ce-id': CHANGE,
            'ce-type': 'credit_grant.created',
            'ce-time': '2026-01-01T00:00:00.250Z',
            'ce-source': 'https://billing.example.com/v1/changes',
            'ce-subject': GRANT,
            'ce-sequence': '9',
            'webhook-id': CHANGE,
            'webhook-timestamp': '1767225600',
            'webhook-signature': 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
          },
          response_status: 200,
          response_body: 'received',
          error: null,
          duration_ms: 38,
        },
      ],
    },
  },
};

export const test: Examples = {
  'A receiver that works': {
    path: { id: ENDPOINT },
    body: {},
    status: 200,
    response: {
      ...delivery,
      id: TEST_DELIVERY,
      change_id: TEST_CHANGE,
      sequence: null,
      type: 'webhook_endpoint.test',
      object_id: ENDPOINT,
    },
  },
};

export const resend: Examples = {
  'A change that the receiver has lost': {
    path: { id: ENDPOINT, delivery_id: DELIVERY },
    body: {},
    status: 200,
    response: { ...delivery, attempts: 2 },
  },
};

export const skip: Examples = {
  'A change that the receiver cannot read': {
    path: { id: ENDPOINT, delivery_id: DELIVERY },
    body: {},
    status: 200,
    response: { ...delivery, status: 'skipped', attempts: 2 },
  },
};
