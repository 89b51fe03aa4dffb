import type { Client } from '../../api/client.ts';
import { pathWith } from '../../api/client.ts';
import type { FeedChange, FeedPage } from '../../api/objects.ts';
import { useLoad } from '../../api/use-load.ts';
import { usePolling } from '../../api/use-polling.ts';
import { useQuery } from '../../api/use-pages.ts';
import { Filters } from '../../components/filters.tsx';
import { Field } from '../../components/form.tsx';
import { Loading } from '../../components/loading.tsx';
import { Empty } from '../../components/notice.tsx';
import { Page } from '../../components/page.tsx';
import { Table } from '../../components/table.tsx';
import { CHANGE_COLUMNS } from './change-columns.tsx';

const POLLING_MS = 2000;
/** The newest numbers that the page looks at. */
const LOOKED_AT = 1000;

/** The newest changes, as they come. */
export function ChangesPage() {
  const [{ types }, setQuery] = useQuery();
  const loaded = useLoad<FeedChange[]>(pathWith('/v1/changes', { types }), newestChanges);
  usePolling(loaded, POLLING_MS, true);
  return (
    <Page title="Changes">
      <Filters values={{ types }} apply={setQuery}>
        <Field name="types" label="Types" initial={types} hint="Such as invoice.*, payment.recorded" />
      </Filters>
      <Loading of={loaded}>
        {(changes) =>
          changes.length === 0 ? (
            <Empty title="No changes">
              <p>Of the newest {LOOKED_AT} changes none fits. The API has all of them: GET /v1/changes.</p>
            </Empty>
          ) : (
            <Table
              is_list
              caption={`Of the newest ${LOOKED_AT} changes, newest first`}
              columns={CHANGE_COLUMNS}
              items={changes}
              keyOf={({ id }) => id}
            />
          )
        }
      </Loading>
    </Page>
  );
}

/** The changes among the newest numbers that a filter finds, newest first. The feed itself begins with the oldest. */
async function newestChanges(client: Client, path: string, signal: AbortSignal): Promise<FeedChange[]> {
  const { newest_sequence, oldest_sequence } = await client.get<FeedPage>('/v1/changes?limit=1', signal);
  const after = Math.max(newest_sequence - LOOKED_AT, oldest_sequence - 1);
  const newest = pathWith(path, { after: `${after}`, limit: `${LOOKED_AT}` });
  const { data } = await client.get<FeedPage>(newest, signal);
  return data.reverse();
}
