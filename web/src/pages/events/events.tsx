import { useState } from 'preact/hooks';
import type { UsageEvent } from '../../api/objects.ts';
import { usePages, useQuery } from '../../api/use-pages.ts';
import { usePolling } from '../../api/use-polling.ts';
import { Commands } from '../../components/copy.tsx';
import { Filters } from '../../components/filters.tsx';
import { Field, Select } from '../../components/form.tsx';
import { dayAfter } from '../../components/instant.ts';
import { Empty, Notice } from '../../components/notice.tsx';
import { Page } from '../../components/page.tsx';
import { PagedTable, type Column } from '../../components/table.tsx';
import { Code, Cut, Time } from '../../components/values.tsx';
import { Link } from '../../shell/environment.tsx';
import { CustomerField } from '../choices/customer-field.tsx';
import { CutCustomerLink } from '../links.tsx';
import { sendEventCommand, setUpCommand } from './first-commands.ts';

const POLLING_MS = 2_000;

/** List of events, newest timestamp first; its first page polls every two seconds. */
export function EventsPage() {
  const [{ customer_id, event_name, idempotency_key, billing_status, from, to, cursor }, setQuery] =
    useQuery();
  const filters = { customer_id, event_name, idempotency_key, billing_status, from, to };
  const is_filtered = Object.values(filters).some(Boolean);
  const pages = usePages<UsageEvent>('/v1/events', { ...filters, to: to && dayAfter(to) });
  const [is_following, setFollowing] = useState(true);
  const is_newest = cursor === undefined;
  usePolling(pages.loaded, POLLING_MS, is_following && is_newest);
  return (
    <Page
      title="Events"
      actions={is_newest && <FollowButton is_following={is_following} follow={setFollowing} />}
    >
      <Filters values={filters} apply={(values) => setQuery({ ...values, cursor: undefined })}>
        <CustomerField initial={customer_id} />
        <Field name="event_name" label="Event name" initial={event_name} />
        <Field name="idempotency_key" label="Idempotency key" initial={idempotency_key} />
        <Select
          name="billing_status"
          label="Billing status"
          options={STATUSES}
          value={billing_status ?? ''}
        />
        <Field name="from" label="From (UTC)" type="date" initial={from} />
        <Field name="to" label="To, inclusive" type="date" initial={to} />
      </Filters>
      {is_newest && !to && <AheadOfTime newest={pages.loaded.value?.data[0]} />}
      <PagedTable
        caption="Events, newest timestamp first"
        pages={pages}
        keyOf={({ id }) => id}
        columns={COLUMNS}
        empty={is_filtered ? <NothingFound /> : <NothingYet />}
      />
    </Page>
  );
}

const STATUSES = [
  { value: '', label: 'Any' },
  { value: 'billed', label: 'Billed' },
  { value: 'pending', label: 'Pending' },
  { value: 'late', label: 'Late' },
  { value: 'too_late', label: 'Too late' },
  { value: 'trial', label: 'Trial' },
  { value: 'unrated', label: 'Unrated' },
];

const COLUMNS: readonly Column<UsageEvent>[] = [
  {
    title: 'Time',
    show: ({ id, timestamp }) => (
      <Link to={`/events/${id}`}>
        <Time at={timestamp} />
      </Link>
    ),
  },
  { title: 'Event name', show: ({ event_name }) => <Cut text={event_name} /> },
  { title: 'Customer', show: ({ customer_id }) => <CutCustomerLink id={customer_id} /> },
  {
    title: 'Idempotency key',
    show: ({ idempotency_key }) => (
      <Cut text={idempotency_key}>
        <Code>{idempotency_key}</Code>
      </Cut>
    ),
  },
  { title: 'Properties', show: ({ properties }) => <code class="cut">{JSON.stringify(properties)}</code> },
];

type FollowButtonProps = { is_following: boolean; follow: (is_following: boolean) => void };

function FollowButton({ is_following, follow }: FollowButtonProps) {
  return (
    <>
      <span class="faint">
        {is_following ? 'The list updates every two seconds.' : 'The list does not update automatically.'}
      </span>
      <button type="button" onClick={() => follow(!is_following)}>
        {is_following ? 'Stop following' : 'Follow new events'}
      </button>
    </>
  );
}

/** A warning: the list is sorted by timestamp, so events of a customer whose test clock is ahead push all others down. */
function AheadOfTime({ newest }: { newest: UsageEvent | undefined }) {
  const today = new Date().toISOString().slice(0, 10);
  if (newest === undefined || newest.timestamp < dayAfter(today)) return null;
  return (
    <Notice kind="attention">
      <p>
        The newest events have a future timestamp, because their customer’s test clock is ahead of the real
        time. New events with an earlier timestamp are further down, possibly on another page:{' '}
        <Link to={`/events?to=${today}`}>show events up to today</Link>.
      </p>
    </Notice>
  );
}

function NothingFound() {
  return (
    <Empty title="No matching events">
      <p>Remove a filter. The day is that of the timestamp, not that of the arrival.</p>
    </Empty>
  );
}

function NothingYet() {
  return (
    <Empty title="No events yet">
      <p>
        Send an event. Its customer must exist first: <Link to="/">Home</Link> shows the steps.
      </p>
      <Commands text={`${setUpCommand(null)}\n${sendEventCommand('api_call', 'acme')}`} />
    </Empty>
  );
}
