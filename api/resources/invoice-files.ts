import { Type } from 'typebox';
import { boundsOfInvoices } from '../../src/db/invoicing/invoice-filter.ts';
import { listInvoices } from '../../src/db/invoicing/invoices.ts';
import type { Db } from '../../src/db/connection/pool.ts';
import { INVOICE_STATUSES } from '../../src/domain/lines/invoice-state.ts';
import { InvoiceObject, LineItem } from '../../src/objects/invoice.ts';
import { exactly, nullable, oneOf, ResponseInstant } from '../../src/objects/parts.ts';
import { BOOKED, BOOKED_DAY, bookedAs, dayOfAccount } from '../csv/booked.ts';
import { flattened, pagesById } from '../csv/csv-pages.ts';
import { csvRoute } from '../csv/csv-route.ts';
import type { Caller } from '../http/deps.ts';
import { AllFilters, filterOf, type Filters } from './invoices.ts';

type Asked = { db: Db; caller: Caller; query: Filters };

/** The time zones of a month are read once for all pages. */
async function* pagesOf({ db, caller, query }: Asked) {
  const bounds = await boundsOfInvoices(db, caller.environment_id, filterOf(query));
  yield* pagesById((page) => listInvoices(db, caller.environment_id, { ...bounds, ...page }));
}

const invoices = csvRoute({
  path: '/v1/invoices.csv',
  operation_id: 'exportInvoices',
  tag: 'Invoices',
  summary: 'Invoices as a CSV file, newest first',
  description: `Takes the filters of the list. Line items and payments have files of their own. ${BOOKED_DAY}`,
  query: AllFilters,
  row: exactly({
    ...BOOKED,
    ...Type.Omit(InvoiceObject, ['line_items', 'payments', 'credit_notes', 'collection_pause', 'collection'])
      .properties,
  }),
  pages: async function* (request) {
    const dayOf = await dayOfAccount(request.db, request.caller.environment_id);
    yield* flattened(pagesOf(request), (invoice) => [{ ...bookedAs(invoice, dayOf), ...invoice }]);
  },
});

const { id, ...MEMBERS } = LineItem.properties;
const Line = exactly({
  id,
  invoice_id: Type.String(),
  invoice_number: nullable(Type.String()),
  invoice_status: oneOf(INVOICE_STATUSES),
  invoice_issued_at: nullable(ResponseInstant),
  customer_id: Type.String(),
  subscription_id: Type.String(),
  currency: Type.String(),
  ...MEMBERS,
});

const lines = csvRoute({
  path: '/v1/line-items.csv',
  operation_id: 'exportLineItems',
  tag: 'Invoices',
  summary: 'Line items as a CSV file, those of the newest invoice first',
  description: 'Takes the filters of the list of invoices.',
  query: AllFilters,
  row: Line,
  pages: (request) =>
    flattened(pagesOf(request), (invoice) => {
      const { id, number, status, issued_at, customer_id, subscription_id, currency } = invoice;
      const head = { invoice_id: id, invoice_number: number, invoice_status: status };
      return invoice.line_items.map((line) => ({
        ...head,
        invoice_issued_at: issued_at,
        customer_id,
        subscription_id,
        currency,
        ...line,
      }));
    }),
});

export const invoiceFileRoutes = [invoices, lines];
