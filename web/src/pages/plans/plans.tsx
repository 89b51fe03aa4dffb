import { MODELS } from '../../../../src/domain/pricing/definitions.ts';
import type { Plan } from '../../api/objects.ts';
import { usePages } from '../../api/use-pages.ts';
import { Empty } from '../../components/notice.tsx';
import { Page } from '../../components/page.tsx';
import { ShortId } from '../../components/short-id.tsx';
import { PagedTable, type Column } from '../../components/table.tsx';
import { Time } from '../../components/values.tsx';
import { Link } from '../../shell/environment.tsx';
import { intervalInWords } from './models.ts';

const COLUMNS: readonly Column<Plan>[] = [
  {
    title: 'Name',
    show: ({ id, name }) => (
      <span class="cut" title={name}>
        <Link to={`/plans/${id}`}>{name}</Link>
      </span>
    ),
  },
  { title: 'Billed', show: (plan) => <span class="nowrap">{intervalInWords(plan)}</span> },
  { title: 'Currency', show: ({ currency }) => currency },
  { title: 'Charges', show: ({ charges }) => charges.length, is_number: true },
  { title: 'Models', show: modelsOf },
  { title: 'Id', show: ({ id }) => <ShortId id={id} what="the plan’s id" /> },
  { title: 'Created', show: ({ created_at }) => <Time at={created_at} /> },
];

export function PlansPage() {
  const pages = usePages<Plan>('/v1/pricing-plans');
  return (
    <Page
      title="Plans"
      actions={
        <Link to="/plans/new" is_button>
          New plan
        </Link>
      }
    >
      <PagedTable
        caption="Plans, newest first"
        pages={pages}
        columns={COLUMNS}
        keyOf={({ id }) => id}
        empty={
          <Empty title="No plan yet">
            <p>A plan sets the prices of events. Customers subscribe to a plan.</p>
            <p>
              <Link to="/plans/new" is_button>
                Create the first plan
              </Link>
            </p>
          </Empty>
        }
      />
    </Page>
  );
}

function modelsOf({ charges }: Plan): string {
  return [...new Set(charges.map(({ pricing_model }) => MODELS[pricing_model].name))].join(', ');
}
