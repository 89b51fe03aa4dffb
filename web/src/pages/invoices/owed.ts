import type { Client, Query } from '../../api/client.ts';
import { pathWith } from '../../api/client.ts';
import type { InvoiceSum, InvoiceSummary } from '../../api/objects.ts';

/** The sums of open invoices of a currency; `overdue` is the part of them that is overdue, null where none is. */
export type Owed = { currency: string; open: InvoiceSum; overdue: InvoiceSum | null };

/** Reads what is owed by currency, of all customers or of one. */
export async function readOwed(client: Client, filters: Query, signal: AbortSignal): Promise<Owed[]> {
  const [open, overdue] = await Promise.all([
    readSums(client, { ...filters, status: 'open' }, signal),
    readSums(client, { ...filters, overdue: 'true' }, signal),
  ]);
  return open.map((sum) => ({
    ...{ currency: sum.currency, open: sum },
    overdue: overdue.find(({ currency }) => currency === sum.currency) ?? null,
  }));
}

/** Reads the sums of the invoices that fit some filters, by status and currency. */
export async function readSums(client: Client, filters: Query, signal: AbortSignal): Promise<InvoiceSum[]> {
  return (await client.get<InvoiceSummary>(pathWith('/v1/invoices/summary', filters), signal)).data;
}
