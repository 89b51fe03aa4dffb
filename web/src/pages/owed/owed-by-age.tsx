import { pathWith, type Query } from '../../api/client.ts';
import type { ReceivableSum } from '../../api/objects.ts';
import { BarChart } from '../../components/bar-chart.tsx';
import { Money } from '../../components/values.tsx';
import { useAddress } from '../../shell/environment.tsx';
import { AGES } from './ages.ts';

type OwedByAgeProps = { sum: ReceivableSum; filters: Query };

/** Bars of what is owed in a currency, one for each age, which lead to its invoices, or on a day to its debtors. */
export function OwedByAge({ sum, filters }: OwedByAgeProps) {
  const addressOf = useAddress();
  const { currency, total } = sum;
  const { as_of, customer_id } = filters;
  const placeOf = (age: (typeof AGES)[number][0]): string => {
    if (as_of) return pathWith('/owed', { ...filters, currency });
    return pathWith(
      '/invoices',
      age === 'current' ? { customer_id, status: 'open' } : { customer_id, overdue: 'true' },
    );
  };
  return (
    <div>
      <h2>
        <Money amount={total} currency={currency} /> owed
      </h2>
      <BarChart
        title={`Owed in ${currency} by the days since it was due`}
        unit={currency}
        label="Days since it was due"
        bars={AGES.map(([age, label]) => ({ label, value: sum[age], href: addressOf(placeOf(age)) }))}
      />
    </div>
  );
}
