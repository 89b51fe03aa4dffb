import { pathWith } from '../../api/client.ts';
import type { Revenue, RevenueBucket } from '../../api/objects.ts';
import { BarChart } from '../../components/bar-chart.tsx';
import { dayAfter, dayIn, endsIn } from '../../components/instant.ts';
import { useAddress } from '../../shell/environment.tsx';
import { monthBriefly } from '../month-end/month.ts';

/** The days of a part of a range as the page is asked for them: both included. */
function daysOfBucket({ timezone }: Revenue, bucket: RevenueBucket): { from: string; to: string } {
  const [from, to] = endsIn(timezone, bucket);
  return { from, to };
}

/** "Oct 2026" for a whole month, "2026-10-05" for a day, else the first and the last day. */
export function labelOf(revenue: Revenue, bucket: RevenueBucket): string {
  const { from, to } = daysOfBucket(revenue, bucket);
  if (from === to) return from;
  const is_month = from.endsWith('-01') && dayAfter(to).endsWith('-01');
  return is_month && revenue.by === 'month' ? monthBriefly(from.slice(0, 7)) : `${from} to ${to}`;
}

/** The page to which a part leads: a month or a week to its days, a day to its invoices. */
export function pageOfBucket(revenue: Revenue, bucket: RevenueBucket, customer_id?: string): string {
  const { currency, by, timezone } = revenue;
  if (by !== 'day')
    return pathWith('/revenue', { ...daysOfBucket(revenue, bucket), by: 'day', currency, customer_id });
  const day = dayIn(timezone, bucket.from);
  return pathWith('/invoices', { by: 'issue', from: day, to: day, customer_id });
}

type RevenueChartProps = { revenue: Revenue; customer_id?: string | undefined; has_table?: boolean };

/** Bars of revenue without groups, each of which leads on. */
export function RevenueChart({ revenue, customer_id, has_table = false }: RevenueChartProps) {
  const addressOf = useAddress();
  return (
    <BarChart
      title={`Revenue by ${revenue.by}, net`}
      unit={revenue.currency}
      label={revenue.by}
      has_table={has_table}
      bars={revenue.data.map((bucket) => ({
        label: labelOf(revenue, bucket),
        value: bucket.total,
        href: addressOf(pageOfBucket(revenue, bucket, customer_id)),
      }))}
    />
  );
}
