import type { ApiKey } from '../../api/objects.ts';
import { usePages } from '../../api/use-pages.ts';
import { QuestionButton } from '../../components/action-button.tsx';
import { Badge } from '../../components/badge.tsx';
import { Empty } from '../../components/notice.tsx';
import { PagedTable, type Column } from '../../components/table.tsx';
import { Code, Cut, Day, Time } from '../../components/values.tsx';
import { useEnvironment } from '../../shell/environment.tsx';
import { May, useClient } from '../../shell/session.tsx';
import { NewKeyButton } from './new-key.tsx';
import { Settings } from './settings.tsx';

/** List of the environment's API keys. */
export function KeysPage() {
  const environment = useEnvironment();
  const pages = usePages<ApiKey>('/dashboard/api/keys');
  const { reload } = pages.loaded;
  return (
    <Settings
      title={`API keys of ${environment} data`}
      actions={
        <May use="createKey">
          <NewKeyButton created={reload} />
        </May>
      }
    >
      <PagedTable
        caption={`API keys of ${environment} data`}
        pages={pages}
        keyOf={({ id }) => id}
        columns={columns(environment, reload)}
        empty={
          <Empty title="No keys yet">
            <p>Create a key for the backend that sends events.</p>
          </Empty>
        }
      />
    </Settings>
  );
}

function columns(environment: string, reload: () => void): Column<ApiKey>[] {
  return [
    { title: 'Name', show: ({ name }) => <Cut text={name} /> },
    { title: 'Key', show: ({ last_four }) => <Code>{`tm_sk_${environment}_…${last_four}`}</Code> },
    { title: 'Kind', show: ({ kind }) => kind.replace('_', ' ') },
    { title: 'Status', show: (key) => <Badge status={statusOf(key)} /> },
    { title: 'Last used', show: ({ last_used_at }) => <Time at={last_used_at} /> },
    { title: 'Created', show: ({ created_at }) => <Day at={created_at} /> },
    { title: 'By', show: (key) => makerOf(key) },
    { title: 'Action', show: (key) => key.revoked_at === null && <Revoke revoked={key} then={reload} /> },
  ];
}

/** Who made a key: a user, who may have been removed since, or the command line. */
function makerOf({ created_by, is_of_removed_user }: ApiKey): string {
  if (created_by === null) return 'unknown';
  return is_of_removed_user ? `${created_by.name} (removed)` : created_by.name;
}

function statusOf({ revoked_at, expires_at }: ApiKey): 'active' | 'expired' | 'revoked' {
  if (revoked_at !== null) return 'revoked';
  return expires_at !== null && Date.parse(expires_at) <= Date.now() ? 'expired' : 'active';
}

function Revoke({ revoked: { id, name, last_four }, then }: { revoked: ApiKey; then: () => void }) {
  const client = useClient();
  const revoke = async () => {
    await client.post(`/dashboard/api/keys/${id}/revoke`);
    then();
  };
  return (
    <QuestionButton label="Revoke" question={`Revoke the key ${name}, …${last_four}?`} perform={revoke}>
      <p>The API rejects the key within five seconds. This cannot be undone.</p>
    </QuestionButton>
  );
}
