import { Type } from 'typebox';
import { generateInvoices, GENERATED_PERIODS_MAX } from '../../src/billing/close/generate.ts';
import { voidInvoice } from '../../src/billing/owed/void.ts';
import { notFound } from '../../src/domain/money/errors.ts';
import * as examples from '../reference/examples/invoices.ts';
import { changedInvoice } from './changed-invoice.ts';
import { InvoiceObject } from '../../src/objects/invoice.ts';
import { route } from '../routing/route.ts';
import { Identifier, listOf, Name } from '../schema/schemas.ts';
import { exactly } from '../../src/objects/parts.ts';

const voidRoute = route({
  method: 'post',
  path: '/v1/invoices/{id}/void',
  operation_id: 'voidInvoice',
  tag: 'Invoices',
  summary: 'Void a draft, an open or a paid invoice whose amount_paid is zero, and return its credit',
  body: exactly({ reason: Type.Optional(Name) }),
  body_may_be_absent: true,
  examples: examples.voidInvoice,
  responses: { 200: InvoiceObject },
  handle: async ({ deps, db, caller, params, body }) => {
    const { environment_id } = caller;
    const invoice = await voidInvoice(db, environment_id, params['id']!, body.reason ?? null);
    return changedInvoice(deps, environment_id, invoice);
  },
});

const generate = route({
  method: 'post',
  path: '/v1/invoices/generate',
  operation_id: 'generateInvoices',
  tag: 'Invoices',
  summary: `Bill ended periods that have no invoice or only void invoices, at most ${GENERATED_PERIODS_MAX} periods per call`,
  body: exactly({
    subscription_id: Identifier,
    close_now: Type.Boolean({
      default: false,
      description: 'Also end the current period now and bill this part of it.',
    }),
  }),
  examples: examples.generate,
  refusals: ['not_found'],
  responses: { 200: listOf(InvoiceObject), 201: listOf(InvoiceObject) },
  may_take_long: true,
  handle: async ({ deps, db, caller, body }) => {
    const { environment_id } = caller;
    const { subscription_id, close_now } = body;
    const key = { environment_id, subscription_id };
    const generated = await generateInvoices(db, key, { close_now }, deps.config);
    if (generated === null) {
      throw notFound(
        'subscription_id',
        'unknown_subscription',
        'subscription_id does not match any subscription',
      );
    }
    const { invoices, has_more } = generated;
    return {
      status: invoices.length > 0 ? 201 : 200,
      body: { object: 'list', data: invoices, has_more, next_cursor: null },
      after_commit: () => void deps.nudge([key], 'wake'),
    };
  },
});

export const correctionRoutes = [generate, voidRoute];
