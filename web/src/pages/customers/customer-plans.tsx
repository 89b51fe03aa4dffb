import { pathWith } from '../../api/client.ts';
import type { Customer, Plan } from '../../api/objects.ts';
import { usePagesWithin } from '../../api/use-pages.ts';
import { Badge } from '../../components/badge.tsx';
import { Empty } from '../../components/notice.tsx';
import { Section } from '../../components/page.tsx';
import { PagedTable, type Column } from '../../components/table.tsx';
import { Cut, Day } from '../../components/values.tsx';
import { Link } from '../../shell/environment.tsx';
import { May } from '../../shell/session.tsx';
import { PlanLink } from '../parts/links.tsx';

/** The custom plans of a customer: other prices than those of their bases. */
export function CustomerPlans({ customer: { external_id } }: { customer: Customer }) {
  const pages = usePagesWithin<Plan>('/v1/pricing-plans', { customer_id: external_id, limit: '20' });
  const actions = (
    <May use="createPricingPlan">
      <Link to={pathWith('/plans/custom', { customer_id: external_id })} is_button>
        Custom price
      </Link>
    </May>
  );
  return (
    <Section title="Custom plans" actions={actions}>
      <PagedTable
        caption="Custom plans, newest first"
        pages={pages}
        keyOf={({ id }) => id}
        columns={COLUMNS}
        empty={
          <Empty title="No custom plans">
            <p>A custom plan is a plan with other prices for this customer alone.</p>
          </Empty>
        }
      />
    </Section>
  );
}

const COLUMNS: readonly Column<Plan>[] = [
  {
    title: 'Name',
    show: ({ id, name }) => (
      <Cut text={name}>
        <Link to={`/plans/${id}`}>{name}</Link>
      </Cut>
    ),
  },
  { title: 'Based on', show: ({ based_on }) => based_on !== null && <PlanLink id={based_on} /> },
  { title: 'Own prices', show: ({ overrides }) => overrides?.length ?? 0, is_number: true },
  { title: 'Created', show: ({ created_at }) => <Day at={created_at} /> },
  {
    title: 'Status',
    show: ({ archived_at }) => (archived_at === null ? '–' : <Badge status="archived" />),
  },
];
