import { useLocation } from 'preact-iso/router';
import { useEffect } from 'preact/hooks';
import { pathWith } from '../../api/client.ts';
import type { Found, List } from '../../api/objects.ts';
import { useLoad } from '../../api/use-load.ts';
import { useQuery } from '../../api/use-pages.ts';
import { Badge } from '../../components/badge.tsx';
import { Loading } from '../../components/loading.tsx';
import { PlanName } from '../../components/name.tsx';
import { Empty } from '../../components/notice.tsx';
import { Page } from '../../components/page.tsx';
import { Table, type Column } from '../../components/table.tsx';
import { Cut, Money, Time, words } from '../../components/values.tsx';
import { Link, useAddress } from '../../shell/environment.tsx';
import { CutCustomerLink } from '../parts/links.tsx';
import { nameOf, pageOf, statusOf } from './found.ts';

/** Shows what the search box of the frame found; where it is one object, its page instead. */
export function SearchPage() {
  const [{ q = '' }] = useQuery();
  const { route } = useLocation();
  const addressOf = useAddress();
  const loaded = useLoad<List<Found>>(q === '' ? null : pathWith('/v1/search', { q }));
  const { value, is_loading } = loaded;
  const only = !is_loading && value?.data.length === 1 ? value.data[0] : undefined;
  const page = only === undefined ? null : addressOf(pageOf(only));
  useEffect(() => {
    // In place of this page, so that the way back does not lead here again.
    if (page !== null) route(page, true);
  }, [page, route]);
  return (
    <Page title="Search">
      {q === '' ? (
        <NothingFound />
      ) : (
        <Loading of={loaded}>
          {({ data }) => (
            <>
              <p role="status">
                {data.length === 0 ? 'Nothing was found' : `${data.length} found`} for “{q}”.
              </p>
              {data.length === 0 ? (
                <NothingFound />
              ) : (
                <Table
                  is_list
                  caption="What was found, the best first"
                  keyOf={keyOf}
                  items={data}
                  columns={COLUMNS}
                />
              )}
            </>
          )}
        </Loading>
      )}
    </Page>
  );
}

const keyOf = ({ id }: Found) => id;

function NameOf({ found }: { found: Found }) {
  return found.object === 'subscription' ? <PlanName id={found.plan_id} /> : <>{nameOf(found)}</>;
}

function CustomerOf({ found }: { found: Found }) {
  switch (found.object) {
    case 'customer':
      return <Cut text={found.external_id} />;
    case 'invoice':
    case 'credit_note':
      return <CutCustomerLink id={found.customer_id} name={found.customer.name} />;
    case 'subscription':
    case 'payment':
    case 'event':
      return <CutCustomerLink id={found.customer_id} />;
  }
}

function Details({ found }: { found: Found }) {
  switch (found.object) {
    case 'customer':
      return <Cut text={found.email ?? '–'} />;
    case 'invoice':
    case 'credit_note':
      return (
        <>
          <Badge status={statusOf(found)} /> <Money amount={found.total} currency={found.currency} />
        </>
      );
    case 'subscription':
      return <Badge status={found.status} />;
    case 'payment':
      return <Money amount={found.amount} currency={found.currency} />;
    case 'event':
      return <Time at={found.timestamp} />;
  }
}

const COLUMNS: readonly Column<Found>[] = [
  {
    title: 'Found',
    show: (found) => (
      <Link to={pageOf(found)}>
        <span class="cut" title={found.id}>
          <NameOf found={found} />
        </span>
      </Link>
    ),
  },
  { title: 'Kind', show: ({ object }) => words(object) },
  { title: 'Customer', show: (found) => <CustomerOf found={found} /> },
  { title: 'Details', show: (found) => <Details found={found} /> },
];

function NothingFound() {
  return (
    <Empty title="Search for a customer, an invoice, a credit note, a subscription, a payment or an event">
      <p>
        Enter a part of a customer’s name, email or external id, the number of an invoice or a credit note,
        the reference of a payment, the idempotency key of an event, or any id.
      </p>
    </Empty>
  );
}
