import { useState } from 'preact/hooks';
import type { UsageEvent } from '../../api/objects.ts';
import { usePages, useQuery } from '../../api/use-pages.ts';
import { usePolling } from '../../api/use-polling.ts';
import { Commands } from '../../components/copy.tsx';
import { Filters } from '../../components/filters.tsx';
import { Field } from '../../components/form.tsx';
import { Empty } from '../../components/notice.tsx';
import { Page } from '../../components/page.tsx';
import { PagedTable, type Column } from '../../components/table.tsx';
import { Code, Time } from '../../components/values.tsx';
import { Link } from '../../shell/environment.tsx';
import { sendEventCommand, setUpCommand } from './first-commands.ts';

const POLLING_MS = 2_000;

export function EventsPage() {
  const [{ customer_id, event_name, idempotency_key, from, to, cursor }, setQuery] = useQuery();
  const filters = { customer_id, event_name, idempotency_key, from, to };
  const is_filtered = Object.values(filters).some(Boolean);
  const pages = usePages<UsageEvent>('/v1/events', filters);
  const [is_following, setFollowing] = useState(true);
  const is_newest = cursor === undefined;
  usePolling(pages.loaded, POLLING_MS, is_following && is_newest);
  return (
    <Page
      title="Events"
      actions={is_newest && <FollowButton is_following={is_following} follow={setFollowing} />}
    >
      <Filters values={filters} apply={(values) => setQuery({ ...values, cursor: undefined })}>
        <Field name="customer_id" label="Customer" initial={customer_id} />
        <Field name="event_name" label="Event name" initial={event_name} />
        <Field name="idempotency_key" label="Idempotency key" initial={idempotency_key} />
        <Field name="from" label="From the day (UTC)" type="date" initial={from} />
        <Field name="to" label="Before the day (UTC)" type="date" initial={to} />
      </Filters>
      <PagedTable
        caption="Events, the newest first"
        pages={pages}
        keyOf={({ id }) => id}
        columns={COLUMNS}
        empty={is_filtered ? <NothingFound /> : <NothingYet />}
      />
    </Page>
  );
}

const COLUMNS: readonly Column<UsageEvent>[] = [
  {
    title: 'Time',
    show: ({ id, timestamp }) => (
      <Link to={`/events/${id}`}>
        <Time at={timestamp} />
      </Link>
    ),
  },
  { title: 'Event name', show: ({ event_name }) => event_name },
  {
    title: 'Customer',
    show: ({ customer_id }) => (
      <Link to={`/customers/${encodeURIComponent(customer_id)}`}>{customer_id}</Link>
    ),
  },
  { title: 'Idempotency key', show: ({ idempotency_key }) => <Code>{idempotency_key}</Code> },
  { title: 'Properties', show: ({ properties }) => <code class="cut">{JSON.stringify(properties)}</code> },
];

type FollowButtonProps = { is_following: boolean; follow: (is_following: boolean) => void };

function FollowButton({ is_following, follow }: FollowButtonProps) {
  return (
    <>
      <span class="faint">
        {is_following ? 'New events appear every two seconds.' : 'The list stands still.'}
      </span>
      <button type="button" onClick={() => follow(!is_following)}>
        {is_following ? 'Stop following' : 'Follow new events'}
      </button>
    </>
  );
}

function NothingFound() {
  return (
    <Empty title="No event is like that">
      <p>Leave out a filter. An event belongs to the day of its timestamp, not to that of its arrival.</p>
    </Empty>
  );
}

function NothingYet() {
  return (
    <Empty title="No event has come yet">
      <p>
        Send one. Its customer has to be there first: <Link to="/">Home</Link> has the steps.
      </p>
      <Commands text={`${setUpCommand(null)}\n${sendEventCommand('api_call', 'acme')}`} />
    </Empty>
  );
}
