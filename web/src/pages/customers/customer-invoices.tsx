import { pathWith } from '../../api/client.ts';
import type { Customer, Invoice, List } from '../../api/objects.ts';
import { useLoad } from '../../api/use-load.ts';
import { Loading } from '../../components/loading.tsx';
import { Empty } from '../../components/notice.tsx';
import { Section } from '../../components/page.tsx';
import { Table } from '../../components/table.tsx';
import { Link, useAddress } from '../../shell/environment.tsx';
import { INVOICE_COLUMNS } from '../invoices/invoices.tsx';
import { BilledMonths } from './billed-months.tsx';

/** Twelve months of a customer in bars, and its ten newest invoices, with a link to all of them. */
export function CustomerInvoices({ customer }: { customer: Customer }) {
  const { id, external_id } = customer;
  const addressOf = useAddress();
  const invoices = useLoad<List<Invoice>>(`/v1/invoices?customer_id=${id}&limit=10`);
  return (
    <Section
      title="Invoices"
      actions={<Link to={pathWith('/invoices', { customer_id: external_id })}>Show all</Link>}
    >
      <BilledMonths
        customer={customer}
        timezone={customer.timezone ?? 'UTC'}
        addressOf={(month) => addressOf(pathWith('/invoices', { customer_id: external_id, month }))}
      />
      <Loading loaded={invoices}>
        {({ data }) =>
          data.length === 0 ? (
            <Empty title="No invoices yet">
              <p>The first invoice is created automatically when a period ends.</p>
            </Empty>
          ) : (
            <Table
              caption="Latest invoices"
              keyOf={(invoice) => invoice.id}
              items={data}
              columns={INVOICE_COLUMNS}
            />
          )
        }
      </Loading>
    </Section>
  );
}
