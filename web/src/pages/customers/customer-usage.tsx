import { useState } from 'preact/hooks';
import { pathWith, type Query } from '../../api/client.ts';
import { everyPage } from '../../api/every-page.ts';
import type { Aggregation, Customer, List, Subscription, Usage } from '../../api/objects.ts';
import { useLoad } from '../../api/use-load.ts';
import { BarChart, type Bar } from '../../components/bar-chart.tsx';
import { DownloadButton } from '../../components/download-button.tsx';
import { Select } from '../../components/form.tsx';
import { latestOf } from '../../components/instant.ts';
import { Loading } from '../../components/loading.tsx';
import { Empty } from '../../components/notice.tsx';
import { Section } from '../../components/page.tsx';
import { Quantity, utcTime } from '../../components/values.tsx';
import { May } from '../../shell/session.tsx';

const DAY_MS = 86_400_000;
/** The longest range that the API reports by day. */
const RANGE_DAYS_MAX = 366;
const CHARTS_MAX = 12;

type Range = { value: string; label: string; from?: string; to?: string };
const LAST_30_DAYS: Range = { value: '', label: 'The last 30 days' };

type UsageProps = { customer: Customer; subscriptions: readonly Subscription[] };

/** A customer's usage by day, one chart per charge. */
export function CustomerUsage({ customer, subscriptions }: UsageProps) {
  const [chosen, choose] = useState('');
  const ranges = [LAST_30_DAYS, ...subscriptions.flatMap(rangesOf)];
  const { from, to } = ranges.find(({ value }) => value === chosen) ?? LAST_30_DAYS;
  const now = customer.test_clock ?? new Date().toISOString();
  const path = `/v1/customers/${customer.id}/usage`;
  const totals = useLoad<List<Usage>>(pathWith(path, { from, to }), everyPage);
  const days = useLoad<List<Usage>>(pathWith(path, { from, to, group_by: 'day' }), everyPage);
  return (
    <Section
      title="Usage"
      actions={
        <May use="exportCustomerUsage">
          <DownloadButton
            label="Export CSV by day"
            path={pathWith(`${path}.csv`, { from, to, group_by: 'day' })}
            name="usage.csv"
          />
        </May>
      }
    >
      <div class="filters">
        <Select name="range" label="Of" options={ranges} value={chosen} change={choose} />
      </div>
      <Loading of={totals}>
        {({ data }) =>
          data.length === 0 ? (
            <Empty title="No usage to show">
              <p>Usage appears with a subscription to a plan that charges for it.</p>
            </Empty>
          ) : (
            <Loading of={days}>
              {(by_day) => <Charts totals={data} days={by_day.data} range={{ from, to }} now={now} />}
            </Loading>
          )
        }
      </Loading>
    </Section>
  );
}

function rangesOf({ id, current_period_start: from, current_period_end: to }: Subscription): Range[] {
  if (Date.parse(to) - Date.parse(from) > RANGE_DAYS_MAX * DAY_MS) return [];
  return [{ value: id, label: `The current period, ${utcTime(from)} to ${utcTime(to)}`, from, to }];
}

type ChartsProps = {
  totals: readonly Usage[];
  days: readonly Usage[];
  range: Query;
  /** The customer's time, which a test clock may set. */
  now: string;
};

function Charts({ totals, days, range: { from, to }, now }: ChartsProps) {
  const used = totals.filter(({ quantity }) => quantity !== '0');
  const unused = totals.filter(({ quantity }) => quantity === '0');
  const seen = days.flatMap(({ group }) => (group === null ? [] : [group])).sort();
  // Events may be stamped up to a day ahead.
  const last = to ?? latestOf([now, seen.at(-1) ?? null]) ?? now;
  const labels = daysBetween(from ?? monthBefore(now), last);
  return (
    <>
      <div class="columns charts">
        {used.slice(0, CHARTS_MAX).map((usage) => (
          <div key={usage.charge_id}>
            <h3>
              <span class="wide-text">{usage.event_name}</span>{' '}
              <span class="faint">
                {measured(usage.aggregation)}: <Quantity value={usage.quantity} />
              </span>
            </h3>
            <BarChart
              title={`${usage.event_name} by day`}
              unit={measured(usage.aggregation)}
              label="Day (UTC)"
              bars={barsOf(usage, days, labels)}
            />
          </div>
        ))}
      </div>
      {used.length > CHARTS_MAX && (
        <p>
          The charts show the first {CHARTS_MAX} of {used.length} charges with usage.
        </p>
      )}
      {unused.length > 0 && (
        <p class="faint">Without usage: {unused.map(({ event_name }) => event_name).join(', ')}.</p>
      )}
    </>
  );
}

function barsOf({ charge_id }: Usage, days: readonly Usage[], labels: readonly string[]): Bar[] {
  const values = new Map(
    days.flatMap((usage) =>
      usage.charge_id === charge_id && usage.group !== null
        ? [[usage.group.slice(0, 10), usage.quantity]]
        : [],
    ),
  );
  return labels.map((label) => ({ label, value: values.get(label) ?? '0' }));
}

const monthBefore = (instant: string) => new Date(Date.parse(instant) - 30 * DAY_MS).toISOString();

/** The UTC days from one instant to another, both included, also days without usage. */
function daysBetween(from: string, to: string): string[] {
  const first = Date.parse(from.slice(0, 10));
  const count = Math.floor((Date.parse(to.slice(0, 10)) - first) / DAY_MS) + 1;
  return Array.from({ length: count }, (_, day) => new Date(first + day * DAY_MS).toISOString().slice(0, 10));
}

/** The quantity that an aggregation measures, in words. */
function measured({ type, property = '' }: Aggregation): string {
  switch (type) {
    case 'count':
      return 'events';
    case 'sum':
      return `sum of ${property}`;
    case 'max':
      return `largest ${property}`;
    case 'unique':
      return `distinct values of ${property}`;
    case 'latest':
      return `latest ${property}`;
  }
}
