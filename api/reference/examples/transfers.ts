import type { Examples } from '../../routing/route.ts';
import { GENERATED_INVOICE, KEY, PAYMENTS_OF_TRANSFER, TRANSFER } from './ids.ts';
import { full_payment } from './invoice.ts';
import { page } from './list.ts';

const MARCH = '2026-03-01T00:00:00.000Z';
const PAID_ON = '2026-02-28T00:00:00.000Z';
const REFERENCE = 'Invoice inv 000004';
const [OF_INVOICE, IN_ADVANCE] = PAYMENTS_OF_TRANSFER;

const part = {
  ...full_payment,
  created_at: MARCH,
  transfer_id: TRANSFER,
  reference: REFERENCE,
  paid_at: PAID_ON,
};

const transfer = {
  id: TRANSFER,
  object: 'transfer',
  livemode: false,
  created_at: MARCH,
  customer_id: 'acme',
  currency: 'USD',
  amount: '0.10',
  reference: REFERENCE,
  paid_at: PAID_ON,
  payments: [
    { ...part, id: OF_INVOICE, invoice_id: GENERATED_INVOICE, amount: '0.07' },
    { ...part, id: IN_ADVANCE, invoice_id: null, amount: '0.03', to_balance: '0.03' },
  ],
};

export const create: Examples = {
  'More than what is due': {
    body: {
      customer_id: 'acme',
      amount: '0.10',
      invoices: [{ id: GENERATED_INVOICE }],
      reference: REFERENCE,
      paid_at: '2026-02-28',
    },
    status: 201,
    response: transfer,
  },
};

export const read: Examples = {
  'Of an invoice and in advance': { path: { id: TRANSFER }, status: 200, response: transfer },
};

export const list: Examples = {
  'Of a customer': { query: { customer_id: 'acme' }, status: 200, response: page(transfer) },
};

export const reverse: Examples = {
  'Recorded for the wrong customer': {
    path: { id: TRANSFER },
    body: { reason: 'Paid by another customer' },
    status: 200,
    response: {
      ...transfer,
      payments: transfer.payments.map((payment) => ({
        ...payment,
        reversed_at: MARCH,
        reversal_reason: 'Paid by another customer',
        reversed_by: KEY,
      })),
    },
  },
};

const nothing = { customer_id: null, invoices: [], to_balance: '0.00', transfer_id: null, candidates: [] };

export const match: Examples = {
  "Rows of a bank's file": {
    body: {
      rows: [
        {
          paid_at: '2026-02-28',
          amount: '0.10',
          currency: 'USD',
          reference: REFERENCE,
          name: 'Acme Limited',
        },
        { paid_at: '2026-02-28', amount: '-4.50', currency: 'USD', reference: 'Fees of February' },
        { paid_at: '2026-02-28', amount: '0.07', currency: 'USD', reference: 'Calls' },
      ],
    },
    status: 200,
    response: {
      object: 'transfer_match',
      data: [
        {
          ...nothing,
          status: 'matched',
          customer_id: 'acme',
          invoices: [{ id: GENERATED_INVOICE, number: 'INV-000004', amount: '0.07' }],
          to_balance: '0.03',
        },
        { ...nothing, status: 'ignored' },
        {
          ...nothing,
          status: 'unmatched',
          candidates: [{ customer_id: 'acme', id: GENERATED_INVOICE, number: 'INV-000004', amount: '0.07' }],
        },
      ],
    },
  },
};
