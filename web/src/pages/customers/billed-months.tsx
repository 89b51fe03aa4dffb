import { isZero } from '../../../../src/domain/money/figures.ts';
import { pathWith, type Client } from '../../api/client.ts';
import type { Customer, InvoiceSummary } from '../../api/objects.ts';
import { useLoad } from '../../api/use-load.ts';
import { BarChart } from '../../components/bar-chart.tsx';
import { dayIn } from '../../components/instant.ts';
import { monthBriefly, monthsLater } from '../month-end/month.ts';

const MONTHS = 12;

/** A month such as 2026-10, and the sums of its invoices. */
type MonthSums = { month: string; sums: InvoiceSummary['data'] };

type BilledMonthsProps = {
  customer: Customer;
  /** The time zone of the customer's present month. */
  timezone: string;
  /** Returns the address of the invoices of a month. */
  addressOf?: (month: string) => string;
};

/** Bars of what a customer was billed in each of twelve months; nothing where it was nothing. */
export function BilledMonths({ customer, timezone, addressOf }: BilledMonthsProps) {
  const { id, currency, test_clock } = customer;
  const last_month = dayIn(timezone, test_clock ?? new Date().toISOString()).slice(0, 7);
  const path = pathWith('/v1/invoices/summary', { customer_id: id, currency, period_month: last_month });
  const months = useLoad<MonthSums[]>(path, sumsOfMonths).value;
  if (months === null) return null;
  const bars = months.map(({ month, sums }) => {
    const totalOf = (status: string) => sums.find((sum) => sum.status === status)?.total ?? '0';
    return {
      label: monthBriefly(month),
      value: totalOf('paid'),
      above: totalOf('open'),
      ...(addressOf && { href: addressOf(month) }),
    };
  });
  if (bars.every(({ value, above }) => isZero(value) && isZero(above))) return null;
  return (
    <div class="stack">
      <h3>Billed by month</h3>
      <p class="faint">
        By the last day of the periods, tax included: paid invoices below, open ones above in the paler
        colour.
      </p>
      <BarChart
        title="Billed by month"
        unit={`${currency}, paid`}
        above={`${currency}, open`}
        label="Month"
        bars={bars}
      />
    </div>
  );
}

/** Fetches the sums of the month in a path, and of the months before it. */
async function sumsOfMonths(client: Client, path: string, signal: AbortSignal): Promise<MonthSums[]> {
  const [base = '', query = ''] = path.split('?');
  const { period_month: last_month = '', ...filters } = Object.fromEntries(new URLSearchParams(query));
  const months = Array.from({ length: MONTHS }, (_, place) => monthsLater(last_month, place + 1 - MONTHS));
  return Promise.all(
    months.map(async (month) => {
      const { data } = await client.get<InvoiceSummary>(
        pathWith(base, { ...filters, period_month: month }),
        signal,
      );
      return { month, sums: data };
    }),
  );
}
