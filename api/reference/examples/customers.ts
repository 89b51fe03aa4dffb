import type { Examples } from '../../routing/route.ts';
import { KEPT } from '../../../src/domain/people/redaction.ts';
import { CHARGE, CUSTOMER, DELETED_CUSTOMER, PLAN } from './ids.ts';
import { page } from './list.ts';

export const ADDRESS = {
  line1: '1 High Street',
  line2: null,
  postal_code: 'EC1A 1AA',
  city: 'London',
  state: null,
  country: 'GB',
};

const new_customer = {
  external_id: 'acme',
  name: 'Acme Ltd',
  email: 'billing@acme.example',
  currency: 'USD',
  tax_rate: '20',
  address: ADDRESS,
  metadata: { segment: 'startup' },
};
const customer = {
  id: CUSTOMER,
  object: 'customer',
  livemode: false,
  created_at: '2026-01-01T00:00:00.000Z',
  ...new_customer,
  tax_treatment: 'standard',
  tax_ids: [],
  buyer_reference: null,
  timezone: null,
  net_days: null,
  billing_emails: [],
  email_muted: false,
  language: null,
  reminder_days: null,
  charge_mode: null,
  collection_pause: null,
  credit_remaining: 0,
  balance: '0.00',
  test_clock: null,
  redaction: null,
};
/** The customer of the examples once its test clock is set. */
const later = { ...customer, test_clock: '2026-01-01T00:00:00.000Z' };

const mistaken = {
  ...customer,
  id: DELETED_CUSTOMER,
  created_at: '2026-03-01T00:00:00.000Z',
  external_id: 'acmee',
  name: null,
  email: null,
  tax_rate: '0',
  address: null,
  metadata: {},
};

export const create: Examples = {
  'A customer': { body: new_customer, status: 201, response: customer },
  'The same customer again': { body: new_customer, status: 200, response: later },
  'A customer by mistake': {
    body: { external_id: 'acmee' },
    status: 201,
    response: mistaken,
  },
};

export const remove: Examples = {
  'A customer that was created by mistake': {
    path: { id: 'acmee' },
    status: 200,
    response: { id: DELETED_CUSTOMER, object: 'customer', deleted: true },
  },
};

export const redact: Examples = {
  'A customer whose events have the address of a person': {
    path: { id: 'acmee' },
    body: { properties: ['user_email'] },
    status: 200,
    response: {
      ...mistaken,
      redaction: {
        redacted_at: '2026-03-01T00:00:00.000Z',
        properties: ['user_email'],
        events: 'pending',
        kept: KEPT,
      },
    },
  },
};

export const list: Examples = {
  'Newest first': { query: { limit: 10 }, status: 200, response: page({ ...later, credit_remaining: 2 }) },
};

export const read: Examples = {
  'By external_id': { path: { id: 'acme' }, status: 200, response: { ...later, credit_remaining: 2 } },
};

export const renamed = {
  ...later,
  name: 'Acme Limited',
  metadata: { region: 'eu' },
  credit_remaining: 2,
};

export const patch: Examples = {
  'A new name and additional metadata': {
    path: { id: 'acme' },
    body: { name: 'Acme Limited', metadata: { region: 'eu', segment: null } },
    status: 200,
    response: renamed,
  },
};

export const usage: Examples = {
  'By day': {
    path: { id: 'acme' },
    query: { from: '2026-01-01', to: '2026-02-01', group_by: 'day' },
    status: 200,
    response: page({
      event_name: 'api_call',
      charge_id: CHARGE,
      plan_id: PLAN,
      plan_name: 'API calls',
      plan_version: null,
      aggregation: { type: 'count' },
      group: '2026-01-01T00:00:00.000Z',
      quantity: '3',
    }),
  },
};
