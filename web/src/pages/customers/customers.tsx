import { useEffect, useState } from 'preact/hooks';
import type { Customer } from '../../api/objects.ts';
import { usePages, useQuery } from '../../api/use-pages.ts';
import { Field } from '../../components/form.tsx';
import { Empty } from '../../components/notice.tsx';
import { Page } from '../../components/page.tsx';
import { shortened } from '../../components/short-id.tsx';
import { PagedTable, type Column } from '../../components/table.tsx';
import { Cut, Day, Quantity } from '../../components/values.tsx';
import { Link } from '../../shell/environment.tsx';
import { figureColumns, useFigures } from './customer-figures.tsx';
import { NewCustomerButton } from './new-customer.tsx';
import { May } from '../../shell/session.tsx';

/** Debounce: how long to wait after the last keystroke before searching. */
const PAUSE_MS = 250;

/** List of customers with a search. */
export function CustomersPage() {
  const [{ search }] = useQuery();
  const pages = usePages<Customer>('/v1/customers', { search });
  const figures = useFigures(pages.loaded.value?.data ?? []);
  return (
    <Page
      title="Customers"
      actions={
        <May use="createCustomer">
          <NewCustomerButton />
        </May>
      }
    >
      <SearchField />
      <PagedTable
        is_list
        caption={search === undefined ? 'Customers, newest first' : `Customers with ${search}`}
        pages={pages}
        keyOf={({ id }) => id}
        columns={[...WHO, ...figureColumns(figures), ...OTHERS]}
        empty={search === undefined ? <NothingYet /> : <NothingFound />}
      />
    </Page>
  );
}

/** Searches while typing. The address holds the search; the browser's history gets one entry per search. */
function SearchField() {
  const [{ search = '' }, setQuery] = useQuery();
  const [typed, setTyped] = useState(search);
  // Adopt the search of a new address only: a trailing space that is being typed stays.
  useEffect(() => setTyped((text) => (text.trim() === search ? text : search)), [search]);
  useEffect(() => {
    const words = typed.trim();
    if (words === search) return;
    const timer = setTimeout(
      () => setQuery({ search: words, cursor: undefined }, search === '' ? 'push' : 'replace'),
      PAUSE_MS,
    );
    return () => clearTimeout(timer);
  }, [typed, search, setQuery]);
  return (
    <form class="filters" role="search" onSubmit={(event) => event.preventDefault()}>
      <Field
        name="search"
        label="Search"
        placeholder="External id, name or email"
        value={typed}
        change={setTyped}
      />
    </form>
  );
}

const WHO: readonly Column<Customer>[] = [
  {
    title: 'Name',
    show: ({ id, name, external_id }) => (
      <Cut text={name ?? external_id}>
        <Link to={`/customers/${id}`}>{name ?? external_id}</Link>
      </Cut>
    ),
  },
  {
    title: 'External id',
    show: ({ external_id }) => (
      <span class="nowrap" title={external_id}>
        {shortened(external_id)}
      </span>
    ),
  },
  { title: 'Email', show: ({ email }) => (email === null ? '–' : <Cut text={email} />) },
];

const OTHERS: readonly Column<Customer>[] = [
  {
    title: 'Remaining credit',
    show: ({ credit_remaining }) => <Quantity value={credit_remaining} />,
    is_number: true,
    on_phone: 'hidden',
  },
  { title: 'Created', show: ({ created_at }) => <Day at={created_at} />, on_phone: 'hidden' },
];

function NothingFound() {
  return (
    <Empty title="No matching customers">
      <p>The external id, name or email must contain the text.</p>
    </Empty>
  );
}

function NothingYet() {
  return (
    <Empty title="No customers yet">
      <p>Create a customer here, or with one request from your backend.</p>
    </Empty>
  );
}
