import { useRoute } from 'preact-iso/router';
import type {
  Customer,
  Invoice,
  List,
  Plan,
  Subscription,
  SubscriptionPeriod,
  UpcomingInvoice,
} from '../../api/objects.ts';
import { useLoad } from '../../api/use-load.ts';
import { usePages } from '../../api/use-pages.ts';
import { Loading } from '../../components/loading.tsx';
import { Page } from '../../components/page.tsx';
import { TestClock } from '../../components/test-clock.tsx';
import { useEnvironment } from '../../shell/environment.tsx';
import { History } from '../audit-log/history.tsx';
import { ClockAhead } from '../parts/clock-ahead.tsx';
import { Actions } from './subscription-actions.tsx';
import { AttentionNotice } from './attention-notice.tsx';
import { CurrentPeriod } from './current-period.tsx';
import { Facts } from './facts.tsx';
import { Periods, PERIODS_SHOWN_MAX } from './periods.tsx';
import { Invoices } from './subscription-invoices.tsx';
import { Upcoming } from './upcoming.tsx';
import { May } from '../../shell/session.tsx';

/** Page of one subscription. */
export function SubscriptionPage() {
  const { params } = useRoute();
  const id = params['id'] ?? '';
  const place = `/v1/subscriptions/${encodeURIComponent(id)}`;
  const loaded = useLoad<Subscription>(place);
  const upcoming_path = `${place}/upcoming-invoice`;
  const upcoming = useLoad<UpcomingInvoice>(upcoming_path);
  const invoices = usePages<Invoice>('/v1/invoices', { subscription_id: id });
  const periods = useLoad<List<SubscriptionPeriod>>(`${place}/periods?limit=${PERIODS_SHOWN_MAX}`);
  const customer_id = loaded.value?.customer_id;
  const customer = useLoad<Customer>(
    customer_id === undefined ? null : `/v1/customers/${encodeURIComponent(customer_id)}`,
  );
  const time = customer.value?.test_clock ?? null;
  const reload = () =>
    [loaded, customer, upcoming, invoices.loaded, periods].forEach((each) => each.reload());
  return (
    <Page
      title={
        customer_id === undefined ? 'Subscription' : `Subscription of ${customer.value?.name ?? customer_id}`
      }
    >
      <Loading loaded={loaded}>
        {(subscription) => (
          <>
            <ClockAhead time={time} />
            <Present subscription={subscription} now={time ?? new Date().toISOString()} reload={reload} />
            <Upcoming path={upcoming_path} loaded={upcoming} />
            <Invoices pages={invoices} has_ended={subscription.status === 'canceled'} />
            <Periods subscription={subscription} loaded={periods} />
            <Clock subscription={subscription} time={time} reload={reload} />
            <History filter={{ object_id: subscription.id }} />
          </>
        )}
      </Loading>
    </Page>
  );
}

/** `now` is the customer's time. */
type PresentProps = { subscription: Subscription; now: string; reload: () => void };

/** The subscription's state and the actions on it. */
function Present({ subscription, now, reload }: PresentProps) {
  const plan = useLoad<Plan>(`/v1/pricing-plans/${subscription.plan_id}`);
  return (
    <div class="stack">
      {subscription.attention !== null && <AttentionNotice subscription={subscription} reload={reload} />}
      <CurrentPeriod subscription={subscription} now={now} />
      <Facts subscription={subscription} plan={plan.value} now={now} />
      <Actions subscription={subscription} currency={plan.value?.currency ?? null} reload={reload} />
    </div>
  );
}

type ClockProps = { subscription: Subscription; time: string | null; reload: () => void };

function Clock({ subscription: { customer_id, current_period_end, status }, time, reload }: ClockProps) {
  if (useEnvironment() === 'live') return null;
  return (
    <May use="advanceTestClock">
      <TestClock
        customer_id={customer_id}
        time={time}
        period_end={status === 'canceled' ? null : current_period_end}
        onAdvanced={reload}
      />
    </May>
  );
}
