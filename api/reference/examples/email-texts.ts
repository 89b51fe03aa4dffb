import { textOf } from '../../../src/domain/email/texts.ts';
import type { Examples } from '../../routing/route.ts';

const path = { kind: 'invoice', language: 'en' };
const own = {
  subject: 'Your invoice {number} from {company}',
  body: 'Dear {customer},\n\nhere is your invoice {number} of {total}, due on {due_date}.\n\n{link}\n',
};
const text = {
  object: 'email_text',
  livemode: false,
  ...path,
  ...own,
  updated_at: '2026-03-01T00:00:00.000Z',
};

export const set: Examples = {
  'A text of your own': { path, body: own, status: 200, response: text },
};

export const read: Examples = { 'The text of emails now': { path, status: 200, response: text } };

export const remove: Examples = {
  "Tidemark's text again": {
    path,
    status: 200,
    response: { ...text, ...textOf('invoice', 'en'), updated_at: null },
  },
};
