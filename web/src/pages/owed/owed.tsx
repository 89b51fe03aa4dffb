import { pathWith } from '../../api/client.ts';
import type { Debtor, ReceivableSum, Receivables } from '../../api/objects.ts';
import { usePages, useQuery } from '../../api/use-pages.ts';
import { DownloadButton } from '../../components/download-button.tsx';
import { Filters } from '../../components/filters.tsx';
import { Field, Select } from '../../components/form.tsx';
import { Empty } from '../../components/notice.tsx';
import { Page } from '../../components/page.tsx';
import { PagedTable } from '../../components/table.tsx';
import { CustomerField } from '../choices/customer-field.tsx';
import { DEBTOR_COLUMNS } from './debtor-columns.tsx';
import { OwedByAge } from './owed-by-age.tsx';

/** The page of debtors: the amounts by the days since they were due, now or on a day. */
export function OwedPage() {
  const [{ as_of, currency, customer_id }, setQuery] = useQuery();
  const filters = { as_of, currency, customer_id };
  const pages = usePages<Debtor, Receivables>('/v1/receivables', filters);
  const { value } = pages.loaded;
  const sums = value?.sums ?? [];
  return (
    <Page
      title="Owed"
      actions={
        <DownloadButton
          label="Export CSV"
          path={pathWith('/v1/receivables.csv', filters)}
          name={as_of ? `receivables-${as_of}.csv` : 'receivables.csv'}
        />
      }
    >
      <Filters values={filters} apply={(values) => setQuery({ ...values, cursor: undefined })}>
        <Field name="as_of" label="At the end of" type="date" initial={as_of} />
        <Select
          name="currency"
          label="Currency"
          options={currencyOptions(sums, currency)}
          value={currency ?? ''}
        />
        <CustomerField initial={customer_id} />
      </Filters>
      {value !== null && <Lead receivables={value} />}
      <div class="columns charts">
        {sums.map((sum) => (
          <OwedByAge key={sum.currency} sum={sum} filters={filters} />
        ))}
      </div>
      <PagedTable
        is_list
        caption="Debtors, the most overdue first"
        turns={['← Before', 'Further →']}
        pages={pages}
        keyOf={({ customer_id: id, currency: of }) => `${id} ${of}`}
        columns={DEBTOR_COLUMNS}
        empty={<NobodyOwes is_narrowed={Boolean(currency || customer_id)} as_of={as_of} />}
      />
    </Page>
  );
}

/** The currencies in which something is owed, and the chosen one. */
function currencyOptions(sums: readonly ReceivableSum[], chosen: string | undefined) {
  const currencies = new Set([...sums.map(({ currency }) => currency), ...(chosen ? [chosen] : [])]);
  return [
    { value: '', label: 'All' },
    ...[...currencies].sort().map((currency) => ({ value: currency, label: currency })),
  ];
}

function Lead({ receivables: { as_of, timezone } }: { receivables: Receivables }) {
  return (
    <p class="lead">
      {as_of === null
        ? 'Open invoices by the days since they were due, credit in advance not taken off. '
        : `What was booked by the end of ${as_of}: a payment counts from the day on which it was recorded. `}
      Days are those of {timezone}.
    </p>
  );
}

function NobodyOwes({ is_narrowed, as_of }: { is_narrowed: boolean; as_of: string | undefined }) {
  return (
    <Empty title={is_narrowed ? 'Nothing is owed that fits' : 'Nobody owes anything'}>
      <p>
        {as_of
          ? `By the end of ${as_of} all that was issued was paid, credited or void.`
          : 'An invoice is here from its issue until it is paid, credited or void.'}
      </p>
    </Empty>
  );
}
