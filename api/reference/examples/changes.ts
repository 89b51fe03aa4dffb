import type { Examples } from '../../routing/route.ts';
import { created_grant } from './credit-grants.ts';
import { CHANGE, GRANT, KEY } from './ids.ts';

const { ledger: _, ...data } = created_grant;

export const change = {
  id: CHANGE,
  object: 'change',
  livemode: false,
  created_at: '2026-01-01T00:00:00.250Z',
  sequence: 9,
  type: 'credit_grant.created',
  object_type: 'credit_grant',
  object_id: GRANT,
  customer_id: 'acme',
  actor: KEY,
  data,
};

export const list: Examples = {
  'Credit of a customer, as soon as there is some': {
    query: { customer_id: 'acme', types: 'credit_grant.created', wait: 10 },
    status: 200,
    response: {
      object: 'list',
      data: [change],
      has_more: false,
      next_after: 9,
      oldest_sequence: 1,
      newest_sequence: 9,
    },
  },
};
