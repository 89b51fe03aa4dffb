import type { Session } from '../../api/objects.ts';
import { usePages } from '../../api/use-pages.ts';
import { QuestionButton } from '../../components/action-button.tsx';
import { Empty } from '../../components/notice.tsx';
import { PagedTable, type Column } from '../../components/table.tsx';
import { Cut, Time } from '../../components/values.tsx';
import { useClient, useDashboard } from '../../shell/session.tsx';
import { Passkeys } from './passkeys.tsx';
import { Settings } from './settings.tsx';

/** List of the browsers in which the person is signed in; an admin sees those of all users. */
export function SessionsPage() {
  const { user } = useDashboard();
  const pages = usePages<Session>('/dashboard/api/sessions');
  const is_of_all = user.role === 'admin';
  return (
    <Settings title="Sessions">
      <p class="lead">
        {is_of_all ? 'Browsers in which users are signed in.' : 'Browsers in which you are signed in.'} A
        session ends after 30 days, or when nobody has used it for 12 hours.
      </p>
      <PagedTable
        caption="Signed-in browsers"
        pages={pages}
        keyOf={({ id }) => id}
        columns={columns(pages.loaded.reload, is_of_all)}
        empty={<Empty title="No signed-in browsers" />}
      />
      <Passkeys />
    </Settings>
  );
}

function columns(reload: () => void, is_of_all: boolean): Column<Session>[] {
  const user: Column<Session> = { title: 'User', show: (session) => <Cut text={session.user.name} /> };
  return [
    ...(is_of_all ? [user] : []),
    { title: 'Browser', show: (session) => <Browser session={session} /> },
    { title: 'Address', show: ({ address }) => address ?? 'unknown' },
    { title: 'Signed in', show: ({ created_at }) => <Time at={created_at} /> },
    { title: 'Last used', show: ({ last_used_at }) => <Time at={last_used_at} /> },
    { title: 'Ends', show: ({ expires_at }) => <Time at={expires_at} /> },
    {
      title: 'Action',
      show: (session) => (session.is_current ? 'This browser' : <Revoke session={session} then={reload} />),
    },
  ];
}

/** "Chrome on Linux"; the tooltip has all that the browser says of itself. */
function Browser({ session: { browser, user_agent } }: { session: Session }) {
  const text = user_agent ?? 'unknown';
  return <Cut text={text}>{browser ?? text}</Cut>;
}

function Revoke({ session: { id, user }, then }: { session: Session; then: () => void }) {
  const client = useClient();
  const revoke = async () => {
    await client.post(`/dashboard/api/sessions/${id}/revoke`);
    then();
  };
  return (
    <QuestionButton label="Sign out" question={`Sign out this session of ${user.name}?`} perform={revoke}>
      <p>The browser must sign in again.</p>
    </QuestionButton>
  );
}
