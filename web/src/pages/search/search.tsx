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
import { noteOfKind } from '../invoices/invoice-state.tsx';
import { nameOf, pageOf, statusOf } from './found.ts';

/** Shows what the search box of the frame found; where it is one object, its page instead. */
export function SearchPage() {
  const [{ q = '' }] = useQuery();
  const { route } = useLocation();
  const addressOf = useAddress();
  const loaded = useLoad<List<Found>>(q === '' ? null : pathWith('/v1/search', { q }));
  const { value, is_loading } = loaded;
  const only = is_loading || value === null ? undefined : onlyOf(value.data);
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
        <Loading loaded={loaded}>
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

/** The one object that was found; a customer is one with the invoices below it, which its page begins with. */
function onlyOf([first, ...others]: readonly Found[]): Found | undefined {
  const is_one =
    first?.object === 'customer'
      ? others.every((other) => other.object === 'invoice' && other.customer_id === first.external_id)
      : others.length === 0;
  return is_one ? first : undefined;
}

const keyOf = ({ id }: Found) => id;

function NameOf({ result }: { result: Found }) {
  return result.object === 'subscription' ? <PlanName id={result.plan_id} /> : <>{nameOf(result)}</>;
}

function CustomerOf({ result }: { result: Found }) {
  switch (result.object) {
    case 'customer':
      return <Cut text={result.external_id} />;
    case 'invoice':
    case 'credit_note':
      return <CutCustomerLink id={result.customer_id} name={result.customer.name} />;
    case 'pricing_plan':
      return <span class="faint">–</span>;
    case 'subscription':
    case 'payment':
    case 'event':
      return <CutCustomerLink id={result.customer_id} />;
  }
}

function Details({ result }: { result: Found }) {
  switch (result.object) {
    case 'customer':
      return <Cut text={result.email ?? '–'} />;
    case 'invoice':
    case 'credit_note':
      return (
        <>
          <Badge status={statusOf(result)} /> <Money amount={result.total} currency={result.currency} />
          {result.object === 'invoice' && noteOfKind(result) !== null && (
            <span class="faint">, {noteOfKind(result)}</span>
          )}
        </>
      );
    case 'subscription':
      return <Badge status={result.status} />;
    case 'payment':
      return <Money amount={result.amount} currency={result.currency} />;
    case 'pricing_plan':
      return result.archived_at === null ? <>{result.currency}</> : <Badge status="archived" />;
    case 'event':
      return <Time at={result.timestamp} />;
  }
}

const COLUMNS: readonly Column<Found>[] = [
  {
    title: 'Found',
    show: (result) => (
      <Link to={pageOf(result)}>
        <span class="cut" title={result.id}>
          <NameOf result={result} />
        </span>
      </Link>
    ),
  },
  { title: 'Kind', show: ({ object }) => (object === 'pricing_plan' ? 'plan' : words(object)) },
  { title: 'Customer', show: (result) => <CustomerOf result={result} /> },
  { title: 'Details', show: (result) => <Details result={result} /> },
];

function NothingFound() {
  return (
    <Empty title="Search for a customer, an invoice, a credit note, a subscription, a payment, an event or a plan">
      <p>
        Enter a part of a customer’s name, email or external id, or of a plan’s name, the number of an invoice
        or a credit note, four characters of it, or its total, the reference of a payment, the idempotency key
        of an event, or any id.
      </p>
    </Empty>
  );
}
