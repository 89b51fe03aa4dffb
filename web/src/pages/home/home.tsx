import type { Home } from '../../api/objects.ts';
import { useLoad } from '../../api/use-load.ts';
import { usePolling } from '../../api/use-polling.ts';
import { BarChart } from '../../components/bar-chart.tsx';
import { Loading } from '../../components/loading.tsx';
import { Empty, Notice } from '../../components/notice.tsx';
import { Page, Section } from '../../components/page.tsx';
import { grouped } from '../../components/grouped.ts';
import { sumOfCounts } from '../../components/values.tsx';
import { Link } from '../../shell/environment.tsx';
import { Attention } from './attention.tsx';
import { ChangesTrouble } from './changes.tsx';
import { BillingStatuses, useBillingStatuses } from './event-billing.tsx';
import { GettingStarted } from './getting-started.tsx';
import { ItemsWithoutInvoice } from './items-without-invoice.tsx';
import { OpenInvoices } from './open-invoices.tsx';
import { SetAside } from './set-aside.tsx';
import { Unrated } from './unrated.tsx';

/** How soon a step that was just done shows as done. */
const POLLING_MS = 5_000;

export function HomePage() {
  const loaded = useLoad<Home>('/dashboard/api/home');
  const is_started = Object.values(loaded.value?.steps ?? {}).every(Boolean);
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
  const { steps, attention, events_by_day, numbering_halt, unrated_alarm_percent } = home;
  const statuses = useBillingStatuses(events_by_day.map(({ day }) => day));
  const is_started = Object.values(steps).every(Boolean);
  const getting_started = <GettingStarted steps={steps} />;
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
      <SetAside set_aside={home.set_aside} />
      <ChangesTrouble home={home} />
      {statuses.value !== null && <Unrated report={statuses.value} alarm_percent={unrated_alarm_percent} />}
      {!is_started && getting_started}
      <OpenInvoices />
      <Usage days={events_by_day} />
      <BillingStatuses loaded={statuses} />
      {is_started && getting_started}
    </>
  );
}

function Usage({ days }: { days: Home['events_by_day'] }) {
  const sum = sumOfCounts(days.map(({ count }) => count));
  return (
    <Section title={`Events of the last 30 days: ${grouped(sum)}`}>
      {sum === '0' ? (
        <Empty title="No events in the last 30 days">
          <p>
            Events from your backend appear on <Link to="/events">Events</Link> within two seconds.
          </p>
        </Empty>
      ) : (
        <BarChart
          title="Events by day (UTC)"
          unit="events"
          label="day"
          bars={days.map(({ day, count }) => ({ label: day, value: count }))}
        />
      )}
    </Section>
  );
}
