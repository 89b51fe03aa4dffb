import { Type, type Static } from 'typebox';
import { issueCreditNote, previewCreditNote, voidCreditNote } from '../../src/billing/owed/credit-note.ts';
import { refundNote } from '../../src/collection/note-refunds.ts';
import {
  boundsOfNotes,
  listCreditNotes,
  type CreditNoteFilter,
} from '../../src/db/invoicing/credit-note-list.ts';
import { findCreditNote } from '../../src/db/invoicing/credit-notes.ts';
import { findInvoice } from '../../src/db/invoicing/invoices.ts';
import type { Invoice } from '../../src/objects/invoice.ts';
import {
  CREDIT_NOTE_STATUSES,
  SETTLEMENTS,
  type ComposedCreditNote,
} from '../../src/domain/invoice/credit-note.ts';
import { invalid } from '../../src/domain/money/errors.ts';
import { CreditNoteObject, CreditNotePreview } from '../../src/objects/credit-note.ts';
import { exactly, oneOf } from '../../src/objects/parts.ts';
import { BOOKED, BOOKED_DAY, bookedAs, dayOfAccount } from '../csv/booked.ts';
import { flattened, pagesById } from '../csv/csv-pages.ts';
import { csvRoute } from '../csv/csv-route.ts';
import { notFoundError } from '../http/errors.ts';
import { printedNote } from '../../src/documents/credit-note-papers.ts';
import { pdfInThread } from '../../src/documents/pdf/pdf-thread.ts';
import * as examples from '../reference/examples/credit-notes.ts';
import { foundOr404 } from '../routing/found.ts';
import { listResponse } from '../routing/list.ts';
import { route } from '../routing/route.ts';
import { checkAlone, checkOrder } from '../schema/range.ts';
import { creditNoteDocument } from '../../src/documents/xml/credit-note-document.ts';
import { eInvoice } from '../../src/documents/xml/e-invoice.ts';
import { Amount, Bytes, Identifier, Instant, listOf, Month, Name, PAGE } from '../schema/schemas.ts';

const LINES_MAX = 1000;

const Line = exactly({
  line_item_id: Identifier,
  amount: Type.Optional({
    ...Amount,
    description: 'Net. The default is what the line has left to credit.',
  }),
});

/** A list of lines, or a word. One schema for both types, so that a fault names the member of the list. */
const Lines = Type.Unsafe<Static<typeof Line>[] | 'all'>({
  type: ['array', 'string'],
  items: Line,
  minItems: 1,
  maxItems: LINES_MAX,
  pattern: '^all$',
  'x-fault': 'must be a list of lines, or "all"',
  description:
    'What to credit. `all` credits what each line has left, those below zero too, whatever their number.',
});

const create = route({
  method: 'post',
  path: '/v1/invoices/{id}/credit-notes',
  operation_id: 'createCreditNote',
  tag: 'Credit notes',
  summary: 'Credit lines of an open or paid invoice, in full or in part',
  description:
    'Reduces first what is due on the invoice. What was paid goes to the balance of the customer, or is marked as paid back outside. ' +
    'The tax is that of all that is credited of the invoice, rounded once, less the tax of the credit notes before. ' +
    'A credit note takes back money only: usage that is corrected later comes off as well.',
  body: exactly({
    lines: Lines,
    reason: Type.String({ ...Name, description: 'Printed on the document.' }),
    settle: oneOf(SETTLEMENTS, {
      default: 'balance',
      description: 'Where the part goes that exceeds what is due.',
    }),
    refund: Type.Boolean({
      default: false,
      description:
        'With `settle: "outside"`: refund what is paid back outside, of the charges of the invoice, the newest first. 409 `not_refundable` ' +
        'if less is left of them.',
    }),
    dry_run: Type.Boolean({ default: false, description: 'Return what would be issued, and store nothing.' }),
  }),
  examples: examples.create,
  responses: { 200: CreditNotePreview, 201: CreditNoteObject },
  handle: async ({ db, caller, params, body }) => {
    const { environment_id, actor_id: by } = caller;
    const { reason, settle, refund, dry_run } = body;
    if (refund && settle !== 'outside')
      throw invalid('refund', 'not_allowed', 'refund goes with settle "outside" alone');
    const lines =
      body.lines === 'all'
        ? body.lines
        : body.lines.map(({ line_item_id, amount = null }) => ({ line_item_id, amount }));
    if (dry_run) {
      const previewed = await previewCreditNote(db, environment_id, params['id']!, { lines, settle });
      if (previewed === null) throw notFoundError();
      return { status: 200, body: previewOf(previewed.invoice, previewed.note) };
    }
    const note = await issueCreditNote(db, environment_id, params['id']!, { lines, settle, reason, by });
    if (note === null) throw notFoundError();
    if (refund) await refundNote(db, environment_id, note, by);
    return { status: 201, body: note, headers: { Location: `/v1/credit-notes/${note.id}` } };
  },
});

function previewOf(
  invoice: Invoice,
  { tax: amount, lines, ...amounts }: ComposedCreditNote,
): Static<typeof CreditNotePreview> {
  const { id: invoice_id, livemode, customer_id, currency, line_items } = invoice;
  return {
    object: 'credit_note_preview',
    livemode,
    invoice_id,
    customer_id,
    currency,
    lines: lines.map(({ line_item_id, ...line }) => ({
      line_item_id,
      description: line_items.find(({ id }) => id === line_item_id)!.description,
      ...line,
    })),
    ...amounts,
    tax: { ...invoice.tax, amount },
  };
}

const FILTERS = {
  customer_id: Type.Optional(Identifier),
  invoice_id: Type.Optional(Identifier),
  status: Type.Optional(oneOf(CREDIT_NOTE_STATUSES)),
  from: Type.Optional(Instant),
  to: Type.Optional(Instant),
  issued_month: Type.Optional(
    Type.String({
      ...Month,
      description: 'Instead of `from` and `to`: the month of the day of issue, as the credit note prints it.',
    }),
  ),
};
const AllFilters = exactly(FILTERS);
const RANGE =
  '`from` and `to` bound `issued_at`. `issued_month` goes by the day that each credit note prints, in its own time zone.';

/** Throws invalid_request for a range that runs backwards, and for a month beside a range. */
function filterOf(query: Static<typeof AllFilters>): CreditNoteFilter {
  checkOrder(query);
  checkAlone(query, 'issued_month', ['from', 'to']);
  const { customer_id = null, invoice_id = null, status = null, from = null, to = null } = query;
  return { customer_id, invoice_id, status, from, to, issued_month: query.issued_month };
}

const list = route({
  method: 'get',
  path: '/v1/credit-notes',
  operation_id: 'listCreditNotes',
  tag: 'Credit notes',
  summary: 'Credit notes, newest first',
  description: RANGE,
  query: exactly({ ...FILTERS, ...PAGE }),
  examples: examples.list,
  responses: { 200: listOf(CreditNoteObject) },
  handle: (request) => {
    const { db, caller, query } = request;
    const filters = filterOf(query);
    return listResponse(request, {
      name: 'credit-notes',
      filters,
      fetch: async (page) => {
        const bounds = await boundsOfNotes(db, caller.environment_id, filters);
        return listCreditNotes(db, caller.environment_id, { ...bounds, ...page });
      },
      show: (note) => note,
    });
  },
});

const csv = csvRoute({
  path: '/v1/credit-notes.csv',
  operation_id: 'exportCreditNotes',
  tag: 'Credit notes',
  summary: 'Credit notes as a CSV file, newest first',
  description: `${RANGE} ${BOOKED_DAY}`,
  query: AllFilters,
  row: exactly({ ...BOOKED, ...CreditNoteObject.properties }),
  pages: async function* ({ db, caller: { environment_id }, query }) {
    const bounds = await boundsOfNotes(db, environment_id, filterOf(query));
    const dayOf = await dayOfAccount(db, environment_id);
    const pages = pagesById((page) => listCreditNotes(db, environment_id, { ...bounds, ...page }));
    yield* flattened(pages, (note) => [{ ...bookedAs(note, dayOf), ...note }]);
  },
});

const read = route({
  method: 'get',
  path: '/v1/credit-notes/{id}',
  operation_id: 'getCreditNote',
  tag: 'Credit notes',
  summary: 'Get a credit note',
  examples: examples.read,
  responses: { 200: CreditNoteObject },
  handle: async ({ db, caller, params }) => {
    return foundOr404(await findCreditNote(db, caller.environment_id, params['id']!));
  },
});

const pdf = route({
  method: 'get',
  path: '/v1/credit-notes/{id}.pdf',
  operation_id: 'getCreditNotePdf',
  tag: 'Credit notes',
  summary: 'Get a credit note as a PDF document',
  media_type: 'application/pdf',
  responses: { 200: Bytes },
  handle: async ({ db, caller, params }) => {
    const { environment_id } = caller;
    const note = await findCreditNote(db, environment_id, params['id']!);
    if (note === null) throw notFoundError();
    const invoice = (await findInvoice(db, environment_id, note.invoice_id))!;
    return {
      status: 200,
      body: await pdfInThread(await printedNote(db, environment_id, { note, invoice })),
      headers: { 'Content-Disposition': `inline; filename="${note.number}.pdf"` },
    };
  },
});

const xml = route({
  method: 'get',
  path: '/v1/credit-notes/{id}.xml',
  operation_id: 'getCreditNoteXml',
  tag: 'Credit notes',
  summary: 'Get a credit note as an e-invoice: UBL 2.1 in the profile EN 16931',
  description:
    'A void credit note has none. 409 names each field of seller and customer that the standard requires.',
  media_type: 'application/xml',
  refusals: ['conflict'],
  responses: { 200: Bytes },
  handle: async ({ db, caller, params }) => {
    const { environment_id } = caller;
    const note = await findCreditNote(db, environment_id, params['id']!);
    if (note === null) throw notFoundError();
    const invoice = (await findInvoice(db, environment_id, note.invoice_id))!;
    return {
      status: 200,
      body: eInvoice(creditNoteDocument(note, invoice)),
      headers: { 'Content-Disposition': `attachment; filename="${note.number}.xml"` },
    };
  },
});

const voidRoute = route({
  method: 'post',
  path: '/v1/credit-notes/{id}/void',
  operation_id: 'voidCreditNote',
  tag: 'Credit notes',
  summary: 'Void a credit note that was issued by mistake',
  description:
    'What it took off its invoice is due again. What it added to the balance of the customer is taken back from there. What the balance lacks is ' +
    'due again on the invoices that it covers, the one that it covered last first; 409 with the reason `paid_out` if they have too little, too.',
  body: exactly({ reason: Type.Optional(Name) }),
  body_may_be_absent: true,
  examples: examples.voidNote,
  responses: { 200: CreditNoteObject },
  handle: async ({ db, caller, params, body }) => {
    const { environment_id, actor_id: by } = caller;
    const voiding = { id: params['id']!, reason: body.reason ?? null, by };
    return foundOr404(await voidCreditNote(db, environment_id, voiding));
  },
});

export const creditNoteRoutes = [create, list, csv, read, pdf, xml, voidRoute];
