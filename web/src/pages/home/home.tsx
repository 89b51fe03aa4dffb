import type { Home } from '../../api/objects.ts';
import { useLoad } from '../../api/use-load.ts';
import { usePolling } from '../../api/use-polling.ts';
import { Badge } from '../../components/badge.tsx';
import { BarChart } from '../../components/bar-chart.tsx';
import { Loading } from '../../components/loading.tsx';
import { Empty, Notice } from '../../components/notice.tsx';
import { Page, Section } from '../../components/page.tsx';
import { Table } from '../../components/table.tsx';
import { Quantity, grouped, sumOfCounts } from '../../components/values.tsx';
import { Link } from '../../shell/environment.tsx';
import { Attention } from './attention.tsx';
import { ChangesTrouble } from './changes.tsx';
import { BillingStatuses, useBillingStatuses } from './event-billing.tsx';
import { GettingStarted } from './getting-started.tsx';
import { ItemsWithoutInvoice } from './items-without-invoice.tsx';
import { SetAside } from './set-aside.tsx';
import { isAlarming, UnratedAlarm } from './unrated.tsx';

/** How soon a step that was just done shows as done. */
const POLLING_MS = 5_000;

export function HomePage() {
  const loaded = useLoad<Home>('/dashboard/api/home');
  const is_started = Object.values(loaded.value?.steps ?? {}).every(Boolean);
  usePolling(loaded, POLLING_MS, !is_started);
  return (
    <Page title="Home">
      <Loading of={loaded}>
        {/* The first event shows at once, those after it when they are counted again. */}
        {(home) => <Sections key={String(home.steps.event)} home={home} />}
      </Loading>
    </Page>
  );
}

function Sections({ home }: { home: Home }) {
  const { steps, attention, invoices_by_status, events_by_day, numbering_halt, unrated_alarm_percent } = home;
  const statuses = useBillingStatuses(events_by_day.map(({ day }) => day));
  const is_alarming = statuses.value !== null && isAlarming(statuses.value, unrated_alarm_percent);
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
      {statuses.value !== null && is_alarming && <UnratedAlarm report={statuses.value} />}
      <ChangesTrouble of={home} />
      <SetAside of={home.set_aside} />
      <GettingStarted steps={steps} />
      <Attention attention={attention} drafts={invoices_by_status.draft} />
      <ItemsWithoutInvoice items={home.items_without_invoice} />
      <Usage days={events_by_day} />
      <div class="columns">
        <BillingStatuses loaded={statuses} alarm_percent={unrated_alarm_percent} />
        <Invoices counts={invoices_by_status} />
      </div>
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

const STATUSES = ['draft', 'open', 'paid', 'void'] as const;

function Invoices({ counts }: { counts: Home['invoices_by_status'] }) {
  return (
    <Section title="Invoices">
      <Table
        caption="Invoices by status"
        keyOf={(status) => status}
        items={STATUSES}
        columns={[
          { title: 'Status', show: (status) => <Badge status={status} /> },
          {
            title: 'Invoices',
            show: (status) => (
              <Link to={`/invoices?status=${status}`}>
                <Quantity value={counts[status]} />
              </Link>
            ),
            is_number: true,
          },
        ]}
      />
    </Section>
  );
}
