import type { Revenue } from '../../api/objects.ts';
import { useLoad } from '../../api/use-load.ts';
import { Section } from '../../components/page.tsx';
import { Link } from '../../shell/environment.tsx';
import { RevenueChart } from '../revenue/revenue-chart.tsx';

/** Revenue of twelve months in the currency of the account; nothing before something is booked. */
export function RevenueOfHome() {
  const revenue = useLoad<Revenue>('/v1/revenue').value;
  if (!revenue?.currencies.includes(revenue.currency)) return null;
  return (
    <Section title={`Revenue by month in ${revenue.currency}`} actions={<Link to="/revenue">Revenue</Link>}>
      <RevenueChart revenue={revenue} />
    </Section>
  );
}
