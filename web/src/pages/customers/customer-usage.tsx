import { useState } from 'preact/hooks';
import { pathWith, type Query } from '../../api/client.ts';
import { everyPage } from '../../api/every-page.ts';
import type { Customer, List, Subscription, Usage } from '../../api/objects.ts';
import { useLoad } from '../../api/use-load.ts';
import { DownloadButton } from '../../components/download-button.tsx';
import { Filters } from '../../components/filters.tsx';
import { Field, Select } from '../../components/form.tsx';
import { dayAfter, endsIn, startOfDayIn } from '../../components/instant.ts';
import { Loading } from '../../components/loading.tsx';
import { Empty } from '../../components/notice.tsx';
import { Section } from '../../components/page.tsx';
import { May } from '../../shell/session.tsx';
import { EVENT_WORDS, UsageByValue, UsageCharts, type UsageWords } from './usage-charts.tsx';

const DAY_MS = 86_400_000;
/** The longest range that the API reports by day. */
const RANGE_DAYS_MAX = 366;

type Range = { value: string; label: string; from?: string; to?: string };
const LAST_30_DAYS: Range = { value: '', label: 'The last 30 days' };
const OTHER_DAYS: Range = { value: 'days', label: 'The days below' };

type UsageProps = {
  customer: Customer;
  subscriptions: readonly Subscription[];
  /** The time zone of the days. */
  timezone?: string;
  /** Returns the words for the usage of some charges. Must be the same function at every render. */
  useWords?: (totals: readonly Usage[]) => UsageWords;
};

const useEventWords = () => EVENT_WORDS;

/** A customer's usage by day, one chart per charge. */
export function CustomerUsage({
  customer,
  subscriptions,
  timezone = 'UTC',
  useWords = useEventWords,
}: UsageProps) {
  const [filters, ask] = useState<Asked>({ range: '', first: '', last: '', property: '' });
  const ranges = [LAST_30_DAYS, ...subscriptions.flatMap(rangesOf), OTHER_DAYS];
  const { from, to } = rangeOf(ranges, filters, timezone);
  const now = customer.test_clock ?? new Date().toISOString();
  const path = `/v1/customers/${customer.id}/usage`;
  const totals = useLoad<List<Usage>>(pathWith(path, { from, to }), everyPage);
  const words = useWords(totals.value?.data ?? []);
  const is_by_day = filters.property === '';
  const grouping = is_by_day
    ? { group_by: 'day', timezone: timezone === 'UTC' ? undefined : timezone }
    : { group_by: `property:${filters.property}` };
  const groups = useLoad<List<Usage>>(pathWith(path, { from, to, ...grouping }), everyPage);
  return (
    <Section
      title="Usage"
      actions={
        <May use="exportCustomerUsage">
          <DownloadButton
            label={is_by_day ? 'Export CSV by day' : 'Export CSV by value'}
            path={pathWith(`${path}.csv`, { from, to, ...grouping })}
            name="usage.csv"
          />
        </May>
      }
    >
      <Filters
        values={filters}
        apply={({ range = '', first = '', last = '', property = '' }) =>
          ask({ range: first || last ? OTHER_DAYS.value : range, first, last, property: property.trim() })
        }
      >
        <Select name="range" label="Of" options={ranges} value={filters.range} />
        <Field name="first" label={`First day (${timezone})`} type="date" initial={filters.first} />
        <Field name="last" label="Last day" type="date" initial={filters.last} />
        <Property properties={words.properties} value={filters.property} />
      </Filters>
      <Loading loaded={totals}>
        {({ data }) =>
          data.length === 0 ? (
            <NoUsage />
          ) : (
            <Loading loaded={groups}>
              {(grouped) => {
                const range = { from, to };
                const usage = { customer, totals: data, groups: grouped.data, range, now, timezone, words };
                return is_by_day ? <UsageCharts {...usage} /> : <UsageByValue {...usage} />;
              }}
            </Loading>
          )
        }
      </Loading>
    </Section>
  );
}

function NoUsage() {
  return (
    <Empty title="No usage to show">
      <p>Usage appears with a subscription to a plan that charges for it.</p>
    </Empty>
  );
}

/** The property by whose values usage is divided: any, or one of a few; nothing where there is none. */
function Property({ properties, value }: Pick<UsageWords, 'properties'> & { value: string }) {
  if (properties === null)
    return (
      <Field
        name="property"
        label="By the values of"
        placeholder="a property, such as region"
        initial={value}
      />
    );
  if (properties.length === 0) return null;
  const options = [{ value: '', label: 'days' }, ...properties];
  return <Select name="property" label="By" options={options} value={value} />;
}

function rangesOf({
  id,
  current_period_start: from,
  current_period_end: to,
  timezone,
}: Subscription): Range[] {
  if (Date.parse(to) - Date.parse(from) > RANGE_DAYS_MAX * DAY_MS) return [];
  const [first, last] = endsIn(timezone, { from, to });
  return [{ value: id, label: `The current period, ${first} to ${last}`, from, to }];
}

/** The filters of the section; `first` and `last` are days, `property` is the name of one. */
type Asked = Readonly<Record<'range' | 'first' | 'last' | 'property', string>>;

/** The range that is asked for. Days that are left empty are left to the API, which reports 30 days. */
function rangeOf(ranges: readonly Range[], { range, first, last }: Asked, timezone: string): Query {
  if (range === OTHER_DAYS.value)
    return {
      from: first === '' ? undefined : startOfDayIn(timezone, first),
      to: last === '' ? undefined : startOfDayIn(timezone, dayAfter(last)),
    };
  const { from, to } = ranges.find(({ value }) => value === range) ?? LAST_30_DAYS;
  return { from, to };
}
