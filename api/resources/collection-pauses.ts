import { Type, type Static } from 'typebox';
import {
  pauseCustomer,
  pauseInvoice,
  resumeCustomer,
  resumeInvoice,
  type PauseRequest,
} from '../../src/billing/owed/pause-collection.ts';
import { PAUSE_DAYS_MAX, PAUSE_REASONS } from '../../src/domain/invoice/collection-pause.ts';
import { CustomerObject } from '../../src/objects/customer.ts';
import { InvoiceObject } from '../../src/objects/invoice.ts';
import { exactly, oneOf } from '../../src/objects/parts.ts';
import type { Caller } from '../http/deps.ts';
import * as examples from '../reference/examples/collections.ts';
import { foundOr404 } from '../routing/found.ts';
import { route } from '../routing/route.ts';
import { CustomerDay, PRINTABLE } from '../schema/schemas.ts';

const TAG = { tag: 'Collections' } as const;
const NOTE_LENGTH_MAX = 500;

const Pause = exactly({
  reason: oneOf(PAUSE_REASONS),
  until: Type.Optional({
    ...CustomerDay,
    description: `The last day of the pause in the time zone of the customer: from today to ${PAUSE_DAYS_MAX} days ahead. Without it the pause lasts until it is resumed.`,
  }),
  note: Type.Optional(Type.String({ ...PRINTABLE, maxLength: NOTE_LENGTH_MAX })),
});
const PAUSED = {
  method: 'post',
  body: Pause,
  refusals: ['conflict'],
} as const;
const RESUMED = {
  method: 'post',
  body: exactly({}),
  body_may_be_absent: true,
  refusals: ['conflict'],
} as const;

const pauseInvoiceRoute = route({
  ...TAG,
  ...PAUSED,
  path: '/v1/invoices/{id}/pause-collection',
  operation_id: 'pauseInvoiceCollection',
  summary: 'Pause the collection of an open invoice: nothing reminds of it and nothing charges it by itself',
  examples: examples.pauseInvoice,
  responses: { 200: InvoiceObject },
  handle: async ({ db, caller, params, body }) =>
    foundOr404(await pauseInvoice(db, caller.environment_id, params['id']!, requestOf(body, caller))),
});

const resumeInvoiceRoute = route({
  ...TAG,
  ...RESUMED,
  path: '/v1/invoices/{id}/resume-collection',
  operation_id: 'resumeInvoiceCollection',
  summary: 'End the pause of an invoice',
  examples: examples.resumeInvoice,
  responses: { 200: InvoiceObject },
  handle: async ({ db, caller, params }) =>
    foundOr404(await resumeInvoice(db, caller.environment_id, params['id']!)),
});

const pauseCustomerRoute = route({
  ...TAG,
  ...PAUSED,
  path: '/v1/customers/{id}/pause-collection',
  operation_id: 'pauseCustomerCollection',
  summary: 'Pause the collection of all that a customer owes, now and later',
  examples: examples.pauseCustomer,
  responses: { 200: CustomerObject },
  handle: async ({ db, caller, params, body }) =>
    foundOr404(await pauseCustomer(db, caller.environment_id, params['id']!, requestOf(body, caller))),
});

const resumeCustomerRoute = route({
  ...TAG,
  ...RESUMED,
  path: '/v1/customers/{id}/resume-collection',
  operation_id: 'resumeCustomerCollection',
  summary: 'End the pause of a customer; invoices that are paused themselves stay so',
  examples: examples.resumeCustomer,
  responses: { 200: CustomerObject },
  handle: async ({ db, caller, params }) =>
    foundOr404(await resumeCustomer(db, caller.environment_id, params['id']!)),
});

function requestOf({ reason, until, note }: Static<typeof Pause>, { actor_id }: Caller): PauseRequest {
  return { reason, until: until ?? null, note: note ?? null, by: actor_id };
}

export const collectionPauseRoutes = [
  pauseInvoiceRoute,
  resumeInvoiceRoute,
  pauseCustomerRoute,
  resumeCustomerRoute,
];
