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
import { ActorName } from '../../components/name.tsx';
import { Table, type Column } from '../../components/table.tsx';
import { Cut, Quantity, Time } from '../../components/values.tsx';
import { CutCustomerLink } from '../parts/links.tsx';
import { ObjectLink } from '../parts/object-link.tsx';

const POLLING_MS = 2000;
/** The newest numbers that the page looks at. */
const LOOKED_AT = 1000;

const COLUMNS: readonly Column<FeedChange>[] = [
  { title: 'Number', show: ({ sequence }) => <Quantity value={sequence} />, is_number: true },
  { title: 'Time', show: ({ created_at }) => <Time at={created_at} /> },
  { title: 'Type', show: ({ type }) => type },
  {
    title: 'Object',
    show: (change) => <ObjectLink object={change} is_gone={change.type.endsWith('.deleted')} />,
  },
  {
    title: 'Customer',
    show: ({ customer_id, type }) =>
      customer_id !== null &&
      (type === 'customer.deleted' ? <Cut text={customer_id} /> : <CutCustomerLink id={customer_id} />),
  },
  { title: 'By', show: ({ actor }) => (actor === null ? 'Tidemark' : <ActorName id={actor} />) },
];

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
      <Loading loaded={loaded}>
        {(changes) =>
          changes.length === 0 ? (
            <Empty title="No changes">
              <p>Of the newest {LOOKED_AT} changes none fits. The API has all of them: GET /v1/changes.</p>
            </Empty>
          ) : (
            <Table
              is_list
              caption={`Of the newest ${LOOKED_AT} changes, newest first`}
              columns={COLUMNS}
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
