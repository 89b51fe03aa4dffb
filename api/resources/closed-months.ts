import type { Readable } from 'node:stream';
import { Type } from 'typebox';
import { closeMonth, openMonth } from '../../src/billing/owed/close-month.ts';
import { findClosedMonth, listClosedMonths } from '../../src/db/invoicing/closed-months.ts';
import { ClosedMonthObject } from '../../src/objects/closed-month.ts';
import { exactly } from '../../src/objects/parts.ts';
import { notFoundError } from '../http/errors.ts';
import * as examples from '../reference/examples/closed-months.ts';
import { foundOr404 } from '../routing/found.ts';
import { listResponse } from '../routing/list.ts';
import { route } from '../routing/route.ts';
import { Identifier, listOf, Month, Name, PAGE } from '../schema/schemas.ts';
import { openArchive } from './month-archive.ts';

const close = route({
  method: 'post',
  path: '/v1/closed-months',
  operation_id: 'closeMonth',
  tag: 'Invoices',
  summary: 'Close the books of a month',
  description:
    'Keeps the trial balance and a hash of the journal. Invoices and credit notes that were issued in the month are then neither voided nor ' +
    'regenerated: 409 with the reason `month_closed`. Everything else is booked on its own day. Possible from an hour after the end of the month ' +
    'on, in test data at any time.',
  body: exactly({
    month: Type.String({ ...Month, description: 'A month by the time zone of the account.' }),
  }),
  examples: examples.close,
  responses: { 201: ClosedMonthObject },
  may_take_long: true,
  handle: async ({ db, caller, body: { month } }) => {
    const closed = await closeMonth(db, caller.environment_id, { month, by: caller.actor_id });
    return { status: 201, body: closed, headers: { Location: `/v1/closed-months/${month}` } };
  },
});

const list = route({
  method: 'get',
  path: '/v1/closed-months',
  operation_id: 'listClosedMonths',
  tag: 'Invoices',
  summary: 'Months whose books are closed, the latest first',
  query: exactly({
    object_id: Type.Optional({
      ...Identifier,
      description:
        'An invoice or a credit note: only the closed months for which it cannot be voided, those of its issue and of automatic credit notes ' +
        'that would be void with it.',
    }),
    ...PAGE,
  }),
  examples: examples.list,
  responses: { 200: listOf(ClosedMonthObject) },
  handle: (request) => {
    const { db, caller, query } = request;
    const filters = { object_id: query.object_id ?? null };
    return listResponse(request, {
      name: 'closed-months',
      filters,
      fetch: async (page) => {
        const months = await listClosedMonths(db, caller.environment_id, { ...filters, ...page });
        return months.map((closed) => ({ id: closed.month, closed }));
      },
      show: ({ closed }) => closed,
    });
  },
});

const read = route({
  method: 'get',
  path: '/v1/closed-months/{month}',
  operation_id: 'getClosedMonth',
  tag: 'Invoices',
  summary: 'Get a month whose books are closed',
  examples: examples.read,
  responses: { 200: ClosedMonthObject },
  handle: async ({ db, caller, params }) => {
    return foundOr404(await findClosedMonth(db, caller.environment_id, params['month']!));
  },
});

const open = route({
  method: 'post',
  path: '/v1/closed-months/{month}/open',
  operation_id: 'openMonth',
  tag: 'Invoices',
  summary: 'Open the books of a closed month again',
  description: 'The response is the month as it was closed. The audit log keeps the reason.',
  body: exactly({ reason: Name }),
  examples: examples.open,
  responses: { 200: ClosedMonthObject },
  handle: async ({ db, caller, params, body: { reason } }) => {
    const opening = { month: params['month']!, reason, by: caller.actor_id };
    return foundOr404(await openMonth(db, caller.environment_id, opening));
  },
});

/** A ZIP archive, while it is made. */
const Zip = Type.Unsafe<Readable>({ type: 'string', format: 'binary' });

const archive = route({
  method: 'get',
  path: '/v1/closed-months/{month}/archive.zip',
  operation_id: 'exportClosedMonth',
  tag: 'Invoices',
  summary: 'Everything of a closed month as a ZIP archive',
  description:
    '`journal.csv`, `trial-balance.csv`, `receivables.csv` at the end of the month, the invoices and credit notes that were issued in it as PDF ' +
    'and, where there is one, as e-invoice, and `index.csv` with `path`, `bytes` and `sha256` of each file. It is made while it is sent.',
  media_type: 'application/zip',
  refusals: ['conflict'],
  responses: { 200: Zip },
  handle: async ({ deps, caller: { environment_id }, params, request_id }) => {
    const closed = await findClosedMonth(deps.pool, environment_id, params['month']!);
    if (closed === null) throw notFoundError();
    return {
      status: 200,
      body: await openArchive({ deps, environment_id, request_id }, closed),
      headers: { 'Content-Disposition': `attachment; filename="${closed.month}.zip"` },
    };
  },
});

export const closedMonthRoutes = [close, list, read, open, archive];
