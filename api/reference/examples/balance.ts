import type { Examples } from '../../routing/route.ts';
import {
  ADJUSTMENT,
  APPLIED_BALANCE,
  CREDIT_NOTE,
  CREDITED_BALANCE,
  GENERATED_INVOICE,
  KEY,
  NEW_INVOICE,
  UNCREDITED_BALANCE,
} from './ids.ts';
import { generated } from './invoice.ts';
import { page } from './list.ts';

const FEBRUARY = '2026-02-01T00:00:00.000Z';
const MARCH = '2026-03-01T00:00:00.000Z';

const entry = {
  object: 'balance_entry',
  livemode: false,
  customer_id: 'acme',
  currency: 'USD',
  created_by: KEY,
  reason: null,
  invoice_id: null,
  credit_note_id: null,
  payment_id: null,
};
const adjustment = {
  ...entry,
  id: ADJUSTMENT,
  created_at: MARCH,
  type: 'adjustment',
  amount: '0.05',
  reason: 'For the long wait',
};
const applied = {
  ...entry,
  id: APPLIED_BALANCE,
  created_at: MARCH,
  type: 'applied',
  amount: '-0.05',
  invoice_id: GENERATED_INVOICE,
};
const credited = {
  ...entry,
  id: CREDITED_BALANCE,
  created_at: FEBRUARY,
  type: 'credit_note',
  amount: '0.12',
  reason: 'One call failed',
  invoice_id: NEW_INVOICE,
  credit_note_id: CREDIT_NOTE,
};
const uncredited = {
  ...credited,
  id: UNCREDITED_BALANCE,
  amount: '-0.12',
  reason: 'The call had not failed',
};

export const adjust: Examples = {
  'For goodwill': {
    path: { id: 'acme' },
    body: { amount: '0.05', reason: 'For the long wait' },
    status: 201,
    response: adjustment,
  },
};

export const list: Examples = {
  'Newest first': {
    path: { id: 'acme' },
    status: 200,
    response: page(applied, adjustment, uncredited, credited),
  },
};

export const read: Examples = {
  'An adjustment': { path: { id: ADJUSTMENT }, status: 200, response: adjustment },
};

export const apply: Examples = {
  'All of the balance': {
    path: { id: GENERATED_INVOICE },
    body: {},
    status: 200,
    response: { ...generated, amount_due: '0.07', balance_applied: '0.05' },
  },
};
