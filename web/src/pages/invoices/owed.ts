import { pathWith, type Client } from '../../api/client.ts';
import type { InvoiceSum, InvoiceSummary } from '../../api/objects.ts';

/** The sums of invoices, to which a filter by customer may be added. */
export const SUMS_OF_INVOICES = '/v1/invoices/summary';

/** The sums of open invoices of a currency; `overdue` is the part of them that is overdue, null where none is. */
export type Owed = { currency: string; open: InvoiceSum; overdue: InvoiceSum | null };

/** Reads what is owed by currency, of the invoices that a path of sums is about. For useLoad. */
export async function readOwed(client: Client, path: string, signal: AbortSignal): Promise<Owed[]> {
  const read = async (filter: { status: string } | { overdue: string }) =>
    (await client.get<InvoiceSummary>(pathWith(path, filter), signal)).data;
  const [open, overdue] = await Promise.all([read({ status: 'open' }), read({ overdue: 'true' })]);
  return open.map((sum) => ({
    currency: sum.currency,
    open: sum,
    overdue: overdue.find(({ currency }) => currency === sum.currency) ?? null,
  }));
}
