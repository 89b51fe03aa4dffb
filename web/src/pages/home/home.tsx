import { pathWith } from '../../api/client.ts';
import type { Home } from '../../api/objects.ts';
import { useLoad } from '../../api/use-load.ts';
import { usePolling } from '../../api/use-polling.ts';
import { dayAfter } from '../../components/instant.ts';
import { BarChart } from '../../components/bar-chart.tsx';
import { Loading } from '../../components/loading.tsx';
import { Empty, Notice } from '../../components/notice.tsx';
import { Page, Section } from '../../components/page.tsx';
import { grouped } from '../../components/grouped.ts';
import { sumOfCounts } from '../../components/values.tsx';
import { Link, useEnvironment } from '../../shell/environment.tsx';
import { ForAdmins } from '../../shell/session.tsx';
import { Attention } from './attention.tsx';
import { ChangesTrouble } from './changes.tsx';
import { EmailTroubles } from './email-troubles.tsx';
import { BillingStatuses, useBillingStatuses } from './event-billing.tsx';
import { GettingStarted, isStarted } from './getting-started.tsx';
import { ItemsWithoutInvoice } from './items-without-invoice.tsx';
import { OpenInvoices } from './open-invoices.tsx';
import { PaymentTroubles } from './payment-troubles.tsx';
import { RefundTroubles } from './refund-troubles.tsx';
import { RevenueOfHome } from './revenue.tsx';
import { SetAside } from './set-aside.tsx';
import { Unrated } from './unrated.tsx';

/** How soon a step that was just done shows as done. */
const POLLING_MS = 5_000;

export function HomePage() {
  const loaded = useLoad<Home>('/dashboard/api/home');
  const environment = useEnvironment();
  const is_started = loaded.value === null || isStarted(loaded.value.steps, environment);
  usePolling(loaded, POLLING_MS, !is_started);
  return (
    <Page title="Home">
      <Loading loaded={loaded}>
        {/* The first event shows at once, those after it when they are counted again. */}
        {(home) => <Sections key={String(home.steps.event)} home={home} />}
      </Loading>
    </Page>
  );
}

/** First what needs a person, then what is owed, then what happens. The first steps are above it until all are done. */
function Sections({ home }: { home: Home }) {
  const { steps, attention, events_by_day, events_ahead, numbering_halt, unrated_alarm_percent } = home;
  const statuses = useBillingStatuses();
  // A live event may be stamped a day ahead, but no clock is.
  const is_ahead = useEnvironment() === 'test' && events_ahead !== '0';
  const days = is_ahead ? 'the last 30 days and ahead of real time' : 'the last 30 days';
  const is_started = isStarted(steps, useEnvironment());
  const getting_started = <GettingStarted home={home} />;
  return (
    <>
      {numbering_halt !== null && (
        <Notice kind="attention">
          <p>
            <strong>Live invoices are not issued.</strong>
          </p>
          <p>{numbering_halt}</p>
        </Notice>
      )}
      <Attention attention={attention} />
      <ItemsWithoutInvoice items={home.items_without_invoice} />
      <EmailTroubles emails={home.emails} />
      <PaymentTroubles payments={home.payments} />
      <RefundTroubles refunds={home.refunds} />
      <SetAside set_aside={home.set_aside} />
      <ForAdmins>
        <ChangesTrouble home={home} />
      </ForAdmins>
      {statuses.value !== null && (
        <Unrated counts={statuses.value} days={days} alarm_percent={unrated_alarm_percent} />
      )}
      {!is_started && getting_started}
      <OpenInvoices />
      <RevenueOfHome />
      <Usage by_day={events_by_day} ahead={is_ahead ? events_ahead : null} days={days} />
      <BillingStatuses loaded={statuses} days={days} />
      {is_started && getting_started}
    </>
  );
}

/** `ahead`: the events ahead of real time, null without any; `days`: the days that are counted, in words. */
type UsageProps = { by_day: Home['events_by_day']; ahead: string | null; days: string };

function Usage({ by_day, ahead, days }: UsageProps) {
  const sum = sumOfCounts(by_day.map(({ count }) => count));
  return (
    <Section title={`Events of ${days}: ${grouped(sumOfCounts([sum, ahead ?? '0']))}`}>
      {ahead !== null && <Ahead count={ahead} />}
      {sum === '0' && ahead === null && (
        <Empty title="No events in the last 30 days">
          <p>
            Events from your backend appear on <Link to="/events">Events</Link> within two seconds.
          </p>
        </Empty>
      )}
      {sum !== '0' && (
        <BarChart
          title="Events by day (UTC)"
          unit="events"
          label="day"
          bars={by_day.map(({ day, count }) => ({ label: day, value: count }))}
        />
      )}
    </Section>
  );
}

/** "Of them 1,200 ahead of real time": what test clocks that are ahead have brought, as a link to these events. */
function Ahead({ count }: { count: string }) {
  const tomorrow = dayAfter(new Date().toISOString().slice(0, 10));
  return (
    <p>
      Of them <Link to={pathWith('/events', { from: tomorrow })}>{grouped(count)} ahead of real time</Link>,
      by the test clocks of customers.
    </p>
  );
}
