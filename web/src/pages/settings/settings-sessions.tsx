import type { Session } from '../../api/objects.ts';
import { usePages } from '../../api/use-pages.ts';
import { QuestionButton } from '../../components/action-button.tsx';
import { Commands } from '../../components/copy.tsx';
import { Empty } from '../../components/notice.tsx';
import { PagedTable, type Column } from '../../components/table.tsx';
import { Code, Time } from '../../components/values.tsx';
import { useClient } from '../../shell/session.tsx';
import { Settings } from './settings.tsx';

/** List of the browsers that are signed in. */
export function SessionsPage() {
  const pages = usePages<Session>('/dashboard/api/sessions');
  return (
    <Settings title="Sessions">
      <div class="lead stack">
        <p>
          Signed-in browsers. To sign in another browser, create a link on the machine that runs Tidemark:
        </p>
        <Commands text="npm run tidemark -- sign-in" />
      </div>
      <PagedTable
        caption="Signed-in browsers"
        pages={pages}
        keyOf={({ id }) => id}
        columns={columns(pages.loaded.reload)}
        empty={<Empty title="No signed-in browsers" />}
      />
    </Settings>
  );
}

function columns(reload: () => void): Column<Session>[] {
  return [
    { title: 'Session', show: ({ id }) => <Code>{id}</Code> },
    { title: 'Signed in', show: ({ created_at }) => <Time at={created_at} /> },
    { title: 'Last used', show: ({ last_used_at }) => <Time at={last_used_at} /> },
    { title: 'Ends', show: ({ expires_at }) => <Time at={expires_at} /> },
    {
      title: 'Action',
      show: ({ id, is_current }) => (is_current ? 'This browser' : <Revoke id={id} then={reload} />),
    },
  ];
}

function Revoke({ id, then }: { id: string; then: () => void }) {
  const client = useClient();
  const revoke = async () => {
    await client.post(`/dashboard/api/sessions/${id}/revoke`);
    then();
  };
  return (
    <QuestionButton label="Sign out" question="Sign out this session?" perform={revoke}>
      <p>
        The browser of the session <Code>{id}</Code> must sign in again.
      </p>
    </QuestionButton>
  );
}
