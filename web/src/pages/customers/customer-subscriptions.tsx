import { pathWith } from '../../api/client.ts';
import type { Customer, List, Subscription, UpcomingInvoice } from '../../api/objects.ts';
import { useLoad, type Loaded } from '../../api/use-load.ts';
import { Badge } from '../../components/badge.tsx';
import { Disclosure } from '../../components/disclosure.tsx';
import { Loading } from '../../components/loading.tsx';
import { PlanName } from '../../components/name.tsx';
import { Empty } from '../../components/notice.tsx';
import { Section } from '../../components/page.tsx';
import { Table, type Column } from '../../components/table.tsx';
import { Period } from '../../components/values.tsx';
import { Link } from '../../shell/environment.tsx';
import { BesideEarlier } from '../invoices/beside-earlier.tsx';
import { BillLines } from '../invoices/invoice-lines.tsx';
import { GenerateButton } from '../invoices/generate-button.tsx';
import { NewSubscriptionButton } from '../subscriptions/new-subscription.tsx';
import { NotBilled } from '../subscriptions/not-billed.tsx';
import { shownStatus } from '../subscriptions/shown-status.ts';
import { UPCOMING, UpcomingOrNone } from '../subscriptions/upcoming.tsx';
import { May } from '../../shell/session.tsx';

type SubscriptionsProps = {
  customer: Customer;
  subscriptions: Loaded<List<Subscription>>;
  changed: () => void;
  /** Changes whenever prices may have changed, to remount the upcoming invoices. */
  round: number;
};

/** The subscriptions of a customer, with the upcoming invoice of each. */
export function CustomerSubscriptions({ customer, subscriptions, changed, round }: SubscriptionsProps) {
  return (
    <Section
      title="Subscriptions"
      actions={
        <May use="createSubscription">
          <NewSubscriptionButton customer={customer} created={changed} />
        </May>
      }
    >
      <Loading loaded={subscriptions}>
        {({ data, has_more }) =>
          data.length === 0 ? (
            <Empty title="No subscriptions yet">
              <p>A subscription bills the usage of the customer by a plan.</p>
            </Empty>
          ) : (
            <div class="stack">
              <Table
                caption="Subscriptions of the customer"
                keyOf={({ id }) => id}
                items={data}
                columns={columns(customer, changed)}
              />
              {has_more && (
                <Link to={pathWith('/subscriptions', { customer_id: customer.external_id })}>Show all</Link>
              )}
              {data.filter(isLive).map((subscription, index) => (
                <Upcoming
                  key={`${subscription.id} ${round}`}
                  subscription={subscription}
                  is_open_at_first={index === 0}
                />
              ))}
            </div>
          )
        }
      </Loading>
    </Section>
  );
}

/** Whether the subscription has a period that will be billed. */
export function isLive({ status }: Subscription): boolean {
  return status === 'active' || status === 'trialing';
}

function columns({ test_clock }: Customer, changed: () => void): Column<Subscription>[] {
  const now = test_clock ?? new Date().toISOString();
  return [
    {
      title: 'Plan',
      show: ({ id, plan_id }) => (
        <Link to={`/subscriptions/${id}`}>
          <span class="cut">
            <PlanName id={plan_id} />
          </span>
        </Link>
      ),
    },
    {
      title: 'Status',
      show: (subscription) =>
        subscription.attention === null ? (
          <Badge status={shownStatus(subscription, now)} />
        ) : (
          <NotBilled subscription={subscription} reload={changed} />
        ),
    },
    {
      title: 'Current period',
      show: ({ current_period_start, current_period_end, timezone }) => (
        <Period from={current_period_start} to={current_period_end} timezone={timezone} />
      ),
    },
    {
      title: 'Action',
      show: ({ id }) => (
        <May use="generateInvoices">
          <GenerateButton subscription_id={id} generated={changed} />
        </May>
      ),
    },
  ];
}

type UpcomingProps = { subscription: Subscription; is_open_at_first: boolean };

function Upcoming({ subscription: { id, plan_id }, is_open_at_first }: UpcomingProps) {
  return (
    <Disclosure
      is_open_at_first={is_open_at_first}
      summary={
        <>
          Upcoming invoice: <PlanName id={plan_id} />
        </>
      }
    >
      <UpcomingLines subscription_id={id} />
    </Disclosure>
  );
}

/** The current period, priced by the code that will bill it. */
function UpcomingLines({ subscription_id }: { subscription_id: string }) {
  const path = `/v1/subscriptions/${subscription_id}/upcoming-invoice`;
  const upcoming = useLoad<UpcomingInvoice>(path);
  return (
    <UpcomingOrNone loaded={upcoming}>
      {(bill) => (
        <div class="document document-draft">
          <p class="faint">
            <Period from={bill.period_start} to={bill.period_end} timezone={bill.timezone} />, with the usage
            so far.{' '}
            <button type="button" onClick={upcoming.reload}>
              Update
            </button>
          </p>
          <BesideEarlier path={path} bill={bill} name={UPCOMING} />
          <BillLines bill={bill} lines={bill.line_items} />
        </div>
      )}
    </UpcomingOrNone>
  );
}
