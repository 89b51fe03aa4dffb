import type { PlanMigration } from '../../api/objects.ts';
import { usePages } from '../../api/use-pages.ts';
import { Badge } from '../../components/badge.tsx';
import { Empty } from '../../components/notice.tsx';
import { Page } from '../../components/page.tsx';
import { PagedTable, type Column } from '../../components/table.tsx';
import { Day, Quantity } from '../../components/values.tsx';
import { Link } from '../../shell/environment.tsx';
import { PlanLink } from '../parts/links.tsx';
import { FromPlan } from './from-plan.tsx';

/** The moves of subscribers from one plan to another. */
export function PlanMigrationsPage() {
  const pages = usePages<PlanMigration>('/v1/plan-migrations');
  return (
    <Page title="Plan migrations" actions={<Link to="/plans">All plans</Link>}>
      <PagedTable
        is_list
        caption="Plan migrations, newest first"
        pages={pages}
        columns={COLUMNS}
        keyOf={({ id }) => id}
        empty={
          <Empty title="No plan migration yet">
            <p>
              On the page of a <Link to="/plans">plan</Link>, <em>Move subscribers</em> changes the plan of
              everybody who has it.
            </p>
          </Empty>
        }
      />
    </Page>
  );
}

const COLUMNS: readonly Column<PlanMigration>[] = [
  {
    title: 'Created',
    show: ({ id, created_at }) => (
      <Link to={`/plan-migrations/${id}`}>
        <Day at={created_at} />
      </Link>
    ),
  },
  { title: 'Status', show: ({ status }) => <Badge status={status} /> },
  { title: 'From', show: ({ from_plan_id }) => <FromPlan name={from_plan_id} /> },
  { title: 'To', show: ({ to_plan_id }) => <PlanLink id={to_plan_id} /> },
  {
    title: 'Subscriptions',
    show: ({ total }) => <Quantity value={total} />,
    is_number: true,
    on_phone: 'figure',
  },
  { title: 'Changed', show: ({ changed }) => <Quantity value={changed} />, is_number: true },
  { title: 'Failed', show: ({ failed }) => <Quantity value={failed} />, is_number: true },
];
