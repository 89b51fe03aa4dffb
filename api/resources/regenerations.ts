import { Type } from 'typebox';
import { refuseArchivedInvoice } from '../../src/db/archive/refusals.ts';
import { refuseClosedMonth } from '../../src/db/invoicing/closed-months.ts';
import { findInvoice } from '../../src/db/invoicing/invoices.ts';
import { LONG_STATEMENT_MS, dryRun, transaction } from '../../src/db/connection/pool.ts';
import { previewRegeneration } from '../../src/billing/previews/regeneration-preview.ts';
import {
  findRegeneration,
  findRegenerationByKey,
  requestRegeneration,
} from '../../src/db/subscriptions/regenerations.ts';
import type { Invoice } from '../../src/objects/invoice.ts';
import type { Regeneration } from '../../src/objects/regeneration.ts';
import { refuseUnlessReplaceable } from '../../src/billing/owed/regenerate.ts';
import { BillingError, conflict } from '../../src/domain/money/errors.ts';
import { notFoundError } from '../http/errors.ts';
import * as examples from '../reference/examples/invoices.ts';
import { RegenerationObject, RegenerationPreview } from '../../src/objects/regeneration.ts';
import { InvoiceObject } from '../../src/objects/invoice.ts';
import { foundOr404 } from '../routing/found.ts';
import { route, type RouteResponse } from '../routing/route.ts';
import { createPauses } from './pauses.ts';
import type { Caller, Deps } from '../http/deps.ts';
import { Name } from '../schema/schemas.ts';
import { exactly } from '../../src/objects/parts.ts';

/** How long a request waits for the workflow before the response is 202 with a Location. */
const WAIT_MAX_MS = 10_000;

const regenerate = route({
  method: 'post',
  path: '/v1/invoices/{id}/regenerate',
  operation_id: 'regenerateInvoice',
  tag: 'Invoices',
  summary: 'Void an invoice and bill its period again; with dry_run, only preview the changes',
  description:
    'The credit of the invoice is returned and drawn again. The new invoice uses the current tax rate and customer data. The response ' +
    'waits up to ten seconds for the new invoice. After that it is a 202, and Location is the regeneration with its status.',
  body: exactly({ reason: Type.Optional(Name), dry_run: Type.Boolean({ default: false }) }),
  body_may_be_absent: true,
  examples: examples.regenerate,
  responses: { 200: RegenerationPreview, 201: InvoiceObject, 202: RegenerationObject },
  // The request row is committed first, because the workflow must see it; the workflow regenerates in a transaction of
  // its own.
  transaction: false,
  may_take_long: true,
  handle: async (request) => {
    const { deps, caller, params, body } = request;
    const { environment_id } = caller;
    const invoice = await findInvoice(deps.pool, environment_id, params['id']!);
    if (invoice === null) throw notFoundError();
    if (body.dry_run) {
      const preview = await dryRun(
        deps.pool,
        (db) => previewRegeneration(db, environment_id, invoice.id, deps.config),
        { statement_ms: LONG_STATEMENT_MS },
      );
      return { status: 200, body: preview };
    }
    const key = request.idempotency_key;
    const request_key = key === null ? null : `${invoice.id}/${key}`;
    const earlier_request =
      request_key && (await findRegenerationByKey(deps.pool, environment_id, request_key));
    const { id: invoice_id, subscription_id } = invoice;
    if (!earlier_request) {
      await refuseClosedMonth(deps.pool, environment_id, { kind: 'invoice', id: invoice_id });
      refuseUnlessReplaceable(invoice);
      await refuseArchivedInvoice(deps.pool, environment_id, invoice_id);
    }
    const regeneration = { invoice_id, subscription_id, reason: body.reason ?? null, request_key };
    const id = await transaction(deps.pool, (db) => requestRegeneration(db, environment_id, regeneration), {
      act: request.act,
    });
    void deps.nudge([{ environment_id, subscription_id }], 'regenerateInvoice', { signal_args: [id!] });
    return respondOnceServed(deps, caller, id!);
  },
});

type Created = RouteResponse<201, Invoice>;
type Pending = RouteResponse<202, Regeneration>;

async function respondOnceServed(
  deps: Deps,
  { environment_id }: Caller,
  id: string,
): Promise<Created | Pending> {
  const deadline = performance.now() + WAIT_MAX_MS;
  const pause = createPauses();
  for (;;) {
    const regeneration = (await findRegeneration(deps.pool, environment_id, id))!;
    if (regeneration.status !== 'pending') return responseOf(deps, environment_id, regeneration);
    if (performance.now() > deadline)
      return { status: 202, body: regeneration, headers: { Location: `/v1/regenerations/${id}` } };
    await pause();
  }
}

async function responseOf(deps: Deps, environment_id: number, regeneration: Regeneration): Promise<Created> {
  const { new_invoice_id, refusal, details } = regeneration;
  if (new_invoice_id === null)
    throw details === null
      ? conflict(null, 'invalid_state', refusal!)
      : new BillingError('conflict', details);
  const invoice = (await findInvoice(deps.pool, environment_id, new_invoice_id))!;
  return { status: 201, body: invoice, headers: { Location: `/v1/invoices/${new_invoice_id}` } };
}

const read = route({
  method: 'get',
  path: '/v1/regenerations/{id}',
  operation_id: 'getRegeneration',
  tag: 'Invoices',
  summary: 'Get the status of a request to regenerate an invoice',
  examples: examples.readRegeneration,
  responses: { 200: RegenerationObject },
  handle: async ({ db, caller, params }) => {
    return foundOr404(await findRegeneration(db, caller.environment_id, params['id']!));
  },
});

export const regenerationRoutes = [regenerate, read];
