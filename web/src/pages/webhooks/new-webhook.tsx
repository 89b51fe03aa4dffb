import { useState } from 'preact/hooks';
import type { NewWebhookEndpoint } from '../../api/objects.ts';
import { Dialog } from '../../components/dialog.tsx';
import { Form, type Values } from '../../components/form.tsx';
import { useEnvironment } from '../../shell/environment.tsx';
import { useClient } from '../../shell/session.tsx';
import { SecretShownOnce } from './secret.tsx';
import { settingsOf, WebhookFields } from './webhook-fields.tsx';

/** A dialog that makes an endpoint and shows its secret once. */
export function NewWebhookButton({ created }: { created: () => void }) {
  const [is_open, setOpen] = useState(false);
  const [endpoint, setEndpoint] = useState<NewWebhookEndpoint | null>(null);
  const environment = useEnvironment();
  const client = useClient();
  const close = () => {
    setOpen(false);
    setEndpoint(null);
  };
  const create = async (values: Values) => {
    setEndpoint(await client.post<NewWebhookEndpoint>('/v1/webhook-endpoints', settingsOf(values)));
    created();
  };
  return (
    <>
      <button type="button" class="primary" onClick={() => setOpen(true)}>
        Add an endpoint
      </button>
      <Dialog title={`An endpoint for ${environment} data`} is_open={is_open} close={close}>
        {endpoint === null ? (
          <Form
            submit_label="Add endpoint"
            submit={create}
            beside={
              <button type="button" onClick={close}>
                Cancel
              </button>
            }
          >
            <WebhookFields endpoint={null} />
          </Form>
        ) : (
          <SecretShownOnce secret={endpoint.secret} close={close} />
        )}
      </Dialog>
    </>
  );
}
