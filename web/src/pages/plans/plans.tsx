import { MODELS } from '../../../../src/domain/pricing/definitions.ts';
import type { Plan } from '../../api/objects.ts';
import { usePages, useQuery } from '../../api/use-pages.ts';
import { Badge } from '../../components/badge.tsx';
import { Filters } from '../../components/filters.tsx';
import { Field, Select } from '../../components/form.tsx';
import { Empty } from '../../components/notice.tsx';
import { Page } from '../../components/page.tsx';
import { PagedTable, type Column } from '../../components/table.tsx';
import { Day } from '../../components/values.tsx';
import { Link } from '../../shell/environment.tsx';
import { intervalInWords } from './models.ts';
import { May } from '../../shell/session.tsx';

const COLUMNS: readonly Column<Plan>[] = [
  {
    title: 'Name',
    show: ({ id, name, archived_at }) => (
      <span class="cut" title={name}>
        <Link to={`/plans/${id}`}>{name}</Link>
        {archived_at !== null && (
          <>
            {' '}
            <Badge status="archived" />
          </>
        )}
      </span>
    ),
  },
  { title: 'Key', show: ({ key }) => <span class="cut">{key ?? '–'}</span> },
  { title: 'Version', show: ({ version }) => version ?? '–', is_number: true, on_phone: 'hidden' },
  { title: 'Billed', show: (plan) => <span class="nowrap">{intervalInWords(plan)}</span> },
  { title: 'Currency', show: ({ currency }) => currency },
  { title: 'Charges', show: ({ charges }) => charges.length, is_number: true, on_phone: 'hidden' },
  { title: 'Models', show: modelsOf },
  { title: 'Created', show: ({ created_at }) => <Day at={created_at} />, on_phone: 'hidden' },
];

const ARCHIVED = [
  { value: '', label: 'Any' },
  { value: 'false', label: 'not archived' },
  { value: 'true', label: 'archived' },
];

export function PlansPage() {
  const [{ search, key, archived }, setQuery] = useQuery();
  const filters = { search, key, archived };
  const pages = usePages<Plan>('/v1/pricing-plans', filters);
  return (
    <Page
      title="Plans"
      actions={
        <>
          <Link to="/plan-migrations">Plan migrations</Link>
          <May use="createPricingPlan">
            <Link to="/plans/new" is_button>
              New plan
            </Link>
          </May>
        </>
      }
    >
      <Filters values={filters} apply={(values) => setQuery({ ...values, cursor: undefined })}>
        <Field name="search" label="Find a plan" placeholder="Name, key or id" initial={search} />
        <Select name="archived" label="Archived" options={ARCHIVED} value={archived ?? ''} />
      </Filters>
      <PagedTable
        is_list
        caption="Plans, newest first"
        pages={pages}
        columns={COLUMNS}
        keyOf={({ id }) => id}
        empty={search || key || archived ? <Empty title="No plan fits the filters" /> : <NothingYet />}
      />
    </Page>
  );
}

function NothingYet() {
  return (
    <Empty title="No plan yet">
      <p>A plan sets the prices of events. Customers subscribe to a plan.</p>
      <May use="createPricingPlan">
        <p>
          <Link to="/plans/new" is_button>
            Create the first plan
          </Link>
        </p>
      </May>
    </Empty>
  );
}

function modelsOf({ charges }: Plan): string {
  return [...new Set(charges.map(({ pricing_model }) => MODELS[pricing_model].name))].join(', ');
}
