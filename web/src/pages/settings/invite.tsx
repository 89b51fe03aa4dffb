import { useState } from 'preact/hooks';
import type { InvitedUser, User } from '../../api/objects.ts';
import { ActionButton } from '../../components/action-button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Field, Form, Select, type Values } from '../../components/form.tsx';
import { ShownOnce } from '../../components/shown-once.tsx';
import { Time } from '../../components/values.tsx';
import { useClient } from '../../shell/session.tsx';

/** Roles of a form, from the least to the most. */
export const ROLES = [
  { value: 'viewer', label: 'Viewer: reads everything' },
  { value: 'support', label: 'Support: also voids, regenerates and cancels, and grants credit' },
  { value: 'finance', label: 'Finance: also customers, plans, payments and credit notes' },
  { value: 'admin', label: 'Admin: also users, keys, webhooks and erasure' },
];

/** A dialog that invites a person and shows the link once. */
export function InviteButton({ invited }: { invited: () => void }) {
  const [is_open, setOpen] = useState(false);
  const [user, setUser] = useState<InvitedUser | null>(null);
  const client = useClient();
  const close = () => {
    setOpen(false);
    setUser(null);
  };
  const invite = async ({ email, name, role }: Values) => {
    setUser(await client.post<InvitedUser>('/dashboard/api/users', { email, name, role }));
    invited();
  };
  return (
    <>
      <button type="button" class="primary" onClick={() => setOpen(true)}>
        Invite a person
      </button>
      <Dialog title="Invite a person" is_open={is_open} close={close}>
        {user === null ? (
          <Form submit_label="Make the link" submit={invite} beside={<Cancel close={close} />}>
            <Field name="email" label="Email" hint="Tidemark sends no mail: you send the link." />
            <Field name="name" label="Name" hint="Stands beside what the person does." />
            <Select name="role" label="Role" options={ROLES} />
          </Form>
        ) : (
          <Link user={user} close={close} />
        )}
      </Dialog>
    </>
  );
}

/** Makes another sign-in link for a user; the one before is void. */
export function NewLinkButton({ user }: { user: User }) {
  const [made, setMade] = useState<InvitedUser | null>(null);
  const client = useClient();
  const make = async () => setMade(await client.post<InvitedUser>(`/dashboard/api/users/${user.id}/invite`));
  const close = () => setMade(null);
  return (
    <>
      <ActionButton label="New link" done_label="" perform={make} />
      <Dialog title={`A link for ${user.name}`} is_open={made !== null} close={close}>
        {made !== null && <Link user={made} close={close} />}
      </Dialog>
    </>
  );
}

function Link({ user, close }: { user: InvitedUser; close: () => void }) {
  return (
    <ShownOnce secret={user.invite_url} what="the link" close={close}>
      <p>
        <strong>Copy the link now and send it to {user.name}.</strong> It signs in once, until{' '}
        <Time at={user.invite_expires_at} />, and cannot be shown again. It becomes void if you are no longer
        an admin. An earlier link is void now.
      </p>
    </ShownOnce>
  );
}

function Cancel({ close }: { close: () => void }) {
  return (
    <button type="button" onClick={close}>
      Cancel
    </button>
  );
}
