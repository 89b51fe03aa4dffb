import { useState } from 'preact/hooks';
import { pathWith } from '../../api/client.ts';
import type { List, UsageEvent } from '../../api/objects.ts';
import { useLoad } from '../../api/use-load.ts';
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
import { CutCustomerLink } from '../parts/links.tsx';
import { sendEventCommand, setUpCommand } from './first-commands.ts';

const POLLING_MS = 2_000;

/** List of events, newest timestamp first; its first page polls every two seconds. */
export function EventsPage() {
  const [{ customer_id, event_name, idempotency_key, billing_status, from, to, cursor }, setQuery] =
    useQuery();
  const filters = { customer_id, event_name, idempotency_key, billing_status, from, to };
  const is_filtered = Object.values(filters).some(Boolean);
  const today = new Date().toISOString().slice(0, 10);
  // Without a filter the list is of what happens now. Test clocks that are ahead would push all of it down.
  const last_day = to || (is_filtered ? undefined : today);
  const pages = usePages<UsageEvent>('/v1/events', { ...filters, to: last_day && dayAfter(last_day) });
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
      {is_newest && !is_filtered && <AheadOfTime from={dayAfter(today)} />}
      <PagedTable
        is_list
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
  {
    title: 'Properties',
    show: ({ properties }) => <code class="cut">{JSON.stringify(properties)}</code>,
    on_phone: 'hidden',
  },
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

/**
 * Leads to the events that the list leaves out, if there are any: those of days that have not come yet in real time.
 */
function AheadOfTime({ from }: { from: string }) {
  const { value } = useLoad<List<UsageEvent>>(pathWith('/v1/events', { from, limit: '1' }));
  if (value === null || value.data.length === 0) return null;
  return (
    <Notice kind="attention">
      <p>
        Events of days to come are left out: the test clock of their customer is ahead of real time.{' '}
        <Link to={`/events?from=${from}`}>Show them</Link>
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
