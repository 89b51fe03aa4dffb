import { useCallback, useRef } from 'preact/hooks';
import { pathWith, type Client } from '../../api/client.ts';
import type { Found, Invoice, List } from '../../api/objects.ts';
import { Combobox, type Choice } from '../../components/combobox.tsx';
import { grouped } from '../../components/grouped.ts';
import { useClient } from '../../shell/session.tsx';

/** Customers whose open invoices are offered: each is a request. */
const CUSTOMERS_MAX = 3;

type InvoiceFieldProps = {
  currency: string;
  /** Receives the invoice that was chosen; null once other text is typed. */
  change: (invoice: Invoice | null) => void;
};

/** A field for an open invoice in a currency, by its number, its total or its customer. Its value is `invoice_id`. */
export function InvoiceField({ currency, change }: InvoiceFieldProps) {
  const client = useClient();
  const invoices = useRef(new Map<string, Invoice>());
  const find = useCallback(
    async (words: string, signal: AbortSignal) => {
      if (words === '') return [];
      const found = await findOpenInvoices(client, words, signal);
      const offered = found.filter((invoice) => invoice.currency === currency);
      offered.forEach((invoice) => invoices.current.set(invoice.id, invoice));
      return offered.map(choiceOf);
    },
    [client, currency],
  );
  return (
    <Combobox
      name="invoice_id"
      label="Open invoice"
      hint="By a part of its number, its total, or its customer."
      find={find}
      useLabel={() => null}
      change={(choice) => change(choice === null ? null : (invoices.current.get(choice.value) ?? null))}
    />
  );
}

/** Open invoices by some words: the invoices that the search finds, then the ones of the customers that it finds. */
async function findOpenInvoices(client: Client, words: string, signal: AbortSignal): Promise<Invoice[]> {
  const { data } = await client.get<List<Found>>(pathWith('/v1/search', { q: words }), signal);
  const customers = data.filter((result) => result.object === 'customer').slice(0, CUSTOMERS_MAX);
  const lists = await Promise.all(
    customers.map(({ id }) =>
      client.get<List<Invoice>>(pathWith('/v1/invoices', { customer_id: id, status: 'open' }), signal),
    ),
  );
  const found = data
    .filter((result) => result.object === 'invoice')
    .filter(({ status }) => status === 'open');
  const all = [...found, ...lists.flatMap((list) => list.data)];
  return [...new Map(all.map((invoice) => [invoice.id, invoice])).values()];
}

function choiceOf({ id, number, amount_due, currency, customer, customer_id, due_date }: Invoice): Choice {
  const details = `${grouped(amount_due)} ${currency}, ${customer.name ?? customer_id}, due on ${due_date}`;
  return { value: id, label: number ?? id, details };
}
