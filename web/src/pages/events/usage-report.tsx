import type { BillingStatus, UsageReport } from '../../api/objects.ts';
import { pathWith } from '../../api/client.ts';
import { useLoad } from '../../api/use-load.ts';
import { useQuery } from '../../api/use-pages.ts';
import { Filters } from '../../components/filters.tsx';
import { Field, Select } from '../../components/form.tsx';
import { dayAfter } from '../../components/instant.ts';
import { Loading } from '../../components/loading.tsx';
import { Empty } from '../../components/notice.tsx';
import { Page } from '../../components/page.tsx';
import { Table, type Column } from '../../components/table.tsx';
import { Cut, Quantity, Time } from '../../components/values.tsx';
import { Link } from '../../shell/environment.tsx';
import { CustomerField } from '../choices/customer-field.tsx';
import { CustomerLink } from '../parts/links.tsx';

type Group = UsageReport['data'][number];
type Counts = Record<'accepted' | BillingStatus, number>;
type Row = Group | ({ is_total: true } & Counts);

const GROUPS = [
  { value: 'day', label: 'Day' },
  { value: 'event_name', label: 'Event name' },
  { value: 'customer', label: 'Customer' },
];
const DAYS = 30;
const DAY_MS = 86_400_000;

/** Events by billing status: by day, event name or customer, of at most 31 days. */
export function UsageReportPage() {
  const [{ group_by = 'day', event_name, customer_id, cursor, ...query }, setQuery] = useQuery();
  const to = query['to'] || dayOf(Date.now());
  const from = query['from'] || dayOf(Date.parse(to) - (DAYS - 1) * DAY_MS);
  const filters = { group_by, event_name, customer_id, from, to };
  const path = pathWith('/v1/usage-report', { ...filters, to: dayAfter(to), cursor });
  const loaded = useLoad<UsageReport>(path);
  // Days are on one page, and their sums are those of the whole range.
  const days = { ...filters, group_by: undefined, to: dayAfter(to) };
  const by_day = useLoad<UsageReport>(group_by === 'day' ? null : pathWith('/v1/usage-report', days));
  return (
    <Page title="Usage report">
      <Filters values={filters} apply={(values) => setQuery({ ...values, cursor: undefined })}>
        <Select name="group_by" label="By" options={GROUPS} value={group_by} />
        <Field name="event_name" label="Event name" initial={event_name} />
        <CustomerField initial={customer_id} />
        <Field name="from" label="From (UTC)" type="date" initial={from} />
        <Field name="to" label="To, inclusive" type="date" initial={to} />
      </Filters>
      <Loading loaded={loaded}>
        {(report) => (
          <Report
            report={report}
            totals={group_by === 'day' ? report : by_day.value}
            narrowing={{ event_name, customer_id, from, to }}
            next={(next_cursor) => setQuery({ cursor: next_cursor })}
          />
        )}
      </Loading>
    </Page>
  );
}

type Narrowing = Readonly<
  Record<'from' | 'to', string> & Record<'event_name' | 'customer_id', string | undefined>
>;

type ReportProps = {
  report: UsageReport;
  /** The days of the range; null until they are read. */
  totals: UsageReport | null;
  narrowing: Narrowing;
  next: (cursor: string) => void;
};

function Report({ report, totals, narrowing, next }: ReportProps) {
  const { data, as_of, next_cursor } = report;
  return (
    <>
      <p class="faint">
        Exact as of <Time at={as_of} />. An event that several charges count is counted once.
      </p>
      {data.length === 0 ? (
        <Empty title="No events">
          <p>Remove a filter, or choose other days.</p>
        </Empty>
      ) : (
        <Table
          caption="Events by billing status"
          keyOf={groupOf}
          items={[...(totals === null ? [] : [totalOf(totals)]), ...newestFirst(data)]}
          columns={[
            { title: 'Group', show: (row) => <Cut text={groupOf(row)}>{shownGroup(row)}</Cut> },
            { title: 'Accepted', show: ({ accepted }) => <Quantity value={accepted} />, is_number: true },
            ...STATUSES.map(({ status, title }) => columnOf(status, title, narrowing)),
          ]}
        />
      )}
      {next_cursor !== null && (
        <nav class="page-buttons" aria-label="Pages: usage report">
          <button type="button" onClick={() => next(next_cursor)}>
            More →
          </button>
        </nav>
      )}
    </>
  );
}

const STATUSES: readonly { status: BillingStatus; title: string }[] = [
  { status: 'billed', title: 'Billed' },
  { status: 'pending', title: 'Pending' },
  { status: 'late', title: 'Late' },
  { status: 'too_late', title: 'Too late' },
  { status: 'trial', title: 'Trial' },
  { status: 'unrated', title: 'Unrated' },
];

/** The number of events of a status, which leads to their list. */
function columnOf(status: BillingStatus, title: string, narrowing: Narrowing): Column<Row> {
  return {
    title,
    is_number: true,
    show: (row) =>
      row[status] === 0 ? (
        <Quantity value={0} />
      ) : (
        <Link to={pathWith('/events', { ...narrowing, ...filterOf(row), billing_status: status })}>
          <Quantity value={row[status]} />
        </Link>
      ),
  };
}

/** The filter that limits the list of events to those of a row. */
function filterOf(row: Row): Readonly<Record<string, string>> {
  if ('is_total' in row) return {};
  if ('day' in row) return { from: row.day.slice(0, 10), to: row.day.slice(0, 10) };
  return 'event_name' in row ? { event_name: row.event_name } : { customer_id: row.customer_id };
}

/** Days from the last to the first; other groups as they are. */
function newestFirst(data: readonly Group[]): Group[] {
  return data.some((row) => 'day' in row) ? data.toReversed() : [...data];
}

function totalOf({ data }: UsageReport): Row {
  const sum = (name: keyof Counts) => data.reduce((total, row) => total + row[name], 0);
  const [accepted, billed, pending, late] = [sum('accepted'), sum('billed'), sum('pending'), sum('late')];
  const [too_late, trial, unrated] = [sum('too_late'), sum('trial'), sum('unrated')];
  return { is_total: true, accepted, billed, pending, late, too_late, trial, unrated };
}

function groupOf(row: Row): string {
  if ('is_total' in row) return 'Total';
  if ('day' in row) return row.day.slice(0, 10);
  return 'event_name' in row ? row.event_name : row.customer_id;
}

function shownGroup(row: Row) {
  if ('is_total' in row) return <strong>Total</strong>;
  if ('customer_id' in row) return <CustomerLink id={row.customer_id} />;
  return groupOf(row);
}

function dayOf(time_ms: number): string {
  return new Date(time_ms).toISOString().slice(0, 10);
}
