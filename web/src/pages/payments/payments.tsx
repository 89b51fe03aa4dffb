import { pathWith } from '../../api/client.ts';
import type { Payment } from '../../api/objects.ts';
import { usePages, useQuery } from '../../api/use-pages.ts';
import { DownloadButton } from '../../components/download-button.tsx';
import { Filters } from '../../components/filters.tsx';
import { Field } from '../../components/form.tsx';
import { dayAfter } from '../../components/instant.ts';
import { Empty } from '../../components/notice.tsx';
import { Page } from '../../components/page.tsx';
import { PagedTable, type Column } from '../../components/table.tsx';
import { Link } from '../../shell/environment.tsx';
import { May } from '../../shell/session.tsx';
import { CustomerField } from '../choices/customer-field.tsx';
import { CutCustomerLink } from '../parts/links.tsx';
import { PAID_FOR, paymentColumns } from './payment-columns.tsx';

/** List of payments, of invoices and in advance, with a file of all that the filters find. */
export function PaymentsPage() {
  const [{ customer_id, reference, from, to }, setQuery] = useQuery();
  const narrowing = { customer_id, reference, from, to };
  const is_filtered = Object.values(narrowing).some(Boolean);
  const filters = { ...narrowing, to: to && dayAfter(to) };
  const pages = usePages<Payment>('/v1/payments', filters);
  const [paid_on, ...other_columns] = paymentColumns(pages.loaded.reload);
  return (
    <Page
      title="Payments"
      actions={
        <>
          <May use="matchTransfers">
            <Link to="/payments/bank-file" is_button>
              Open a bank's file
            </Link>
          </May>
          <DownloadButton
            label="Export CSV"
            path={pathWith('/v1/payments.csv', filters)}
            name="payments.csv"
          />
        </>
      }
    >
      <Filters values={narrowing} apply={(values) => setQuery({ ...values, cursor: undefined })}>
        <CustomerField initial={customer_id} />
        <Field name="reference" label="Reference" placeholder="In full" initial={reference} />
        <Field name="from" label="Paid from (UTC)" type="date" initial={from} />
        <Field name="to" label="To, inclusive" type="date" initial={to} />
      </Filters>
      <PagedTable
        is_list
        caption="Payments, newest first"
        pages={pages}
        keyOf={({ id }) => id}
        columns={[paid_on, CUSTOMER, PAID_FOR, ...other_columns]}
        empty={is_filtered ? <NothingFound /> : <NothingYet />}
      />
    </Page>
  );
}

const CUSTOMER: Column<Payment> = {
  title: 'Customer',
  show: ({ customer_id }) => <CutCustomerLink id={customer_id} />,
};

function NothingFound() {
  return (
    <Empty title="No matching payments">
      <p>Remove a filter. A reference is compared in full, as it is written. Days are in UTC.</p>
    </Empty>
  );
}

function NothingYet() {
  return (
    <Empty title="No payments yet">
      <p>
        Record the payment of an invoice on the page of the invoice, see <Link to="/invoices">Invoices</Link>,
        and one in advance on the page of the customer.
      </p>
    </Empty>
  );
}
