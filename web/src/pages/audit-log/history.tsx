import type { AuditEntry } from '../../api/objects.ts';
import { usePagesWithin } from '../../api/use-pages.ts';
import { Disclosure } from '../../components/disclosure.tsx';
import { Empty } from '../../components/notice.tsx';
import { PagedTable } from '../../components/table.tsx';
import { HISTORY_COLUMNS } from './audit-columns.tsx';

type Filter = { object_id: string } | { customer_id: string };

/** Acts on an object; of a customer, also on all that is its own. They are loaded when a person opens the section. */
export function History({ filter }: { filter: Filter }) {
  return (
    <Disclosure summary="History">
      <HistoryPages filter={filter} />
    </Disclosure>
  );
}

function HistoryPages({ filter }: { filter: Filter }) {
  const pages = usePagesWithin<AuditEntry>('/v1/audit-log', filter);
  return (
    <PagedTable
      caption="History, newest first"
      pages={pages}
      keyOf={({ id }) => id}
      columns={HISTORY_COLUMNS}
      empty={<Empty title="No acts" />}
    />
  );
}
