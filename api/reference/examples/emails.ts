import type { Examples } from '../../routing/route.ts';
import {
  CREDIT_NOTE,
  CUSTOMER,
  INVOICE,
  CREDIT_NOTE_EMAIL,
  ELSEWHERE_EMAIL,
  INVOICE_EMAIL,
  KEY,
  NEW_INVOICE,
  PAYMENT,
  RECEIPT_EMAIL,
  STATEMENT_EMAIL,
} from './ids.ts';
import { page } from './list.ts';

const FEBRUARY = '2026-02-01T00:00:00.000Z';

const to = [{ address: 'billing@acme.example', status: 'queued', response: null }];
const attached = { content_type: 'application/pdf', bytes: null, error: null };

const email = {
  id: INVOICE_EMAIL,
  object: 'email',
  livemode: false,
  created_at: FEBRUARY,
  kind: 'invoice',
  customer_id: 'acme',
  object_id: NEW_INVOICE,
  invoice_ids: [NEW_INVOICE],
  language: 'en',
  to,
  subject: 'Invoice INV-000002 from Tidemark',
  text: [
    'Dear Acme Limited,',
    'Your document from Tidemark is now available.',
    'View and download it: [link]',
    'Kind regards,\nTidemark',
  ].join('\n\n'),
  attachments: [{ filename: 'INV-000002.pdf', ...attached }],
  message_id: null,
  status: 'queued',
  status_reason: null,
  send_at: FEBRUARY,
  attempts: 0,
  next_attempt_at: FEBRUARY,
  sent_at: null,
  resend_of: null,
  created_by: KEY,
};
const canceled = { ...email, status: 'canceled', status_reason: 'by_hand', next_attempt_at: null };

export const sendInvoice: Examples = {
  'To the address of the customer': { path: { id: NEW_INVOICE }, body: {}, status: 201, response: email },
};

export const read: Examples = {
  'One that waits': { path: { id: INVOICE_EMAIL }, status: 200, response: email },
};

export const cancel: Examples = {
  'To the wrong address': { path: { id: INVOICE_EMAIL }, body: {}, status: 200, response: canceled },
};

export const list: Examples = {
  'Canceled emails of an invoice': {
    query: { invoice_id: NEW_INVOICE, status: 'canceled' },
    status: 200,
    response: page(canceled),
  },
};

export const resend: Examples = {
  'To another address': {
    path: { id: INVOICE_EMAIL },
    body: { to: ['ada@acme.example'] },
    status: 201,
    response: {
      ...email,
      id: ELSEWHERE_EMAIL,
      to: [{ ...to[0], address: 'ada@acme.example' }],
      resend_of: INVOICE_EMAIL,
    },
  },
};

export const sendCreditNote: Examples = {
  'To the address of the customer': {
    path: { id: CREDIT_NOTE },
    body: {},
    status: 201,
    response: {
      ...email,
      id: CREDIT_NOTE_EMAIL,
      kind: 'credit_note',
      object_id: CREDIT_NOTE,
      subject: 'Credit note CN-000001 from Tidemark',
      attachments: [{ filename: 'CN-000001.pdf', ...attached }],
    },
  },
};

export const sendReceipt: Examples = {
  'To the address of the customer': {
    path: { id: PAYMENT },
    body: {},
    status: 201,
    response: {
      ...email,
      id: RECEIPT_EMAIL,
      kind: 'receipt',
      object_id: PAYMENT,
      subject: 'Receipt for your payment to Tidemark',
      attachments: [{ filename: `receipt-${PAYMENT}.pdf`, ...attached }],
    },
  },
};

export const sendStatement: Examples = {
  'To the address of the customer': {
    path: { id: 'acme' },
    body: {},
    status: 201,
    response: {
      ...email,
      id: STATEMENT_EMAIL,
      kind: 'statement',
      object_id: CUSTOMER,
      invoice_ids: [INVOICE],
      subject: 'Statement of account from Tidemark',
      attachments: [{ filename: 'statement-2026-02-01.pdf', ...attached }],
    },
  },
};
