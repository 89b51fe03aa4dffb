import { isZero } from '../../../../src/domain/money/figures.ts';
import { pathWith, type Query } from '../../api/client.ts';
import type { RecurringRevenue, RecurringRevenueMonth } from '../../api/objects.ts';
import { useLoad } from '../../api/use-load.ts';
import { useQuery } from '../../api/use-pages.ts';
import { BarChart } from '../../components/bar-chart.tsx';
import { DownloadButton } from '../../components/download-button.tsx';
import { dayIn } from '../../components/instant.ts';
import { Loading } from '../../components/loading.tsx';
import { Empty } from '../../components/notice.tsx';
import { Section } from '../../components/page.tsx';
import { Table, type Column } from '../../components/table.tsx';
import { Quantity } from '../../components/values.tsx';
import { Link, useAddress, useEnvironment } from '../../shell/environment.tsx';
import { monthBriefly, monthsLater } from '../month-end/month.ts';
import { Movements } from './movements.tsx';

type RecurringProps = {
  /** Days, half open, with the currency and the customer of the page. */
  range: Query;
  /** The month whose movements are shown. */
  month: string | undefined;
};

/** Recurring revenue at the end of each month of a range, and how it moved. */
export function Recurring({ range, month }: RecurringProps) {
  const [page] = useQuery();
  const query = useMonths(range);
  const loaded = useLoad<RecurringRevenue>(pathWith('/v1/recurring-revenue', query));
  return (
    <Section
      title="Recurring revenue"
      actions={
        <DownloadButton
          label="Export recurring revenue"
          path={pathWith('/v1/recurring-revenue.csv', query)}
          name="recurring-revenue.csv"
        />
      }
    >
      <p class="lead">
        The flat charges of all subscriptions as an amount a month, net, at the end of each month; of this
        month, as it is now. Usage, items and tax do not recur.
      </p>
      <Loading loaded={loaded}>
        {(recurring) => (
          <>
            <Months recurring={recurring} pageOf={(of) => pathWith('/revenue', { ...page, month: of })} />
            {month !== undefined && <Movements key={month} month={month} currency={recurring.currency} />}
          </>
        )}
      </Loading>
    </Section>
  );
}

/** The range in whole months. Months to come exist only in test data. */
function useMonths({ from, to, currency, customer_id }: Query): Query {
  const this_month = dayIn('UTC', new Date().toISOString()).slice(0, 7);
  const is_live = useEnvironment() === 'live';
  const firstOf = (month: string) => `${month}-01`;
  const end = to && (to.endsWith('-01') ? to.slice(0, 7) : monthsLater(to.slice(0, 7), 1));
  const last = monthsLater(this_month, 1);
  const is_to_come = is_live && end !== undefined && end > last;
  return {
    from: from && firstOf(from.slice(0, 7)),
    to: end && !is_to_come ? firstOf(end) : undefined,
    currency,
    customer_id,
  };
}

type MonthsProps = { recurring: RecurringRevenue; pageOf: (month: string) => string };

function Months({ recurring: { currency, data }, pageOf }: MonthsProps) {
  const addressOf = useAddress();
  const is_empty = data.every(({ before, customers }) => customers === 0 && isZero(before));
  if (is_empty)
    return (
      <Empty title="No recurring revenue">
        <p>It begins with the first subscription that is billed for a flat charge.</p>
      </Empty>
    );
  return (
    <>
      <BarChart
        title="Recurring revenue by month"
        unit={currency}
        label="month"
        has_table
        bars={data.map(({ month, recurring }) => ({
          label: monthBriefly(month),
          value: recurring,
          href: addressOf(pageOf(month)),
        }))}
      />
      <Table
        caption={`Recurring revenue by month in ${currency}`}
        keyOf={({ month }) => month}
        items={data.toReversed()}
        columns={[
          {
            title: 'Month',
            show: ({ month }) => <Link to={pageOf(month)}>{monthBriefly(month)}</Link>,
          },
          ...FIGURES.map(([title, name]): Column<RecurringRevenueMonth> => ({
            title,
            show: (of_month) => <Quantity value={of_month[name]} />,
            is_number: true,
          })),
        ]}
      />
    </>
  );
}

const FIGURES = [
  ['Before', 'before'],
  ['New', 'new'],
  ['Expansion', 'expansion'],
  ['Contraction', 'contraction'],
  ['Churn', 'churn'],
  ['Reactivation', 'reactivation'],
  ['Recurring', 'recurring'],
  ['Customers', 'customers'],
] as const;
