import { pathWith, type Query } from '../../api/client.ts';
import type { Aggregation, Customer, Usage } from '../../api/objects.ts';
import { BarChart, type Bar } from '../../components/bar-chart.tsx';
import { grouped } from '../../components/grouped.ts';
import { dayAfter, dayIn, latestOf } from '../../components/instant.ts';
import { Table, type Column } from '../../components/table.tsx';
import { Cut, Quantity } from '../../components/values.tsx';
import { Link } from '../../shell/environment.tsx';
import { May, useMay } from '../../shell/session.tsx';
import { nameWithVersion } from '../plans/models.ts';

const DAY_MS = 86_400_000;
const CHARTS_MAX = 12;
const VALUES_MAX = 50;

/** The words for usage: names of events for staff, those of invoices for a payer. */
export type UsageWords = {
  titleOf: (usage: Usage) => string;
  /** The quantity with what it counts. */
  quantityOf: (usage: Usage) => string;
  /** The unit of the quantity. */
  unitOf: (usage: Usage) => string;
  /** The properties by whose values usage may be divided; null: any, by its name. */
  properties: readonly { value: string; label: string }[] | null;
};

/** The words for staff. */
export const EVENT_WORDS: UsageWords = {
  titleOf: ({ event_name }) => event_name,
  quantityOf: ({ aggregation, quantity }) => `${measured(aggregation)}: ${grouped(quantity)}`,
  unitOf: ({ aggregation }) => measured(aggregation),
  properties: null,
};

type UsageOfRange = {
  customer: Customer;
  totals: readonly Usage[];
  /** Quantities by day, or by the values of a property. */
  groups: readonly Usage[];
  range: Query;
  /** The customer's time, which a test clock may set. */
  now: string;
  /** The time zone of the days. */
  timezone: string;
  words: UsageWords;
};

/** A chart of the days of each charge with usage. */
export function UsageCharts({ customer, totals, groups: days, range, now, timezone, words }: UsageOfRange) {
  const { from, to } = range;
  const used = totals.filter(({ quantity }) => quantity !== '0');
  const unused = totals.filter(({ quantity }) => quantity === '0');
  const seen = days.flatMap(({ group }) => (group === null ? [] : [group])).sort();
  // Events may be stamped up to a day ahead.
  const last = to === undefined ? (latestOf([now, seen.at(-1) ?? null]) ?? now) : justBefore(to);
  const labels = daysBetween(dayIn(timezone, from ?? monthBefore(now)), dayIn(timezone, last));
  const plans = plansOf(totals);
  return (
    <>
      <div class="columns charts">
        {used.slice(0, CHARTS_MAX).map((usage) => (
          <div key={usage.charge_id}>
            <Heading usage={usage} customer={customer} range={range} plans={plans} words={words} />
            <BarChart
              title={`${words.titleOf(usage)} by day`}
              unit={words.unitOf(usage)}
              label={`Day (${timezone})`}
              bars={barsOf(usage, days, { labels, timezone })}
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
        <p class="faint">
          Without usage: {unused.map((usage) => nameWithPlan(words.titleOf(usage), usage)).join(', ')}.
        </p>
      )}
    </>
  );
}

/** "api_call (Pro, version 2)": several plans of a customer may count the same events. */
function nameWithPlan(title: string, { plan_name: name, plan_version: version }: Usage): string {
  return `${title} (${nameWithVersion({ name, version })})`;
}

/** The number of plans whose charges are shown. */
function plansOf(totals: readonly Usage[]): number {
  return new Set(totals.map(({ plan_id }) => plan_id)).size;
}

type HeadingProps = Pick<UsageOfRange, 'customer' | 'range' | 'words'> & { usage: Usage; plans: number };

/**
 * The name and the quantity of a charge, with its plan where there are several; for staff, with a link to the events of
 * those days.
 */
function Heading({ usage, customer, range, plans, words }: HeadingProps) {
  const { event_name, plan_name: name, plan_version: version } = usage;
  const title = words.titleOf(usage);
  const may_list = useMay('listEvents');
  const day = (instant: string | undefined) => instant?.slice(0, 10);
  const events = {
    customer_id: customer.external_id,
    event_name,
    from: day(range['from']),
    to: day(range['to'] && justBefore(range['to'])),
  };
  return (
    <h3>
      <span class="wide-text">
        {may_list ? <Link to={pathWith('/events', events)}>{title}</Link> : title}
      </span>{' '}
      <span class="faint">
        <span class="number">{words.quantityOf(usage)}</span>
        {plans > 1 && `, ${nameWithVersion({ name, version })}`}
      </span>
    </h3>
  );
}

/** The quantities of a charge by the values of a property: a table for each charge with usage. */
export function UsageByValue({ customer, totals, groups, range, words }: UsageOfRange) {
  return (
    <div class="columns charts">
      {totals
        .filter(({ quantity }) => quantity !== '0')
        .slice(0, CHARTS_MAX)
        .map((usage) => {
          const of_charge = groups.filter(({ charge_id }) => charge_id === usage.charge_id);
          return (
            <div key={usage.charge_id}>
              <Heading
                usage={usage}
                customer={customer}
                range={range}
                plans={plansOf(totals)}
                words={words}
              />
              {of_charge.length === 0 ? (
                <p class="faint">No event of these days has the property.</p>
              ) : (
                <Table
                  caption={`${words.titleOf(usage)} by value`}
                  keyOf={({ group }) => group ?? ''}
                  items={of_charge.slice(0, VALUES_MAX)}
                  columns={VALUE_COLUMNS}
                />
              )}
              {of_charge.length > VALUES_MAX && (
                <p>
                  The first {VALUES_MAX} of {of_charge.length} values
                  <May use="exportCustomerUsage">; the CSV has all of them</May>.
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

type Days = { labels: readonly string[]; timezone: string };

function barsOf({ charge_id }: Usage, days: readonly Usage[], { labels, timezone }: Days): Bar[] {
  const values = new Map(
    days.flatMap((usage) =>
      usage.charge_id === charge_id && usage.group !== null
        ? [[dayIn(timezone, usage.group), usage.quantity]]
        : [],
    ),
  );
  return labels.map((label) => ({ label, value: values.get(label) ?? '0' }));
}

const monthBefore = (instant: string) => new Date(Date.parse(instant) - 30 * DAY_MS).toISOString();

/** The last instant before another one. */
const justBefore = (instant: string) => new Date(Date.parse(instant) - 1).toISOString();

/** The days from one to another, both included, also days without usage. */
function daysBetween(first: string, last: string): string[] {
  const days: string[] = [];
  for (let day = first; day <= last; day = dayAfter(day)) days.push(day);
  return days;
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
