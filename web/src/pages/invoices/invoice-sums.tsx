import { pathWith, type Query } from '../../api/client.ts';
import type { InvoiceSum, InvoiceSummary } from '../../api/objects.ts';
import { useLoad } from '../../api/use-load.ts';
import { Badge } from '../../components/badge.tsx';
import { Loading } from '../../components/loading.tsx';
import { Table, type Column } from '../../components/table.tsx';
import { Money } from '../../components/values.tsx';

/** The sums of all invoices that the filters of the list find, by status and currency. */
export function InvoiceSums({ filters }: { filters: Query }) {
  const loaded = useLoad<InvoiceSummary>(pathWith('/v1/invoices/summary', filters));
  return (
    <Loading loaded={loaded}>{({ data }) => (data.length === 0 ? null : <SumsTable sums={data} />)}</Loading>
  );
}

/** Sums of invoices, a row for each status and currency. */
export function SumsTable({ sums }: { sums: readonly InvoiceSum[] }) {
  return (
    <Table
      caption="Sums by status and currency"
      items={sums}
      keyOf={({ status, currency }) => `${status} ${currency}`}
      columns={COLUMNS}
    />
  );
}

const amountColumn = (title: string, amountOf: (sum: InvoiceSum) => string): Column<InvoiceSum> => ({
  title,
  show: (sum) => <Money amount={amountOf(sum)} currency={sum.currency} />,
  is_number: true,
});

const COLUMNS: readonly Column<InvoiceSum>[] = [
  { title: 'Status', show: ({ status }) => <Badge status={status} /> },
  { title: 'Invoices', show: ({ count }) => count, is_number: true },
  amountColumn('Total', ({ total }) => total),
  amountColumn('Tax included', ({ tax }) => tax),
  amountColumn('Paid', ({ amount_paid }) => amount_paid),
  amountColumn('Amount due', ({ amount_due }) => amount_due),
];
