import { useState } from 'preact/hooks';
import type { NewWebhookEndpoint, WebhookDelivery, WebhookEndpoint } from '../../api/objects.ts';
import { ActionButton, QuestionButton } from '../../components/action-button.tsx';
import { FormButton } from '../../components/dialog-button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Field, type Values } from '../../components/form.tsx';
import { useNavigate } from '../../shell/environment.tsx';
import { useClient } from '../../shell/session.tsx';
import { SecretShownOnce } from './secret.tsx';
import { settingsOf, WebhookFields } from './webhook-fields.tsx';

type ActionsProps = { endpoint: WebhookEndpoint; path: string; reload: () => void };

/** The acts on an endpoint. */
export function WebhookActions({ endpoint, path, reload }: ActionsProps) {
  const client = useClient();
  const navigate = useNavigate();
  const post = async (act: string, body: object = {}) => {
    await client.post(`${path}/${act}`, body);
    reload();
  };
  return (
    <>
      <TestButton path={path} />
      <FormButton
        label="Edit"
        title="Edit the endpoint"
        submit_label="Save"
        submit={async (values) => {
          await client.patch(path, settingsOf(values));
          reload();
        }}
      >
        <WebhookFields endpoint={endpoint} />
      </FormButton>
      {endpoint.status === 'active' ? (
        <ActionButton label="Pause" perform={() => post('pause')} />
      ) : (
        <ActionButton label="Resume" kind="primary" perform={() => post('resume')} />
      )}
      <FormButton
        label="Replay"
        title="Send changes again"
        submit_label="Replay"
        submit={(values) => post('replay', numberOf(values))}
      >
        <p>All changes after this number are sent again, with the same ids, before what comes next.</p>
        <Field name="after" label="After the number" initial="0" />
      </FormButton>
      <RotateButton path={path} reload={reload} />
      <QuestionButton
        label="Delete"
        question="Delete this endpoint?"
        perform={async () => {
          await client.delete(path);
          navigate('/settings/webhooks');
        }}
      >
        <p>Nothing more is sent to {endpoint.url}. This cannot be undone.</p>
      </QuestionButton>
    </>
  );
}

/** The body of a replay. A text that is no number is sent as it is: the API says what is wrong with it. */
function numberOf({ after = '' }: Values): object {
  return { after: /^\d+$/.test(after) ? Number(after) : after };
}

function TestButton({ path }: { path: string }) {
  const client = useClient();
  const [outcome, setOutcome] = useState('Done.');
  const test = async () => {
    const tested = await client.post<WebhookDelivery>(`${path}/test`);
    setOutcome(
      tested.response_status === null ? `${tested.error}` : `The answer is ${tested.response_status}.`,
    );
  };
  return <ActionButton label="Send a test" perform={test} done_label={outcome} />;
}

function RotateButton({ path, reload }: { path: string; reload: () => void }) {
  const client = useClient();
  const [endpoint, setEndpoint] = useState<NewWebhookEndpoint | null>(null);
  const rotate = async () => {
    setEndpoint(await client.post<NewWebhookEndpoint>(`${path}/rotate-secret`));
    reload();
  };
  const close = () => setEndpoint(null);
  return (
    <>
      <QuestionButton
        label="New secret"
        kind="plain"
        question="Give the endpoint a new secret?"
        perform={rotate}
      >
        <p>The present secret stays valid for 24 hours beside the new one.</p>
      </QuestionButton>
      <Dialog title="The new secret" is_open={endpoint !== null} close={close}>
        {endpoint !== null && <SecretShownOnce secret={endpoint.secret} close={close} />}
      </Dialog>
    </>
  );
}
