import { Type, type Static } from 'typebox';
import { cancelEmail, findListedEmail, listEmails } from '../../src/db/emails/email-list.ts';
import type { Db } from '../../src/db/connection/pool.ts';
import { findCustomerKey } from '../../src/db/customers/customers.ts';
import { EMAIL_STATUSES } from '../../src/domain/email/email.ts';
import { EMAIL_KINDS, type EmailKind } from '../../src/domain/email/kind.ts';
import { conflict } from '../../src/domain/money/errors.ts';
import { BY_HAND_MAX, resendByHand, sendByHand } from '../../src/emails/by-hand.ts';
import { emailFile } from '../../src/emails/email-file.ts';
import { shownEmail } from '../../src/emails/shown.ts';
import { EmailObject, type Email } from '../../src/objects/email.ts';
import { exactly, oneOf } from '../../src/objects/parts.ts';
import type { Caller } from '../http/deps.ts';
import { notFoundError } from '../http/errors.ts';
import * as examples from '../reference/examples/emails.ts';
import { listResponse } from '../routing/list.ts';
import { route, type Request, type RouteResponse } from '../routing/route.ts';
import { checkNoneTwice, Recipients } from '../schema/email.ts';
import { checkOrder } from '../schema/range.ts';
import { Bytes, Identifier, Instant, listOf, PAGE } from '../schema/schemas.ts';

const TAG = { tag: 'Emails' } as const;
const PATH = '/v1/emails';
type SendRequest = Pick<Request<unknown, Static<typeof To>>, 'db' | 'caller' | 'params' | 'body'>;
const To = exactly({ to: Type.Optional(Recipients) });
const BY_HAND = {
  method: 'post',
  description:
    'Also to a customer that is muted. The default of `to` are the addresses of the customer. ' +
    `At most ${BY_HAND_MAX} an hour for one customer, then 429.`,
  body: To,
  body_may_be_absent: true,
  responses: { 201: EmailObject },
} as const;

const list = route({
  ...TAG,
  method: 'get',
  path: PATH,
  operation_id: 'listEmails',
  summary: 'Emails, newest first',
  description:
    '`from` and `to` bound `created_at`. `invoice_id` also finds receipts and credit notes of the invoice.',
  query: exactly({
    customer_id: Type.Optional(Identifier),
    invoice_id: Type.Optional(Identifier),
    kind: Type.Optional(oneOf(EMAIL_KINDS)),
    status: Type.Optional(oneOf(EMAIL_STATUSES)),
    from: Type.Optional(Instant),
    to: Type.Optional(Instant),
    ...PAGE,
  }),
  examples: examples.list,
  responses: { 200: listOf(EmailObject) },
  handle: (request) => {
    const { db, caller, query } = request;
    checkOrder(query);
    const {
      customer_id = null,
      invoice_id = null,
      kind = null,
      status = null,
      from = null,
      to = null,
    } = query;
    const filters = { customer_id, invoice_id, kind, status, from, to };
    return listResponse(request, {
      name: 'emails',
      filters,
      fetch: async (page) => {
        const emails = await listEmails(db, caller.environment_id, { ...filters, ...page });
        const shown: Email[] = [];
        // One after the other, so that a page holds one connection.
        for (const email of emails) shown.push(await shownEmail(db, caller.environment_id, email));
        return shown;
      },
      show: (email) => email,
    });
  },
});

const read = route({
  ...TAG,
  method: 'get',
  path: `${PATH}/{id}`,
  operation_id: 'getEmail',
  summary: 'Get an email with its fate',
  examples: examples.read,
  responses: { 200: EmailObject },
  handle: async ({ db, caller, params }) => ({
    status: 200,
    body: await existingEmail(db, caller.environment_id, params['id']!),
  }),
});

const file = route({
  ...TAG,
  method: 'get',
  path: `${PATH}/{id}.eml`,
  operation_id: 'getEmailFile',
  summary: 'Get an email as a file of RFC 5322, with its attachments',
  description: 'As it would be composed now, with `[link]` in place of the link to the portal.',
  media_type: 'message/rfc822',
  responses: { 200: Bytes },
  handle: async ({ deps, db, caller, params }) => {
    const id = params['id']!;
    const email = await findListedEmail(db, caller.environment_id, id);
    if (email === null) throw notFoundError();
    const body = await emailFile(db, caller.environment_id, email, deps.config.email?.from);
    if (body === null) throw notFoundError();
    return {
      status: 200,
      body,
      headers: { 'Content-Disposition': `attachment; filename="${id}.eml"` },
    };
  },
});

const sendInvoice = route({
  ...TAG,
  ...BY_HAND,
  path: '/v1/invoices/{id}/send',
  operation_id: 'sendInvoice',
  summary: 'Send an invoice by email, at once and at any hour',
  examples: examples.sendInvoice,
  handle: (request) => sendDocument(request, 'invoice'),
});

const sendCreditNote = route({
  ...TAG,
  ...BY_HAND,
  path: '/v1/credit-notes/{id}/send',
  operation_id: 'sendCreditNote',
  summary: 'Send a credit note by email, at once and at any hour',
  examples: examples.sendCreditNote,
  handle: (request) => sendDocument(request, 'credit_note'),
});

const sendReceipt = route({
  ...TAG,
  ...BY_HAND,
  path: '/v1/payments/{id}/send',
  operation_id: 'sendReceipt',
  summary: 'Send the receipt of a payment by email, at once and at any hour',
  examples: examples.sendReceipt,
  handle: (request) => sendDocument(request, 'receipt'),
});

const sendStatement = route({
  ...TAG,
  ...BY_HAND,
  path: '/v1/customers/{id}/statement/send',
  operation_id: 'sendStatement',
  summary: 'Send the statement of a customer by email, at once and at any hour',
  examples: examples.sendStatement,
  handle: async (request) => {
    const { db, caller, params } = request;
    const key = await findCustomerKey(db, caller.environment_id, params['id']!);
    if (key === null) throw notFoundError();
    return sendDocument({ ...request, params: { id: key.id } }, 'statement');
  },
});

const resend = route({
  ...TAG,
  ...BY_HAND,
  path: `${PATH}/{id}/resend`,
  operation_id: 'resendEmail',
  summary: 'Send the document of an email once more, as a new email',
  examples: examples.resend,
  handle: async ({ db, caller, params, body }) => {
    const email = await findListedEmail(db, caller.environment_id, params['id']!);
    if (email === null) throw notFoundError();
    checkNoneTwice('to', body.to ?? []);
    const sending = { to: body.to ?? null, by: caller.actor_id };
    return sent(db, caller, await resendByHand(db, caller.environment_id, email, sending));
  },
});

const cancel = route({
  ...TAG,
  method: 'post',
  path: `${PATH}/{id}/cancel`,
  operation_id: 'cancelEmail',
  summary: 'Cancel an email that waits',
  body: exactly({}),
  body_may_be_absent: true,
  examples: examples.cancel,
  responses: { 200: EmailObject },
  handle: async ({ db, caller: { environment_id }, params }) => {
    const id = params['id']!;
    const is_canceled = await cancelEmail(db, environment_id, id);
    const email = await existingEmail(db, environment_id, id);
    if (!is_canceled)
      throw conflict(null, 'invalid_state', `the email ${id} is ${email.status}, and does not wait`);
    return { status: 200, body: email };
  },
});

/**
 * Writes the email of the document that a request names; the response with it. Throws not_found for an unknown
 * document, and invalid_request for an address that stands twice.
 */
async function sendDocument(
  { db, caller, params, body }: SendRequest,
  kind: EmailKind,
): Promise<RouteResponse<201, Email>> {
  const { to = null } = body;
  checkNoneTwice('to', to ?? []);
  const { environment_id, actor_id: by } = caller;
  const about = { kind, object_id: params['id']!, invoice_ids: [] };
  const sending = { ...about, to, by, resend_of: null };
  return sent(db, caller, await sendByHand(db, environment_id, sending));
}

/** The response with a new email. Throws not_found for null. */
async function sent(
  db: Db,
  { environment_id }: Caller,
  id: string | null,
): Promise<RouteResponse<201, Email>> {
  if (id === null) throw notFoundError();
  const body = await existingEmail(db, environment_id, id);
  return { status: 201, body, headers: { Location: `${PATH}/${id}` } };
}

/** An email as it is shown. Throws not_found for one that does not exist. */
async function existingEmail(db: Db, environment_id: number, id: string): Promise<Email> {
  const email = await findListedEmail(db, environment_id, id);
  if (email === null) throw notFoundError();
  return shownEmail(db, environment_id, email);
}

export const emailRoutes = [
  list,
  read,
  file,
  sendInvoice,
  sendCreditNote,
  sendReceipt,
  sendStatement,
  resend,
  cancel,
];
