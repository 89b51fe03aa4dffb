import type { FateStatus, Home } from '../api/objects.ts';
import { useLoad } from '../api/use-load.ts';
import { usePolling } from '../api/use-polling.ts';
import { Badge } from '../components/badge.tsx';
import { BarChart } from '../components/bar-chart.tsx';
import { Loading } from '../components/loading.tsx';
import { Page, Section } from '../components/page.tsx';
import { Table } from '../components/table.tsx';
import { Quantity, grouped, sumOfCounts } from '../components/values.tsx';
import { Link } from '../shell/environment.tsx';
import { Attention } from './attention.tsx';
import { GettingStarted } from './getting-started.tsx';

/** How soon a step that was just done shows as done. */
const POLLING_MS = 5_000;

export function HomePage() {
  const loaded = useLoad<Home>('/dashboard/api/home');
  const is_started = Object.values(loaded.value?.steps ?? {}).every(Boolean);
  usePolling(loaded, POLLING_MS, !is_started);
  return (
    <Page title="Home">
      <Loading of={loaded}>
        {(home) => (
          <>
            <GettingStarted steps={home.steps} />
            <Attention attention={home.attention} drafts_held={home.drafts_held} />
            <Usage days={home.events_by_day} />
            <div class="columns">
              <Fates fates={home.events_by_fate} />
              <Invoices counts={home.invoices_by_status} />
            </div>
          </>
        )}
      </Loading>
    </Page>
  );
}

function Usage({ days }: { days: Home['events_by_day'] }) {
  const sum = sumOfCounts(days.map(({ count }) => count));
  return (
    <Section title={`Events of the last 30 days: ${grouped(sum)}`}>
      <BarChart
        title="Events by day (UTC)"
        unit="events"
        label="day"
        bars={days.map(({ day, count }) => ({ label: day, value: count }))}
      />
    </Section>
  );
}

const MEANINGS: Readonly<Record<FateStatus, string>> = {
  billed: 'on an invoice that was issued',
  pending: 'will be on the invoice of their period',
  late: 'came after their invoice, and will be on the next one',
  too_late: 'came too long after their period; no invoice will count them',
  trial: 'fell into a trial, which is free',
  unrated: 'no charge of a subscription asks for them',
};

function Fates({ fates }: { fates: Home['events_by_fate'] }) {
  return (
    <Section title="What became of them">
      <Table
        caption="Events of the last 30 days by what became of them"
        keyOf={({ fate }) => fate}
        items={fates}
        columns={[
          { title: 'Fate', show: ({ fate }) => <Badge status={fate} /> },
          { title: 'Meaning', show: ({ fate }) => <span class="faint">{MEANINGS[fate]}</span> },
          { title: 'Events', show: ({ count }) => <Quantity value={count} />, is_number: true },
        ]}
      />
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
