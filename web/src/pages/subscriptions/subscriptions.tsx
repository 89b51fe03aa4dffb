import type { Subscription } from '../../api/objects.ts';
import { usePages, useQuery } from '../../api/use-pages.ts';
import { Badge } from '../../components/badge.tsx';
import { Filters } from '../../components/filters.tsx';
import { Select } from '../../components/form.tsx';
import { PlanName } from '../../components/name.tsx';
import { Empty } from '../../components/notice.tsx';
import { Page } from '../../components/page.tsx';
import { PagedTable, type Column } from '../../components/table.tsx';
import { DayOrTime, Period } from '../../components/values.tsx';
import { Link } from '../../shell/environment.tsx';
import { ForAdmins } from '../../shell/session.tsx';
import { CustomerField } from '../choices/customer-field.tsx';
import { AnyPlanField } from '../choices/plan-field.tsx';
import { CutCustomerLink } from '../parts/links.tsx';
import { NotBilled } from './not-billed.tsx';
import { shownStatus } from './shown-status.ts';
import { useNow } from './use-clocks.ts';
import { WorkflowLists } from './workflow-lists.tsx';

const STATUSES = [
  { value: '', label: 'all' },
  { value: 'pending', label: 'pending: not started' },
  { value: 'trialing', label: 'trialing' },
  { value: 'active', label: 'active' },
  { value: 'canceled', label: 'canceled' },
];

const ATTENTION = [
  { value: '', label: 'all' },
  { value: 'true', label: 'needs attention' },
  { value: 'false', label: 'no attention needed' },
];

type ColumnsOf = { nowOf: ReturnType<typeof useNow>; reload: () => void };

const columns = ({ nowOf, reload }: ColumnsOf): readonly Column<Subscription>[] => [
  {
    title: 'Subscription',
    show: ({ id, plan_id }) => (
      <Link to={`/subscriptions/${id}`}>
        <span class="cut">
          <PlanName id={plan_id} />
        </span>
      </Link>
    ),
  },
  { title: 'Customer', show: ({ customer_id }) => <CutCustomerLink id={customer_id} /> },
  {
    title: 'State',
    show: (subscription) => (
      <States subscription={subscription} now={nowOf(subscription.customer_id)} reload={reload} />
    ),
  },
  {
    title: 'Current period',
    show: ({ current_period_start, current_period_end, timezone }) => (
      <Period from={current_period_start} to={current_period_end} timezone={timezone} />
    ),
  },
];

/** List of subscriptions. */
export function SubscriptionsPage() {
  const [{ customer_id, plan_id, status, attention }, setQuery] = useQuery();
  const filters = { customer_id, plan_id, status, attention };
  const pages = usePages<Subscription>('/v1/subscriptions', filters);
  const nowOf = useNow((pages.loaded.value?.data ?? []).map((subscription) => subscription.customer_id));
  const is_filtered = Object.values(filters).some(Boolean);
  return (
    <Page title="Subscriptions">
      <Filters values={filters} apply={(values) => setQuery({ ...values, cursor: undefined })}>
        <CustomerField initial={customer_id} />
        <AnyPlanField initial={plan_id} />
        <Select name="status" label="State" options={STATUSES} value={status ?? ''} />
        <Select name="attention" label="Billing" options={ATTENTION} value={attention ?? ''} />
      </Filters>
      <PagedTable
        is_list
        caption="Subscriptions, newest first"
        pages={pages}
        columns={columns({ nowOf, reload: pages.loaded.reload })}
        keyOf={({ id }) => id}
        empty={is_filtered ? <Empty title="No matching subscriptions" /> : <NoneYet />}
      />
      <ForAdmins>
        <WorkflowLists />
      </ForAdmins>
    </Page>
  );
}

/** `now` is the customer's; null while it is not known. */
type StatesProps = { subscription: Subscription; now: string | null; reload: () => void };

function States({ subscription, now, reload }: StatesProps) {
  const { status, cancel_at, attention, timezone } = subscription;
  const shown = now === null ? status : shownStatus(subscription, now);
  return (
    <span class="states">
      {attention === null && <Badge status={shown} />}
      {cancel_at !== null && (
        <span class="faint">
          ends <DayOrTime at={cancel_at} timezone={timezone} />
        </span>
      )}
      <NotBilled subscription={subscription} reload={reload} />
    </span>
  );
}

function NoneYet() {
  return (
    <Empty title="No subscriptions yet">
      <p>
        A subscription bills the events of a customer by a plan. Choose a plan from{' '}
        <Link to="/plans">Plans</Link> and subscribe a customer on its page.
      </p>
    </Empty>
  );
}
