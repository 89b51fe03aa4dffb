import type { Examples } from '../../routing/route.ts';
import { ENDPOINT } from './ids.ts';
import { page } from './list.ts';

export const endpoint = {
  id: ENDPOINT,
  object: 'webhook_endpoint',
  livemode: false,
  created_at: '2026-01-01T00:00:00.000Z',
  url: 'https://example.com/tidemark',
  types: ['credit_grant.*'],
  description: 'Credit in the shop',
  payload: 'full',
  status: 'active',
  status_reason: null,
  failing_since: null,
  delivered_up_to: 4,
  previous_secret_until: null,
};
const renamed = { ...endpoint, types: null, description: 'The shop' };

export const create: Examples = {
  'Credit, from the first change that is kept': {
    body: {
      url: 'https://example.com/tidemark',
      types: ['credit_grant.*'],
      description: 'Credit in the shop',
      after: 0,
    },
    status: 201,
    response: { ...endpoint, secret: 'whsec_3f7dNwqVkWQ0hQKfdrCrYyJcDqU2Ug3kSLt0dsAVbXQ=' },
  },
};

export const list: Examples = {
  'All endpoints': { status: 200, response: page(endpoint) },
};

export const read: Examples = {
  'An endpoint to which everything is delivered': {
    path: { id: ENDPOINT },
    status: 200,
    response: endpoint,
  },
};

export const patch: Examples = {
  'All types of changes': {
    path: { id: ENDPOINT },
    body: { types: null, description: 'The shop' },
    status: 200,
    response: renamed,
  },
};

export const pause: Examples = {
  'While the shop moves': {
    path: { id: ENDPOINT },
    body: {},
    status: 200,
    response: { ...renamed, status: 'paused' },
  },
};

export const resume: Examples = {
  'Where it stopped': { path: { id: ENDPOINT }, body: {}, status: 200, response: renamed },
};

export const replay: Examples = {
  'All changes that are kept': { path: { id: ENDPOINT }, body: { after: 0 }, status: 200, response: renamed },
};

export const rotate: Examples = {
  'Once a year': {
    path: { id: ENDPOINT },
    body: {},
    status: 200,
    response: {
      ...renamed,
      previous_secret_until: '2026-01-02T00:00:00.000Z',
      secret: 'whsec_9c0TnYtmSGg4V2Xk1pBvZqEo7uHsLdR5jW8aIiFyPx4=',
    },
  },
};

export const remove: Examples = {
  'An endpoint': {
    path: { id: ENDPOINT },
    status: 200,
    response: { id: ENDPOINT, object: 'webhook_endpoint', deleted: true },
  },
};
