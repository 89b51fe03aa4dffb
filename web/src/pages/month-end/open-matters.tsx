import type { ComponentChildren } from 'preact';
import { pathWith, type Client } from '../../api/client.ts';
import type { InvoiceSum, InvoiceSummary, List, Subscription, UsageReport } from '../../api/objects.ts';
import { useLoad } from '../../api/use-load.ts';
import { dayAfter } from '../../components/instant.ts';
import { Loading } from '../../components/loading.tsx';
import { FaultNotice } from '../../components/notice.tsx';
import { Section } from '../../components/page.tsx';
import { Table, type Column } from '../../components/table.tsx';
import { grouped } from '../../components/grouped.ts';
import { Money, Quantity, sumOfCounts } from '../../components/values.tsx';
import { Link } from '../../shell/environment.tsx';
import { daysOf, monthInWords } from './month.ts';

/**
 * Lists what a person may have to do before the month is closed, each with its number, its money and a link. Events
 * take seconds to count while much is stored: the others do not wait for them.
 */
export function OpenMatters({ month }: { month: string }) {
  const drafts_path = pathWith('/v1/invoices/summary', { status: 'draft', period_month: month });
  const documents = useLoad(drafts_path, readDocuments);
  const { from, to } = daysOf(month);
  const report = useLoad<UsageReport>(pathWith('/v1/usage-report', { from, to: dayAfter(to) }));
  return (
    <Section title="What is open">
      {report.fault !== null && <FaultNotice fault={report.fault} retry={report.reload} />}
      <Loading loaded={documents}>
        {(read) => (
          <Table
            caption="What is open"
            keyOf={({ what }) => what}
            items={mattersOf(month, read, report.value)}
            columns={COLUMNS}
          />
        )}
      </Loading>
    </Section>
  );
}

/** Drafts of the month; all subscriptions that are stopped, and all invoices that are overdue, now. */
type Documents = { drafts: InvoiceSum[]; overdue: InvoiceSum[]; stopped: List<Subscription> };

const STOPPED_MAX = 200;

async function readDocuments(client: Client, path: string, signal: AbortSignal): Promise<Documents> {
  const [drafts, overdue, stopped] = await Promise.all([
    client.get<InvoiceSummary>(path, signal),
    client.get<InvoiceSummary>('/v1/invoices/summary?overdue=true', signal),
    client.get<List<Subscription>>(`/v1/subscriptions?attention=true&limit=${STOPPED_MAX}`, signal),
  ]);
  return { drafts: drafts.data, overdue: overdue.data, stopped };
}

/** `count` is null while it is being counted. */
type Matter = { what: string; why: string; count: string | null; money: ComponentChildren; to: string };

const NONE = <span class="faint">–</span>;

const COLUMNS: readonly Column<Matter>[] = [
  { title: 'Open', show: ({ what }) => what },
  { title: 'Meaning', show: ({ why }) => <span class="faint">{why}</span> },
  { title: 'Count', show: (matter) => <Count matter={matter} />, is_number: true },
  { title: 'Amount', show: ({ money }) => money, is_number: true },
];

function Count({ matter: { count, what, to } }: { matter: Matter }) {
  if (count === null) return NONE;
  if (count === '0') return <Quantity value={0} />;
  return (
    <Link to={to}>
      <span class="number">{count}</span>
      <span class="unseen"> {what}</span>
    </Link>
  );
}

function mattersOf(
  month: string,
  { drafts, overdue, stopped }: Documents,
  report: UsageReport | null,
): Matter[] {
  return [
    {
      what: 'Drafts',
      why: `of periods that end in ${monthInWords(month)}, not issued yet`,
      count: countOf(drafts),
      money: <Sums sums={drafts} amountOf={({ total }) => total} />,
      to: pathWith('/invoices', { status: 'draft', month }),
    },
    {
      what: 'Stopped subscriptions',
      why: 'not billed until a person acts',
      count: `${stopped.has_more ? 'more than ' : ''}${stopped.data.length}`,
      money: NONE,
      to: '/subscriptions?attention=true',
    },
    ...EVENTS.map(({ status, ...named }) => ({
      ...named,
      count: report && grouped(sumOfCounts(report.data.map((day) => String(day[status])))),
      money: NONE,
      to: pathWith('/events', { ...daysOf(month), billing_status: status }),
    })),
    {
      what: 'Overdue invoices',
      why: 'of any month, not paid by their due date',
      count: countOf(overdue),
      money: <Sums sums={overdue} amountOf={({ amount_due }) => amount_due} />,
      to: '/invoices?overdue=true',
    },
  ];
}

const EVENTS = [
  { status: 'unrated', what: 'Unrated events', why: 'no charge of a subscription counts them' },
  {
    status: 'late',
    what: 'Late events',
    why: 'arrived after their period was billed; the next invoice bills them',
  },
  {
    status: 'too_late',
    what: 'Too late events',
    why: 'billed only if the invoice of their period is regenerated',
  },
] as const;

const countOf = (sums: readonly InvoiceSum[]) => grouped(sumOfCounts(sums.map(({ count }) => String(count))));

type SumsProps = { sums: readonly InvoiceSum[]; amountOf: (sum: InvoiceSum) => string };

/** An amount for each currency. */
function Sums({ sums, amountOf }: SumsProps) {
  if (sums.length === 0) return NONE;
  return (
    <>
      {sums.map((sum) => (
        <div key={sum.currency}>
          <Money amount={amountOf(sum)} currency={sum.currency} />
        </div>
      ))}
    </>
  );
}
