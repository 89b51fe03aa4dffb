import { useState } from 'preact/hooks';
import { pathWith } from '../../api/client.ts';
import type { FeedPage } from '../../api/objects.ts';
import { useLoad } from '../../api/use-load.ts';
import { Disclosure } from '../../components/disclosure.tsx';
import { Loading } from '../../components/loading.tsx';
import { Empty } from '../../components/notice.tsx';
import { Table } from '../../components/table.tsx';
import { CHANGE_COLUMNS } from './change-columns.tsx';

const PAGE = '50';

type Filter = { object_id: string } | { customer_id: string };

/** Changes of an object; of a customer, also of all that is its own. They are loaded when a person opens the section. */
export function History({ of: filter }: { of: Filter }) {
  return (
    <Disclosure summary="History">
      <HistoryPages of={filter} />
    </Disclosure>
  );
}

function HistoryPages({ of: filter }: { of: Filter }) {
  const [after, setAfter] = useState<readonly number[]>([]);
  const from = after.at(-1);
  const query = { ...filter, limit: PAGE, ...(from === undefined ? {} : { after: `${from}` }) };
  const loaded = useLoad<FeedPage>(pathWith('/v1/changes', query));
  return (
    <Loading of={loaded}>
      {({ data, has_more, next_after }) => (
        <>
          {data.length === 0 ? (
            <Empty title="No changes">
              <p>Changes are kept for 90 days, unless your operator has set another time.</p>
            </Empty>
          ) : (
            <Table
              caption="History, oldest first"
              columns={CHANGE_COLUMNS}
              items={data}
              keyOf={({ id }) => id}
            />
          )}
          {(from !== undefined || has_more) && (
            <nav class="page-buttons" aria-label="Pages: History">
              <button
                type="button"
                disabled={from === undefined}
                onClick={() => setAfter(after.slice(0, -1))}
              >
                ← Older
              </button>
              <button type="button" disabled={!has_more} onClick={() => setAfter([...after, next_after])}>
                Newer →
              </button>
            </nav>
          )}
        </>
      )}
    </Loading>
  );
}
