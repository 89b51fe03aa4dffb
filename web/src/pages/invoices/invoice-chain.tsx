import type { Client } from '../../api/client.ts';
import type { Invoice } from '../../api/objects.ts';
import { useLoad } from '../../api/use-load.ts';
import { Loading } from '../../components/loading.tsx';
import { Section } from '../../components/page.tsx';
import { Table, type Column } from '../../components/table.tsx';
import { Money, PrintedDay } from '../../components/values.tsx';
import { Link } from '../../shell/environment.tsx';
import { InvoiceState } from './invoice-state.tsx';

/** The most links in each direction. */
const LINKS_MAX = 20;

/** The invoices that this one replaces, and those that replace it. */
export function InvoiceChain({ invoice }: { invoice: Invoice }) {
  const loaded = useLoad<Invoice[]>(`/v1/invoices/${invoice.id}`, chainOf);
  return (
    <Section title="Versions of this invoice">
      <Loading loaded={loaded}>
        {(chain) => (
          <Table
            caption="Versions of this invoice, oldest first"
            keyOf={({ id }) => id}
            items={chain.map((version) => (version.id === invoice.id ? invoice : version))}
            columns={columns(invoice.id)}
          />
        )}
      </Loading>
    </Section>
  );
}

async function chainOf(client: Client, path: string, signal: AbortSignal): Promise<Invoice[]> {
  const follow = async (from: Invoice, next: (invoice: Invoice) => string | null) => {
    const invoices: Invoice[] = [];
    let id = next(from);
    while (id !== null && invoices.length < LINKS_MAX) {
      const invoice = await client.get<Invoice>(`/v1/invoices/${id}`, signal);
      invoices.push(invoice);
      id = next(invoice);
    }
    return invoices;
  };
  const invoice = await client.get<Invoice>(path, signal);
  const older = await follow(invoice, ({ replaces }) => replaces);
  const newer = await follow(invoice, ({ replaced_by }) => replaced_by);
  return [...older.reverse(), invoice, ...newer];
}

function columns(here: string): Column<Invoice>[] {
  return [
    {
      title: 'Version',
      show: ({ id, number }) =>
        id === here ? (
          <strong>{number ?? 'no number'}, this one</strong>
        ) : (
          <Link to={`/invoices/${id}`}>{number ?? 'no number'}</Link>
        ),
    },
    { title: 'Status', show: (version) => <InvoiceState invoice={version} /> },
    {
      title: 'Created',
      show: ({ created_at, timezone }) => <PrintedDay at={created_at} timezone={timezone} />,
    },
    {
      title: 'Reason for the replacement',
      show: ({ void_reason, replaced_by }) =>
        replaced_by === null ? '–' : (void_reason ?? 'no reason given'),
    },
    {
      title: 'Total',
      show: ({ total, currency }) => <Money amount={total} currency={currency} />,
      is_number: true,
    },
  ];
}
