import type { Examples } from '../../routing/route.ts';
import { GRANT, INVOICE, LINE, VOIDED_GRANT } from './ids.ts';
import { page } from './list.ts';

const START = '2026-01-01T00:00:00.000Z';
const MARCH = '2026-03-01T00:00:00.000Z';
const granted = { type: 'granted', amount: 2, invoice_id: null, line_item_id: null, created_at: START };

export const created_grant = {
  id: GRANT,
  object: 'credit_grant',
  livemode: false,
  created_at: START,
  customer_id: 'acme',
  amount: 2,
  remaining: 2,
  status: 'active',
  expires_at: '2027-01-01T00:00:00.000Z',
  rollover: true,
  event_names: null,
  subscription_id: null,
  note: null,
  carry_over_max: null,
  carry_over_until: null,
  ledger: [granted],
};

const drawn = {
  ...created_grant,
  remaining: 0,
  status: 'depleted',
  ledger: [
    granted,
    {
      type: 'drawn',
      amount: -2,
      invoice_id: INVOICE,
      line_item_id: LINE,
      created_at: '2026-02-01T00:00:00.000Z',
    },
  ],
};

const march = {
  ...created_grant,
  id: VOIDED_GRANT,
  created_at: MARCH,
  amount: 500,
  remaining: 500,
  expires_at: '2026-04-01T00:00:00.000Z',
  rollover: false,
  ledger: [{ ...granted, amount: 500, created_at: MARCH }],
};

export const create: Examples = {
  'Credit for a year': {
    body: { customer_id: 'acme', amount: 2, expires_in_days: 365, rollover: true },
    status: 201,
    response: created_grant,
  },
  'Credit for the current period': {
    body: { customer_id: 'acme', amount: 500 },
    status: 201,
    response: march,
  },
  'Asked for 90 days, but ends with the period: a preview': {
    body: { customer_id: 'acme', amount: 500, expires_in_days: 90, dry_run: true },
    status: 200,
    response: {
      object: 'credit_grant_preview',
      livemode: false,
      customer_id: 'acme',
      amount: 500,
      expires_at: '2026-04-01T00:00:00.000Z',
      last_day: '2026-03-31',
      timezone: 'UTC',
      rollover: false,
      event_names: null,
      subscription_id: null,
      note: null,
    },
  },
};

export const list: Examples = {
  'Grants of a customer': { query: { customer_id: 'acme' }, status: 200, response: page(drawn) },
};

export const read: Examples = {
  'A grant without remaining credit': { path: { id: GRANT }, status: 200, response: drawn },
};

export const voidGrant: Examples = {
  'A grant that is not used yet': {
    path: { id: VOIDED_GRANT },
    status: 200,
    response: {
      ...march,
      remaining: 0,
      status: 'voided',
      ledger: [...march.ledger, { ...granted, type: 'voided', amount: -500, created_at: MARCH }],
    },
  },
};
