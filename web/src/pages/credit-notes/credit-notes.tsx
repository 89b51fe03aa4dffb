import type { CreditNote } from '../../api/objects.ts';
import { usePages, useQuery } from '../../api/use-pages.ts';
import { Badge } from '../../components/badge.tsx';
import { Filters } from '../../components/filters.tsx';
import { Field, Select, type Values } from '../../components/form.tsx';
import { dayAfter } from '../../components/instant.ts';
import { Empty } from '../../components/notice.tsx';
import { Page } from '../../components/page.tsx';
import { PagedTable, type Column } from '../../components/table.tsx';
import { Cut, Money, PrintedDay } from '../../components/values.tsx';
import { Link } from '../../shell/environment.tsx';
import { CustomerField } from '../choices/customer-field.tsx';
import { CutCustomerLink } from '../parts/links.tsx';

const STATUSES = [
  { value: '', label: 'Any' },
  ...['issued', 'void'].map((status) => ({ value: status, label: status })),
];

export function CreditNotesPage() {
  const [{ customer_id, status, month, from, to }, setQuery] = useQuery();
  const narrowing = { customer_id, status, month, from, to };
  const is_filtered = Object.values(narrowing).some(Boolean);
  const days = month ? { issued_month: month } : { from, to: to && dayAfter(to) };
  const pages = usePages<CreditNote>('/v1/credit-notes', { customer_id, status, ...days });
  // A month stands for its days.
  const apply = (values: Values) =>
    setQuery({ ...values, ...(values['month'] && { from: '', to: '' }), cursor: undefined });
  return (
    <Page title="Credit notes">
      <Filters values={narrowing} apply={apply}>
        <CustomerField initial={customer_id} />
        <Select name="status" label="Status" options={STATUSES} value={status ?? ''} />
        <div class="filter-days">
          <Field name="month" label="Issued in" type="month" initial={month} />
          <Field name="from" label="Or days, from" type="date" initial={from} />
          <Field name="to" label="To, inclusive" type="date" initial={to} />
        </div>
      </Filters>
      <PagedTable
        is_list
        caption="Credit notes, newest first"
        pages={pages}
        keyOf={({ id }) => id}
        columns={COLUMNS}
        empty={is_filtered ? <NothingFound /> : <NothingYet />}
      />
    </Page>
  );
}

const COLUMNS: readonly Column<CreditNote>[] = [
  { title: 'Number', show: ({ id, number }) => <Link to={`/credit-notes/${id}`}>{number}</Link> },
  {
    title: 'Customer',
    show: ({ customer_id, customer }) => <CutCustomerLink id={customer_id} name={customer.name} />,
  },
  { title: 'Status', show: ({ status }) => <Badge status={status} /> },
  {
    title: 'Invoice',
    show: ({ invoice_id, invoice_number }) => <Link to={`/invoices/${invoice_id}`}>{invoice_number}</Link>,
  },
  {
    title: 'Issued',
    show: ({ issued_at, timezone }) => <PrintedDay at={issued_at} timezone={timezone} />,
  },
  {
    title: 'Total',
    show: ({ total, currency }) => <Money amount={total} currency={currency} />,
    is_number: true,
    on_phone: 'figure',
  },
  { title: 'Reason', show: ({ reason }) => <Cut text={reason} />, on_phone: 'hidden' },
];

function NothingFound() {
  return (
    <Empty title="No matching credit notes">
      <p>
        Remove a filter. A month goes by the day that each credit note prints, in its own time zone; other
        days are in UTC.
      </p>
    </Empty>
  );
}

function NothingYet() {
  return (
    <Empty title="No credit notes yet">
      <p>
        A credit note corrects an invoice that was sent. Open the invoice to credit it:{' '}
        <Link to="/invoices">Invoices</Link>.
      </p>
    </Empty>
  );
}
