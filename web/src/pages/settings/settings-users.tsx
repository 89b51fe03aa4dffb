import type { User } from '../../api/objects.ts';
import { usePages } from '../../api/use-pages.ts';
import { QuestionButton } from '../../components/action-button.tsx';
import { Badge } from '../../components/badge.tsx';
import { FormButton } from '../../components/dialog-button.tsx';
import { Field, Select, type Values } from '../../components/form.tsx';
import { Empty } from '../../components/notice.tsx';
import { PagedTable, type Column } from '../../components/table.tsx';
import { Cut, Day } from '../../components/values.tsx';
import { May, useClient, useDashboard } from '../../shell/session.tsx';
import { InviteButton, NewLinkButton, ROLES } from './invite.tsx';
import { Settings } from './settings.tsx';

/** List of the people of the account. */
export function UsersPage() {
  const pages = usePages<User>('/dashboard/api/users');
  const { reload } = pages.loaded;
  return (
    <Settings
      title="Users"
      actions={
        <May use="inviteUser">
          <InviteButton invited={reload} />
        </May>
      }
    >
      <PagedTable
        caption="Users of the account"
        pages={pages}
        keyOf={({ id }) => id}
        columns={columns(reload)}
        empty={<Empty title="No users" />}
      />
    </Settings>
  );
}

function columns(reload: () => void): Column<User>[] {
  return [
    { title: 'Name', show: ({ name }) => <Cut text={name} /> },
    { title: 'Email', show: ({ email }) => (email === null ? 'none' : <Cut text={email} />) },
    {
      title: 'Role',
      show: ({ role, role_from }) => (role_from === 'provider' ? `${role}, by the provider` : role),
    },
    { title: 'Status', show: ({ status }) => <Badge status={status} /> },
    { title: 'Since', show: ({ created_at }) => <Day at={created_at} /> },
    { title: 'Actions', show: (user) => <Actions user={user} then={reload} /> },
  ];
}

function Actions({ user, then }: { user: User; then: () => void }) {
  const { user: me } = useDashboard();
  const client = useClient();
  if (user.status === 'removed') return <>Invite the person again to let them in.</>;
  const act = (verb: string) => async () => {
    await client.post(`/dashboard/api/users/${user.id}/${verb}`);
    then();
  };
  return (
    <span class="buttons">
      <EditButton user={user} then={then} />
      <NewLinkButton user={user} />
      <QuestionButton
        label="Sign out"
        question={`Sign out ${user.name} everywhere?`}
        perform={act('revoke-sessions')}
      >
        <p>All sessions of the user end. The user may sign in again.</p>
      </QuestionButton>
      {user.id !== me.id && (
        <QuestionButton label="Remove" question={`Remove ${user.name}?`} perform={act('remove')}>
          <p>
            Sessions and sign-in links of the user end at once, and links that the user made for others are
            void: make these new ones. API keys that the user made go on: revoke them on their page. The name
            stays beside everything that the user did.
          </p>
        </QuestionButton>
      )}
    </span>
  );
}

/** Changes the name and the role; one's own role, and one that the provider decides on, is not offered. */
function EditButton({ user, then }: { user: User; then: () => void }) {
  const { user: me } = useDashboard();
  const client = useClient();
  const may_change_role = user.id !== me.id && user.role_from === 'admin';
  const save = async ({ name, role }: Values) => {
    await client.patch(`/dashboard/api/users/${user.id}`, { name, ...(may_change_role ? { role } : {}) });
    then();
  };
  return (
    <FormButton label="Edit" title={`Edit ${user.name}`} submit_label="Save" submit={save}>
      <Field name="name" label="Name" initial={user.name} />
      {may_change_role && (
        <Select
          name="role"
          label="Role"
          options={ROLES}
          value={user.role}
          hint="If the user is no longer an admin, unused links that the user made for others become void."
        />
      )}
    </FormButton>
  );
}
