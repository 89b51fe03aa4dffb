import { useState } from 'preact/hooks';
import { pathWith, type Query } from '../../api/client.ts';
import { everyPage } from '../../api/every-page.ts';
import type { Aggregation, Customer, List, Subscription, Usage } from '../../api/objects.ts';
import { useLoad } from '../../api/use-load.ts';
import { BarChart, type Bar } from '../../components/bar-chart.tsx';
import { DownloadButton } from '../../components/download-button.tsx';
import { Filters } from '../../components/filters.tsx';
import { Field, Select } from '../../components/form.tsx';
import { dayAfter, latestOf } from '../../components/instant.ts';
import { Loading } from '../../components/loading.tsx';
import { Empty } from '../../components/notice.tsx';
import { Section } from '../../components/page.tsx';
import { Table, type Column } from '../../components/table.tsx';
import { Cut, Quantity, utcTime } from '../../components/values.tsx';
import { Link } from '../../shell/environment.tsx';
import { May, useMay } from '../../shell/session.tsx';
import { nameWithVersion } from '../plans/models.ts';

const DAY_MS = 86_400_000;
/** The longest range that the API reports by day. */
const RANGE_DAYS_MAX = 366;
const CHARTS_MAX = 12;
const VALUES_MAX = 50;

type Range = { value: string; label: string; from?: string; to?: string };
const LAST_30_DAYS: Range = { value: '', label: 'The last 30 days' };
const OTHER_DAYS: Range = { value: 'days', label: 'The days below' };

type UsageProps = { customer: Customer; subscriptions: readonly Subscription[] };

/** A customer's usage by day, one chart per charge. */
export function CustomerUsage({ customer, subscriptions }: UsageProps) {
  const [filters, ask] = useState<Asked>({ range: '', first: '', last: '', property: '' });
  const ranges = [LAST_30_DAYS, ...subscriptions.flatMap(rangesOf), OTHER_DAYS];
  const { from, to } = rangeOf(ranges, filters);
  const now = customer.test_clock ?? new Date().toISOString();
  const path = `/v1/customers/${customer.id}/usage`;
  const totals = useLoad<List<Usage>>(pathWith(path, { from, to }), everyPage);
  const group_by = filters.property === '' ? 'day' : `property:${filters.property}`;
  const groups = useLoad<List<Usage>>(pathWith(path, { from, to, group_by }), everyPage);
  return (
    <Section
      title="Usage"
      actions={
        <May use="exportCustomerUsage">
          <DownloadButton
            label={filters.property === '' ? 'Export CSV by day' : 'Export CSV by value'}
            path={pathWith(`${path}.csv`, { from, to, group_by })}
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
        <Field name="first" label="First day (UTC)" type="date" initial={filters.first} />
        <Field name="last" label="Last day" type="date" initial={filters.last} />
        <Field
          name="property"
          label="By the values of"
          placeholder="a property, such as region"
          initial={filters.property}
        />
      </Filters>
      <Loading loaded={totals}>
        {({ data }) =>
          data.length === 0 ? (
            <Empty title="No usage to show">
              <p>Usage appears with a subscription to a plan that charges for it.</p>
            </Empty>
          ) : (
            <Loading loaded={groups}>
              {(grouped) => {
                const usage = { customer, totals: data, groups: grouped.data, range: { from, to }, now };
                return filters.property === '' ? <Charts {...usage} /> : <ByValue {...usage} />;
              }}
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

/** The filters of the section; `first` and `last` are days, `property` is the name of one. */
type Asked = Readonly<Record<'range' | 'first' | 'last' | 'property', string>>;

/** The range that is asked for. Days that are left empty are left to the API, which reports 30 days. */
function rangeOf(ranges: readonly Range[], { range, first, last }: Asked): Query {
  if (range === OTHER_DAYS.value)
    return {
      from: first === '' ? undefined : `${first}T00:00:00Z`,
      to: last === '' ? undefined : `${dayAfter(last)}T00:00:00Z`,
    };
  const { from, to } = ranges.find(({ value }) => value === range) ?? LAST_30_DAYS;
  return { from, to };
}

type UsageOfRange = {
  customer: Customer;
  totals: readonly Usage[];
  /** Quantities by day, or by the values of a property. */
  groups: readonly Usage[];
  range: Query;
  /** The customer's time, which a test clock may set. */
  now: string;
};

function Charts({ customer, totals, groups: days, range, now }: UsageOfRange) {
  const { from, to } = range;
  const used = totals.filter(({ quantity }) => quantity !== '0');
  const unused = totals.filter(({ quantity }) => quantity === '0');
  const seen = days.flatMap(({ group }) => (group === null ? [] : [group])).sort();
  // Events may be stamped up to a day ahead.
  const last = to ?? latestOf([now, seen.at(-1) ?? null]) ?? now;
  const labels = daysBetween(from ?? monthBefore(now), last);
  const plans = plansOf(totals);
  return (
    <>
      <div class="columns charts">
        {used.slice(0, CHARTS_MAX).map((usage) => (
          <div key={usage.charge_id}>
            <Heading usage={usage} customer={customer} range={range} plans={plans} />
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
      {unused.length > 0 && <p class="faint">Without usage: {unused.map(nameWithPlan).join(', ')}.</p>}
    </>
  );
}

/** "api_call (Pro, version 2)": several plans of a customer may count the same events. */
function nameWithPlan({ event_name, plan_name: name, plan_version: version }: Usage): string {
  return `${event_name} (${nameWithVersion({ name, version })})`;
}

/** The number of plans whose charges are shown. */
function plansOf(totals: readonly Usage[]): number {
  return new Set(totals.map(({ plan_id }) => plan_id)).size;
}

type HeadingProps = { usage: Usage; customer: Customer; range: Query; plans: number };

/**
 * The name and the quantity of a charge, with its plan where there are several; for staff, with a link to the events of
 * those days.
 */
function Heading({ usage, customer, range, plans }: HeadingProps) {
  const { event_name, aggregation, quantity, plan_name: name, plan_version: version } = usage;
  const may_list = useMay('listEvents');
  const day = (instant: string | undefined, earlier_ms = 0) =>
    instant && new Date(Date.parse(instant) - earlier_ms).toISOString().slice(0, 10);
  const events = {
    customer_id: customer.external_id,
    event_name,
    from: day(range['from']),
    to: day(range['to'], 1),
  };
  return (
    <h3>
      <span class="wide-text">
        {may_list ? <Link to={pathWith('/events', events)}>{event_name}</Link> : event_name}
      </span>{' '}
      <span class="faint">
        {measured(aggregation)}: <Quantity value={quantity} />
        {plans > 1 && `, ${nameWithVersion({ name, version })}`}
      </span>
    </h3>
  );
}

/** The quantities of a charge by the values of a property: a table for each charge with usage. */
function ByValue({ customer, totals, groups, range }: UsageOfRange) {
  return (
    <div class="columns charts">
      {totals
        .filter(({ quantity }) => quantity !== '0')
        .slice(0, CHARTS_MAX)
        .map((usage) => {
          const of_charge = groups.filter(({ charge_id }) => charge_id === usage.charge_id);
          return (
            <div key={usage.charge_id}>
              <Heading usage={usage} customer={customer} range={range} plans={plansOf(totals)} />
              {of_charge.length === 0 ? (
                <p class="faint">No event of these days has the property.</p>
              ) : (
                <Table
                  caption={`${usage.event_name} by value`}
                  keyOf={({ group }) => group ?? ''}
                  items={of_charge.slice(0, VALUES_MAX)}
                  columns={VALUE_COLUMNS}
                />
              )}
              {of_charge.length > VALUES_MAX && (
                <p>
                  The first {VALUES_MAX} of {of_charge.length} values; the CSV has all of them.
                </p>
              )}
            </div>
          );
        })}
    </div>
  );
}

const VALUE_COLUMNS: readonly Column<Usage>[] = [
  {
    title: 'Value',
    show: ({ group }) => <Cut text={group ?? ''}>{group ?? <span class="faint">none</span>}</Cut>,
  },
  { title: 'Quantity', show: ({ quantity }) => <Quantity value={quantity} />, is_number: true },
];

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
