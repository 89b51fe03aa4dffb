import type { Examples } from '../../routing/route.ts';
import { CHARGE, EVENTS, FEBRUARY_EVENT, INVOICE, LATE_EVENT, LINE, SUBSCRIPTION } from './ids.ts';
import { firstPage } from './list.ts';

const START = '2026-01-01T00:00:00.000Z';
const FEBRUARY = '2026-02-01T00:00:00.000Z';
/** The end of February, and the instant at which the report of an example was read. */
const AS_OF = '2026-03-01T00:00:00.000Z';

const call = {
  event_name: 'api_call',
  customer_id: 'acme',
  idempotency_key: 'call-1',
  timestamp: '2026-01-01T09:30:00Z',
  properties: { endpoint: '/v1/search', bytes: 1024 },
};
const late = {
  event_name: 'api_call',
  customer_id: 'acme',
  idempotency_key: 'call-4',
  timestamp: '2026-01-31T23:59:00Z',
};
const timeless = { event_name: 'api_call', customer_id: 'acme', idempotency_key: 'call-5' };

const IDENTITY = { object: 'event', livemode: false };
const event = {
  id: EVENTS[0],
  ...IDENTITY,
  ...call,
  timestamp: '2026-01-01T09:30:00.000Z',
  created_at: START,
};
const last = {
  id: EVENTS[2],
  ...IDENTITY,
  ...call,
  idempotency_key: 'call-3',
  timestamp: '2026-01-01T11:00:00.000Z',
  properties: {},
  created_at: START,
};

const arrived_later = {
  id: LATE_EVENT,
  ...IDENTITY,
  ...late,
  timestamp: '2026-01-31T23:59:00.000Z',
  properties: {},
  created_at: FEBRUARY,
};

export const create: Examples = {
  'An API call': { body: call, status: 201, response: event },
  'The same event again': { body: call, status: 200, response: event },
  'Late usage of a billed period': {
    body: late,
    status: 201,
    response: arrived_later,
  },
  'Without a timestamp': {
    body: timeless,
    status: 201,
    response: {
      id: FEBRUARY_EVENT,
      ...IDENTITY,
      ...timeless,
      timestamp: FEBRUARY,
      properties: {},
      created_at: FEBRUARY,
    },
  },
};

export const createBatch: Examples = {
  'Three events, one already stored': {
    body: {
      events: [
        call,
        {
          event_name: 'api_call',
          customer_id: 'acme',
          idempotency_key: 'call-2',
          timestamp: '2026-01-01T10:00:00Z',
        },
        {
          event_name: 'api_call',
          customer_id: 'acme',
          idempotency_key: 'call-3',
          timestamp: '2026-01-01T11:00:00Z',
        },
      ],
    },
    status: 201,
    response: {
      object: 'event_batch',
      created: 2,
      duplicates: 1,
      events: [
        { id: EVENTS[0], idempotency_key: 'call-1', status: 'duplicate' },
        { id: EVENTS[1], idempotency_key: 'call-2', status: 'created' },
        { id: EVENTS[2], idempotency_key: 'call-3', status: 'created' },
      ],
    },
  },
};

const billing = {
  charge_id: CHARGE,
  charge_name: 'API calls',
  subscription_id: SUBSCRIPTION,
  reason: null,
  period_start: START,
  period_end: FEBRUARY,
  period_invoice_id: INVOICE,
  period_invoice_number: 'INV-000001',
};
const billed = {
  ...event,
  billing: [
    {
      ...billing,
      status: 'billed',
      expected_at: null,
      invoice_id: INVOICE,
      invoice_number: 'INV-000001',
      line_item_id: LINE,
    },
  ],
};
export const list: Examples = {
  'Newest events of a customer in January': {
    query: { customer_id: 'acme', event_name: 'api_call', from: '2026-01-01', to: '2026-02-01', limit: 1 },
    status: 200,
    response: firstPage('3JbY3wPvU2WztSYQjyOlbzIwMjYtMDEtMzFUMjM6NTk6MDAuMDAwWiA3', last),
  },
  'By idempotency key, with the billing status': {
    query: { idempotency_key: 'call-1' },
    status: 200,
    response: { object: 'list', data: [billed], has_more: false, next_cursor: null },
  },
};

export const read: Examples = {
  'An event on an invoice': { path: { id: EVENTS[0] }, status: 200, response: billed },
  'An event that arrived after the invoice of its period': {
    path: { id: LATE_EVENT },
    status: 200,
    response: {
      ...arrived_later,
      billing: [
        {
          ...billing,
          status: 'late',
          expected_at: AS_OF,
          invoice_id: null,
          invoice_number: null,
          line_item_id: null,
        },
      ],
    },
  },
};

export const report: Examples = {
  'One day for a customer': {
    query: { from: '2026-01-01', to: '2026-01-02', customer_id: 'acme' },
    status: 200,
    response: {
      object: 'usage_report',
      from: START,
      to: '2026-01-02T00:00:00.000Z',
      group_by: 'day',
      as_of: AS_OF,
      data: [{ day: START, accepted: 3, pending: 0, billed: 3, late: 0, too_late: 0, trial: 0, unrated: 0 }],
      has_more: false,
      next_cursor: null,
    },
  },
  'A month of a customer by event name': {
    query: { from: '2026-01-01', to: '2026-02-01', customer_id: 'acme', group_by: 'event_name' },
    status: 200,
    response: {
      object: 'usage_report',
      from: START,
      to: FEBRUARY,
      group_by: 'event_name',
      as_of: AS_OF,
      data: [
        {
          event_name: 'api_call',
          accepted: 3,
          pending: 0,
          billed: 3,
          late: 0,
          too_late: 0,
          trial: 0,
          unrated: 0,
        },
      ],
      has_more: false,
      next_cursor: null,
    },
  },
};

export const listOfLine: Examples = {
  'Newest events of a line item': {
    path: { id: INVOICE, line_item_id: LINE },
    query: { limit: 1 },
    status: 200,
    response: firstPage('ab2ixNZGUDzpFslu9gBHYTIwMjYtMDEtMDFUMTQ6MDA6MDAuMDAwWiA2', last),
  },
};
