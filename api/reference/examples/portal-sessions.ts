import type { Examples } from '../../routing/route.ts';
import { KEY, NEW_INVOICE, OPENING_PORTAL_SESSION, OTHER_PORTAL_SESSION, PORTAL_SESSION } from './ids.ts';
import { page } from './list.ts';

const session = {
  id: PORTAL_SESSION,
  object: 'portal_session',
  livemode: false,
  created_at: '2026-03-01T09:00:00.000Z',
  customer_id: 'acme',
  expires_at: '2026-03-01T10:00:00.000Z',
  revoked_at: null,
  created_by: KEY,
  saves_payment_methods: false,
  logo_sha256: null,
};

const TOKEN = 'tm_ps_4fJ0Qw8ZtXo2yLr6VbN1cKd9HsPm3GuT5aEiRxW7jMz4Yq8Bn2kLvAhCp';

export const create: Examples = {
  'A link for an hour': {
    body: { customer_id: 'acme' },
    status: 201,
    response: { ...session, url: `https://billing.example.com/portal#${TOKEN}` },
  },
  'A link that opens at an invoice': {
    body: { customer_id: 'acme', invoice_id: NEW_INVOICE },
    status: 201,
    response: {
      ...session,
      id: OPENING_PORTAL_SESSION,
      url: `https://billing.example.com/portal?invoice_id=${NEW_INVOICE}#${TOKEN}`,
    },
  },
};

export const list: Examples = {
  'Links of a customer': { query: { customer_id: 'acme' }, status: 200, response: page(session) },
};

export const read: Examples = {
  'A link': { path: { id: PORTAL_SESSION }, status: 200, response: session },
};

export const revoke: Examples = {
  'A link that went to the wrong person': {
    path: { id: PORTAL_SESSION },
    status: 200,
    response: { ...session, revoked_at: '2026-03-01T09:05:00.000Z' },
  },
  'A payer who is done, with the link as the key': {
    path: { id: 'self' },
    status: 200,
    response: {
      ...session,
      id: OTHER_PORTAL_SESSION,
      created_by: null,
      revoked_at: '2026-03-01T09:05:00.000Z',
    },
  },
};
