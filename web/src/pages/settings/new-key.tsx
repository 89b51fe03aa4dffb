import { useState } from 'preact/hooks';
import type { NewApiKey } from '../../api/objects.ts';
import { Dialog } from '../../components/dialog.tsx';
import { Field, Form, Select, type Values } from '../../components/form.tsx';
import { ShownOnce } from '../../components/shown-once.tsx';
import { useEnvironment } from '../../shell/environment.tsx';
import { useClient } from '../../shell/session.tsx';

const KINDS = [
  { value: 'full', label: 'Full: can use the whole API' },
  { value: 'read_only', label: 'Read only: can read what a viewer reads, changes nothing' },
  { value: 'events_only', label: 'Events only: can send events, cannot read data' },
];

/** A dialog that creates a key and shows its secret once. */
export function NewKeyButton({ created }: { created: (secret: string) => void }) {
  const [is_open, setOpen] = useState(false);
  const [key, setKey] = useState<NewApiKey | null>(null);
  const environment = useEnvironment();
  const client = useClient();
  const close = () => {
    setOpen(false);
    setKey(null);
  };
  const create = async ({ name, kind }: Values) => {
    const made = await client.post<NewApiKey>('/dashboard/api/keys', { ...(name ? { name } : {}), kind });
    setKey(made);
    created(made.secret);
  };
  return (
    <>
      <button type="button" class="primary" onClick={() => setOpen(true)}>
        Create a key
      </button>
      <Dialog title={`A key for ${environment} data`} is_open={is_open} close={close}>
        {key === null ? (
          <KeyForm create={create} close={close} />
        ) : (
          <ShownOnce secret={key.secret} what="the key" close={close}>
            <p>
              <strong>Copy the key {key.name} now.</strong> It is not stored and cannot be shown again.
            </p>
          </ShownOnce>
        )}
      </Dialog>
    </>
  );
}

function KeyForm({ create, close }: { create: (values: Values) => Promise<void>; close: () => void }) {
  const cancel = (
    <button type="button" onClick={close}>
      Cancel
    </button>
  );
  return (
    <Form submit_label="Create key" submit={create} beside={cancel}>
      <Field name="name" label="Name" hint="For example, the system that will use the key." />
      <Select name="kind" label="Kind" options={KINDS} />
    </Form>
  );
}
