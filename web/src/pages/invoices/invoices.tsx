import { pathWith, type Query } from '../../api/client.ts';
import type { Invoice } from '../../api/objects.ts';
import { usePages, useQuery } from '../../api/use-pages.ts';
import { DownloadButton } from '../../components/download-button.tsx';
import { Filters } from '../../components/filters.tsx';
import { Field, Select, type Values } from '../../components/form.tsx';
import { Empty } from '../../components/notice.tsx';
import { Page } from '../../components/page.tsx';
import { PagedTable, type Column } from '../../components/table.tsx';
import { Money, Period, PrintedDay } from '../../components/values.tsx';
import { Link } from '../../shell/environment.tsx';
import { CutCustomerLink } from '../parts/links.tsx';
import { CustomerField } from '../choices/customer-field.tsx';
import { SubscriptionField } from '../choices/subscription-field.tsx';
import { GenerateButton } from './generate-button.tsx';
import { ListedState } from './invoice-state.tsx';
import { InvoiceSums } from './invoice-sums.tsx';
import { BY_ISSUE, rangeOf } from './invoice-range.ts';
import { May } from '../../shell/session.tsx';

const STATUSES = [
  { value: '', label: 'Any' },
  ...['draft', 'open', 'paid', 'void'].map((status) => ({ value: status, label: status })),
];

const OVERDUE = [
  { value: '', label: 'Any' },
  { value: 'true', label: 'overdue' },
  { value: 'false', label: 'not overdue' },
];

const DAYS = [
  { value: '', label: 'period’s end' },
  { value: BY_ISSUE, label: 'day of issue' },
];

export function InvoicesPage() {
  const [{ customer_id, subscription_id, number, status, overdue, by, month, from, to }, setQuery] =
    useQuery();
  const narrowing = { customer_id, subscription_id, number, status, overdue, month, from, to };
  const range = rangeOf({ by, month, from, to });
  const is_filtered = Object.values(narrowing).some(Boolean);
  const filters = { customer_id, subscription_id, number, status, overdue, ...range };
  const pages = usePages<Invoice>('/v1/invoices', filters);
  // A month stands for its days.
  const apply = (values: Values) =>
    setQuery({ ...values, ...(values['month'] && { from: '', to: '' }), cursor: undefined });
  return (
    <Page
      title="Invoices"
      actions={
        <>
          <ExportButton label="Export CSV" list="invoices" filters={filters} month={month} />
          <ExportButton label="Export line items" list="line-items" filters={filters} month={month} />
          <May use="generateInvoices">
            <GenerateButton generated={pages.loaded.reload} />
          </May>
        </>
      }
    >
      <Filters values={{ ...narrowing, by }} apply={apply}>
        <CustomerField initial={customer_id} />
        <SubscriptionField initial={subscription_id} />
        <Field name="number" label="Number" initial={number} />
        <Select name="status" label="Status" options={STATUSES} value={status ?? ''} />
        <Select name="overdue" label="Overdue" options={OVERDUE} value={overdue ?? ''} />
        <div class="filter-days">
          <Select name="by" label="By" options={DAYS} value={by ?? ''} />
          <Field name="month" label="Month" type="month" initial={month} />
          <Field name="from" label="Or days, from" type="date" initial={from} />
          <Field name="to" label="To, inclusive" type="date" initial={to} />
        </div>
      </Filters>
      <InvoiceSums filters={filters} />
      <PagedTable
        is_list
        caption="Invoices, newest first"
        pages={pages}
        keyOf={({ id }) => id}
        columns={[
          ...INVOICE_COLUMNS.slice(0, 1),
          {
            title: 'Customer',
            show: ({ customer_id, customer }) => <CutCustomerLink id={customer_id} name={customer.name} />,
          },
          ...(by === BY_ISSUE ? [ISSUED] : []),
          ...INVOICE_COLUMNS.slice(1),
        ]}
        empty={is_filtered ? <NothingFound is_by_issue={by === BY_ISSUE} /> : <NothingYet />}
      />
    </Page>
  );
}

type ExportProps = { label: string; list: string; filters: Query; month: string | undefined };

/** Saves all rows that the filters find, not only this page of them. */
function ExportButton({ label, list, filters, month }: ExportProps) {
  const name = month ? `${list}-${month}.csv` : `${list}.csv`;
  return <DownloadButton label={label} path={pathWith(`/v1/${list}.csv`, filters)} name={name} />;
}

const ISSUED: Column<Invoice> = {
  title: 'Issued',
  show: ({ issued_at, timezone }) => <PrintedDay at={issued_at} timezone={timezone} />,
};

/** An invoice in a list, but for whose it is. */
export const INVOICE_COLUMNS: readonly Column<Invoice>[] = [
  {
    title: 'Number',
    show: ({ id, number }) => <Link to={`/invoices/${id}`}>{number ?? 'no number'}</Link>,
  },
  {
    title: 'Status',
    show: (invoice) => <ListedState invoice={invoice} />,
  },
  {
    title: 'Period',
    show: ({ period_start, period_end, timezone }) => (
      <Period from={period_start} to={period_end} timezone={timezone} />
    ),
  },
  {
    title: 'Total',
    show: ({ total, currency }) => <Money amount={total} currency={currency} />,
    is_number: true,
    on_phone: 'figure',
  },
  {
    title: 'Amount due',
    show: ({ amount_due, currency }) => <Money amount={amount_due} currency={currency} />,
    is_number: true,
    on_phone: 'hidden',
  },
  {
    title: 'Due date',
    show: ({ due_date }) => <span class="nowrap">{due_date ?? '–'}</span>,
    on_phone: 'hidden',
  },
];

function NothingFound({ is_by_issue }: { is_by_issue: boolean }) {
  return (
    <Empty title="No matching invoices">
      <p>
        Remove a filter. A month goes by the days that each invoice prints, in its own time zone; other days
        are in UTC.{' '}
        {is_by_issue ? 'Drafts have no day of issue.' : 'A period belongs to the month of its last day.'}
      </p>
    </Empty>
  );
}

function NothingYet() {
  return (
    <Empty title="No invoices yet">
      <p>
        An invoice is created automatically when the period of a subscription ends. In test data, you can move
        the time of a customer forward on its page: <Link to="/customers">Customers</Link>.
      </p>
    </Empty>
  );
}
