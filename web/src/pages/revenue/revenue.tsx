import { isZero } from '../../../../src/domain/money/figures.ts';
import { pathWith, type Query } from '../../api/client.ts';
import type { Revenue, RevenueBucket } from '../../api/objects.ts';
import { useLoad } from '../../api/use-load.ts';
import { useQuery } from '../../api/use-pages.ts';
import { DownloadButton } from '../../components/download-button.tsx';
import { Filters } from '../../components/filters.tsx';
import { Field, Select } from '../../components/form.tsx';
import { dayAfter } from '../../components/instant.ts';
import { Loading } from '../../components/loading.tsx';
import { Empty } from '../../components/notice.tsx';
import { Page, Section } from '../../components/page.tsx';
import { Table, type Column } from '../../components/table.tsx';
import { Period, Quantity } from '../../components/values.tsx';
import { Link } from '../../shell/environment.tsx';
import { CustomerField } from '../choices/customer-field.tsx';
import { Recurring } from './recurring.tsx';
import { labelOf, pageOfBucket, RevenueChart } from './revenue-chart.tsx';
import { RevenueGroups } from './revenue-groups.tsx';

const PARTS = [
  { value: 'month', label: 'Month' },
  { value: 'week', label: 'Week' },
  { value: 'day', label: 'Day' },
];

const GROUPS = [
  { value: '', label: 'Nothing' },
  { value: 'customer', label: 'Customer' },
  { value: 'plan', label: 'Plan' },
];

/** The page of revenue: as it was booked, by part of a range and by group, and as it recurs each month. */
export function RevenuePage() {
  const [{ by = 'month', group_by, currency, customer_id, from, to, month }, setQuery] = useQuery();
  const values = { by, group_by, currency, customer_id, from, to };
  const range = { from, to: to && dayAfter(to), currency, customer_id };
  const loaded = useLoad<Revenue>(pathWith('/v1/revenue', { ...range, by }));
  const currencies = currenciesOf(loaded.value, currency);
  return (
    <Page
      title="Revenue"
      actions={
        <DownloadButton
          label="Export CSV"
          path={pathWith('/v1/revenue.csv', { ...range, by, group_by })}
          name="revenue.csv"
        />
      }
    >
      <Filters
        values={values}
        apply={(applied) => setQuery({ ...applied, month: undefined, cursor: undefined })}
      >
        <Select name="by" label="By" options={PARTS} value={by} />
        <Select name="group_by" label="Grouped by" options={GROUPS} value={group_by ?? ''} />
        <Select name="currency" label="Currency" options={currencies} value={currency ?? ''} />
        <CustomerField initial={customer_id} />
        <Field name="from" label="From" type="date" initial={from} />
        <Field name="to" label="To, inclusive" type="date" initial={to} />
      </Filters>
      <Loading loaded={loaded}>
        {(revenue) => <Booked revenue={revenue} query={{ ...range, by, group_by }} />}
      </Loading>
      <Recurring range={range} month={month} />
    </Page>
  );
}

/** The currencies to choose from: those in which something was booked, and the one that is shown. */
function currenciesOf(revenue: Revenue | null, chosen: string | undefined) {
  const found = [...(revenue?.currencies ?? []), ...(chosen ? [chosen] : [])];
  const options = [...new Set(found)].sort().map((currency) => ({ value: currency, label: currency }));
  return [{ value: '', label: 'That of the account' }, ...options];
}

function Booked({ revenue, query }: { revenue: Revenue; query: Query }) {
  const { currency, timezone, data, from, to } = revenue;
  const is_empty = data.every(isEmpty);
  return (
    <Section title={`Booked in ${currency}`}>
      <p class="lead">
        Net, by the day of booking, <Period from={from} to={to} timezone={timezone} />. A void invoice and a
        credit note count on the day on which they were made, as in the trial balance of{' '}
        <Link to="/month-end">Month end</Link>.
      </p>
      {is_empty ? (
        <Empty title="Nothing was booked">
          <p>
            Revenue is booked when an invoice is issued. Choose another range, another currency or no
            customer.
          </p>
        </Empty>
      ) : (
        <>
          <RevenueChart revenue={revenue} customer_id={query['customer_id']} has_table />
          {query['group_by'] ? (
            <RevenueGroups query={query} />
          ) : (
            <Table
              caption={`Revenue by ${revenue.by} in ${currency}`}
              keyOf={(bucket) => bucket.from}
              items={data.toReversed()}
              columns={columnsOf(revenue, query['customer_id'])}
            />
          )}
        </>
      )}
    </Section>
  );
}

function isEmpty({ invoices, credit_notes, voided, credited }: RevenueBucket): boolean {
  return invoices === 0 && credit_notes === 0 && isZero(voided) && isZero(credited);
}

const FIGURES = [
  ['Fees', 'fees'],
  ['Usage', 'usage'],
  ['Late usage', 'late_usage'],
  ['Items', 'items'],
  ['Discounts', 'discounts'],
  ['Minimums', 'minimums'],
  ['Voided', 'voided'],
  ['Credited', 'credited'],
  ['Total', 'total'],
  ['Tax', 'tax'],
  ['Invoices', 'invoices'],
  ['Credit notes', 'credit_notes'],
] as const;

/** The newest part is first in the table; the file has them in the order of time. */
function columnsOf(revenue: Revenue, customer_id: string | undefined): Column<RevenueBucket>[] {
  return [
    {
      title: PARTS.find(({ value }) => value === revenue.by)?.label ?? '',
      show: (bucket) => (
        <Link to={pageOfBucket(revenue, bucket, customer_id)}>{labelOf(revenue, bucket)}</Link>
      ),
    },
    ...FIGURES.map(([title, name]): Column<RevenueBucket> => ({
      title,
      show: (bucket) => <Quantity value={bucket[name]} />,
      is_number: true,
    })),
  ];
}
