import { useRoute } from 'preact-iso/router';
import type { Invoice, Plan, Subscription, UpcomingInvoice } from '../api/objects.ts';
import { useLoad } from '../api/use-load.ts';
import { usePages } from '../api/use-pages.ts';
import { useTestClock } from '../api/use-test-clock.ts';
import { latestOf } from '../components/instant.ts';
import { Loading } from '../components/loading.tsx';
import { Page } from '../components/page.tsx';
import { TestClock } from '../components/test-clock.tsx';
import { useEnvironment } from '../shell/environment.tsx';
import { Actions } from './subscription/actions.tsx';
import { AttentionNotice } from './subscription/attention-notice.tsx';
import { CurrentPeriod } from './subscription/current-period.tsx';
import { Facts } from './subscription/facts.tsx';
import { Invoices } from './subscription/invoices.tsx';
import { Upcoming } from './subscription/upcoming.tsx';

export function SubscriptionPage() {
  const { params } = useRoute();
  const id = params['id'] ?? '';
  const place = `/v1/subscriptions/${encodeURIComponent(id)}`;
  const loaded = useLoad<Subscription>(place);
  const upcoming = useLoad<UpcomingInvoice>(`${place}/upcoming-invoice`);
  const invoices = usePages<Invoice>('/v1/invoices', { subscription_id: id });
  const reload = () => [loaded, upcoming, invoices.loaded].forEach((each) => each.reload());
  const customer_id = loaded.value?.customer_id;
  return (
    <Page title={customer_id === undefined ? 'Subscription' : `Subscription of ${customer_id}`}>
      <Loading of={loaded}>
        {(subscription) => (
          <>
            <Present subscription={subscription} reload={reload} />
            <Upcoming loaded={upcoming} />
            <Invoices pages={invoices} has_ended={subscription.status === 'canceled'} />
            <Clock of={subscription} reload={reload} />
          </>
        )}
      </Loading>
    </Page>
  );
}

type PresentProps = { subscription: Subscription; reload: () => void };

/** How it stands, and what can be done about it. */
function Present({ subscription, reload }: PresentProps) {
  const plan = useLoad<Plan>(`/v1/pricing-plans/${subscription.plan_id}`);
  const now = useTimeOf(subscription);
  return (
    <div class="stack">
      {subscription.attention !== null && <AttentionNotice of={subscription} />}
      <CurrentPeriod of={subscription} now={now} />
      <Facts of={subscription} plan={plan.value} now={now} />
      <Actions of={subscription} reload={reload} />
    </div>
  );
}

function Clock({ of: subscription, reload }: { of: Subscription; reload: () => void }) {
  const { customer_id, current_period_start, current_period_end, canceled_at, status } = subscription;
  if (useEnvironment() === 'live') return null;
  return (
    <TestClock
      customer_id={customer_id}
      period_end={status === 'canceled' ? null : current_period_end}
      {...(status === 'pending' ? {} : { not_before: canceled_at ?? current_period_start })}
      onAdvanced={reload}
    />
  );
}

/** The customer's time as far as it is known: a test clock that was moved elsewhere shows only by what has begun. */
function useTimeOf({ customer_id, status, current_period_start }: Subscription): string {
  const { time } = useTestClock(customer_id);
  const has_begun = status === 'pending' ? null : current_period_start;
  const now = new Date().toISOString();
  return latestOf([time ?? now, has_begun]) ?? now;
}
