import type { Invoice } from '../../api/objects.ts';
import type { Pages } from '../../api/use-pages.ts';
import { Empty } from '../../components/notice.tsx';
import { Section } from '../../components/page.tsx';
import { PagedTable, type Column } from '../../components/table.tsx';
import { Money, Period, PrintedDay } from '../../components/values.tsx';
import { Link } from '../../shell/environment.tsx';
import { ListedState } from '../invoices/invoice-state.tsx';

const COLUMNS: readonly Column<Invoice>[] = [
  { title: 'Number', show: ({ id, number }) => <Link to={`/invoices/${id}`}>{number ?? 'draft'}</Link> },
  { title: 'Status', show: (invoice) => <ListedState invoice={invoice} /> },
  {
    title: 'Period',
    show: ({ period_start, period_end, timezone }) => (
      <Period from={period_start} to={period_end} timezone={timezone} />
    ),
  },
  {
    title: 'Issued',
    show: ({ issued_at, timezone }) => <PrintedDay at={issued_at} timezone={timezone} />,
  },
  {
    title: 'Total',
    show: ({ total, currency }) => <Money amount={total} currency={currency} />,
    is_number: true,
  },
];

/** The invoices of a subscription. */
export function Invoices({ pages, has_ended }: { pages: Pages<Invoice>; has_ended: boolean }) {
  return (
    <Section title="Invoices">
      <PagedTable
        caption="Invoices of this subscription, newest first"
        pages={pages}
        columns={COLUMNS}
        keyOf={({ id }) => id}
        empty={
          <Empty title={has_ended ? 'The subscription has ended and has no invoice' : 'No invoices yet'}>
            {!has_ended && <p>The first invoice is created when a period ends.</p>}
          </Empty>
        }
      />
    </Section>
  );
}
