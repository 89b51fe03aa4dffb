import type { Passkey } from '../../api/objects.ts';
import { usePages } from '../../api/use-pages.ts';
import { QuestionButton } from '../../components/action-button.tsx';
import { FormButton } from '../../components/dialog-button.tsx';
import { Field } from '../../components/form.tsx';
import { Empty } from '../../components/notice.tsx';
import { Section } from '../../components/page.tsx';
import { PagedTable, type Column } from '../../components/table.tsx';
import { Cut, Day, Time } from '../../components/values.tsx';
import { useClient } from '../../shell/session.tsx';
import { addPasskey, mayHavePasskeys } from '../sign-in/passkey.ts';

/** The person's own passkeys, by which they sign in without a link. */
export function Passkeys() {
  const pages = usePages<Passkey>('/dashboard/api/passkeys');
  const { reload } = pages.loaded;
  const client = useClient();
  const add = async ({ name = '' }: Readonly<Record<string, string>>) => {
    await addPasskey(client, name);
    reload();
  };
  const actions = mayHavePasskeys() && (
    <FormButton label="Add a passkey" title="Add a passkey" submit_label="Ask this device" submit={add}>
      <Field name="name" label="Name" hint="Such as the device: Laptop." />
    </FormButton>
  );
  return (
    <Section title="Your passkeys" actions={actions}>
      {!mayHavePasskeys() && (
        <p class="lead">Browsers allow passkeys only at a host name with https, or at localhost.</p>
      )}
      <PagedTable
        caption="Your passkeys"
        pages={pages}
        keyOf={({ id }) => id}
        columns={columns(reload)}
        empty={
          <Empty title="No passkeys">
            <p>With a passkey you sign in by your device instead of a link.</p>
          </Empty>
        }
      />
    </Section>
  );
}

function columns(reload: () => void): Column<Passkey>[] {
  return [
    { title: 'Name', show: ({ name }) => <Cut text={name} /> },
    { title: 'Added', show: ({ created_at }) => <Day at={created_at} /> },
    { title: 'Last used', show: ({ last_used_at }) => <Time at={last_used_at} /> },
    { title: 'Action', show: (passkey) => <Remove passkey={passkey} then={reload} /> },
  ];
}

function Remove({ passkey: { id, name }, then }: { passkey: Passkey; then: () => void }) {
  const client = useClient();
  const remove = async () => {
    await client.post(`/dashboard/api/passkeys/${id}/remove`);
    then();
  };
  return (
    <QuestionButton label="Remove" question={`Remove the passkey ${name}?`} perform={remove}>
      <p>It no longer signs you in. The device may go on offering it: delete it there too.</p>
    </QuestionButton>
  );
}
