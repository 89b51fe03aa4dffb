import type { Examples } from '../../routing/route.ts';

const account = {
  id: 'acct_0f8fad5bd9cb469fa16570867728950e',
  object: 'account',
  livemode: false,
  created_at: '2026-01-01T00:00:00.000Z',
  name: 'Tidemark',
  address: null,
  tax_ids: [],
  currency: 'USD',
  tax_rate: '0',
  timezone: 'UTC',
  net_days: 0,
  invoice_prefix: 'INV-',
  next_invoice_number: 5,
  invoice_footer: null,
  hide_zero_lines: false,
  portal_origins: [],
  notice_days: { renewal: null, trial_end: null, credit_expiry: null },
  language: 'en',
  email_kinds: ['invoice', 'credit_note', 'receipt', 'payment_failed'],
  email_reply_to: null,
  email_copy_to: null,
  email_attach: ['pdf'],
  email_hours: { from: 8, until: 18 },
  email_test_recipients: [],
  reminder_days: [],
  charge_mode: 'manual',
  charge_on: 'issue',
  charge_retry_days: [3, 7, 14],
  account_numbers: [],
  datev: null,
  logo_sha256: null,
};

export const read: Examples = { 'The settings': { status: 200, response: account } };

const seller = {
  name: 'Ocean GmbH',
  address: {
    line1: 'Hafenstraße 12',
    line2: null,
    postal_code: '20457',
    city: 'Hamburg',
    state: null,
    country: 'DE',
  },
  tax_ids: [{ type: 'eu_vat', value: 'DE136695976' }],
};

const no_tax = { tax_treatment: null, tax_rate: null, tax_key: null };
const at_19 = { account: 'revenue', tax_rate: '19', number: '8400', tax_key: '3' };
const owed = { account: 'receivable', number: '10000' };
const datev = { consultant: 29098, client: 55003, fiscal_year_start: '01-01', account_length: 4 };

const german = { ...account, ...seller, timezone: 'Europe/Berlin', net_days: 14 };

const noticed = { ...german, notice_days: { renewal: 7, trial_end: 3, credit_expiry: null } };

const reminded = { ...noticed, reminder_days: [-3, 1, 7, 14] };

const numbered = {
  ...reminded,
  account_numbers: [
    { ...no_tax, ...owed },
    { ...no_tax, ...at_19 },
  ],
  datev,
};

export const patch: Examples = {
  'A German seller, who is paid within two weeks': {
    body: { ...seller, timezone: 'Europe/Berlin', net_days: 14 },
    status: 200,
    response: german,
  },
  'Notices a week before a renewal and three days before the end of a trial': {
    body: { notice_days: { renewal: 7, trial_end: 3 } },
    status: 200,
    response: noticed,
  },
  'Reminders three days before the due date, and 1, 7 and 14 days after it': {
    body: { reminder_days: [-3, 1, 7, 14] },
    status: 200,
    response: reminded,
  },
  'The numbers of the bookkeeper, and the head of files for DATEV': {
    body: { account_numbers: [owed, at_19], datev },
    status: 200,
    response: numbered,
  },
};

/** A PNG of one blue pixel. */
export const setLogo: Examples = {
  'A PNG file': {
    body: {
      png: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR42mOQj18BAAHHASdx2OJwAAAAAElFTkSuQmCC',
    },
    status: 200,
    response: {
      ...numbered,
      logo_sha256: '3adbe8ab058370c910a6886d0e451e9a0383c09d8bed311a09db460de966bcfc',
    },
  },
};

export const deleteLogo: Examples = { 'No logo any more': { status: 200, response: numbered } };
