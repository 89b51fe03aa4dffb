import { useEffect, useState } from 'preact/hooks';
import type { PlanMigrationOutcome } from '../../api/objects.ts';
import { usePagesWithin } from '../../api/use-pages.ts';
import { Badge } from '../../components/badge.tsx';
import { Empty } from '../../components/notice.tsx';
import { Section } from '../../components/page.tsx';
import { PagedTable, type Column } from '../../components/table.tsx';
import { words } from '../../components/values.tsx';
import { CutCustomerLink, SubscriptionLink } from '../parts/links.tsx';

const STATUSES = ['', 'changed', 'skipped', 'failed', 'taken_back'];

/** The outcomes of a migration, by status. */
export function Outcomes({ path, finished_at }: { path: string; finished_at: string | null }) {
  const [status, setStatus] = useState('');
  const pages = usePagesWithin<PlanMigrationOutcome>(`${path}/outcomes`, { status });
  const { reload } = pages.loaded;
  // Complete once nothing is left to do.
  useEffect(reload, [finished_at, reload]);
  return (
    <Section
      title="Outcomes"
      actions={
        <>
          <label>
            Status{' '}
            <select value={status} onChange={(event) => setStatus(event.currentTarget.value)}>
              {STATUSES.map((value) => (
                <option key={value} value={value}>
                  {value === '' ? 'any' : words(value)}
                </option>
              ))}
            </select>
          </label>
          <button type="button" onClick={reload}>
            Refresh
          </button>
        </>
      }
    >
      <PagedTable
        caption="Outcomes, the newest subscription first"
        pages={pages}
        keyOf={({ subscription_id }) => subscription_id}
        columns={COLUMNS}
        empty={<Empty title={status === '' ? 'No outcome yet' : 'No outcome with this status'} />}
      />
    </Section>
  );
}

const COLUMNS: readonly Column<PlanMigrationOutcome>[] = [
  { title: 'Customer', show: ({ customer_id }) => <CutCustomerLink id={customer_id} /> },
  {
    title: 'Subscription',
    show: ({ subscription_id }) => <SubscriptionLink id={subscription_id} />,
  },
  // The badge of a changed line of an invoice asks for attention.
  { title: 'Status', show: ({ status }) => (status === 'changed' ? status : <Badge status={status} />) },
  {
    title: 'Reason',
    show: ({ reason, details }) => details?.map(({ message }) => message).join('; ') ?? reason,
  },
];
